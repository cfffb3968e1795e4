"""Every command that writes, killed at any instant: what it said is there, and nothing is half.

SIGKILL goes to the command and to every git that it has started. Locks of git's own are
removed as a person would, once nothing runs.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.store import logs
from tests.support import put_hooks

if TYPE_CHECKING:
    from tests.support import Place

# `{0}` is the number of the attempt, `{1}` less than 4. What the command leads to is not asked: it may be refused.
WRITERS = {
    "spawn": "spawn task-{0} --id s{0}",
    "spawn --here": "spawn here --here --id h{0}",
    "adopt": "adopt --all",
    "set": "set a --title better-{0}",
    "report": "report a -m done",
    "revise": "revise a -m again",
    "interrupt and resume": "resume a --yes",
    "complete": "complete b{1}",
    "close": "close b{1} --rejected -m no",
    "merge": "merge b{1}",
    "reconcile": "reconcile",
    "session": "session set --task task-{0}",
    "prune": "prune --max 0",
}

ATTEMPTS = 25 if os.environ.get("GIT_LEDGER_LONG_TESTS") else 4


@pytest.fixture
def busy(repo: Place) -> Place:
    """Agents a and b0 to b3 with a commit each, which only reflogs know, and a session."""
    put_hooks(repo, ["sh"])
    here = discover(str(repo.path))
    for name in ("a", "b0", "b1", "b2", "b3"):
        place = repo.at(spawn(here, Order(name, name, name, str(repo.path.parent / name))).path)
        place.write(name, name)
        place.git("add", "-A")
        place.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", name)
    repo.git("-c", "core.hooksPath=/dev/null", "worktree", "add", "-q", "../unseen")
    assert repo.ledger("session", "start", "topic").returncode == 0
    return repo


def killed(place: Place, words: list[str], after: float) -> bool:
    """Run `git ledger WORDS` and kill it with all its children; whether it had ended by itself."""
    process = subprocess.Popen(
        ["git", "ledger", *words],
        cwd=place.path,
        env=place.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(after)
    ended = process.poll() is not None
    if not ended:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return ended


def remove_locks(place: Place) -> None:
    for lock in place.path.glob(".git/**/*.lock"):
        if lock.parent.name != "ledger":
            lock.unlink()


def known(place: Place) -> dict[str, list[str]]:
    """Log to the ids of its events."""
    here = discover(str(place.path))
    read = logs.read_all(here, "refs/ledger/")
    return {ref: [event.id for event in log.events] for ref, log in read.items()}


@pytest.mark.parametrize("name", WRITERS)
def test_killed(busy: Place, name: str) -> None:
    chance = random.Random(name)
    here = discover(str(busy.path))
    longest = timed(busy, WRITERS[name].format(99, 3).split())
    for attempt in range(ATTEMPTS):
        before = known(busy)
        killed(
            busy, WRITERS[name].format(attempt, attempt % 4).split(), chance.uniform(0.02, longest)
        )
        remove_locks(busy)
        assert {one for ids in before.values() for one in ids} <= set(every(known(busy)))
    reconcile(here)
    assert not reconcile(here)
    now = every(known(busy))
    assert len(now) == len(set(now))
    assert verify(here).faults == []
    assert complaints(busy) == []


def complaints(place: Place) -> list[str]:
    """Of `git fsck`, but for a worktree that git itself was making when it was killed.

    Its HEAD is still zeros, and it is locked: that is git's, and its user's to remove.
    """
    told = place.run("git", "fsck", "--no-dangling", "--no-progress").stderr.splitlines()
    return [line for line in told if not line.endswith("/HEAD: detached HEAD points at nothing")]


def every(found: dict[str, list[str]]) -> list[str]:
    return [one for ids in found.values() for one in ids]


def timed(place: Place, words: list[str]) -> float:
    start = time.monotonic()
    place.ledger(*words)
    return time.monotonic() - start
