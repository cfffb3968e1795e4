"""What is in a writer's way: locks, a full disk, a store that cannot be written, each other."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.store import logs
from tests.hooks import errors
from tests.support import put_hooks

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

LOG = "refs/ledger/agents/a/log"


@pytest.fixture
def agent(repo: Place) -> Place:
    """The worktree of agent a, with our hooks."""
    put_hooks(repo, ["sh"])
    made = spawn(discover(str(repo.path)), Order("work", "a", "a", str(repo.path.parent / "a")))
    return repo.at(made.path)


def lock_of(place: Place, ref: str) -> Path:
    common = place.git("rev-parse", "--path-format=absolute", "--git-common-dir")
    return place.path / common / f"{ref}.lock"


def refs(place: Place) -> str:
    return place.git("for-each-ref", "refs/ledger", "refs/notes")


def test_a_lock_that_stays_is_named_and_left(agent: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitledger.git.refs.PATIENCE", 0.3)
    lock, before = lock_of(agent, LOG), refs(agent)
    lock.touch()
    with pytest.raises(Exception, match=r"cannot write 'refs/ledger/agents/a/log'") as told:
        logs.append(discover(str(agent.path)), LOG, lambda _: [("set", {"title": "x"})])
    assert "remove that lock file" in told.value.hint
    assert lock.exists()
    assert refs(agent) == before


def test_a_lock_that_goes_is_waited_for(agent: Place) -> None:
    lock = lock_of(agent, LOG)
    lock.touch()
    waiting = multiprocessing.get_context("fork").Process(target=append_some, args=(agent, 1))
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive()
    lock.unlink()
    waiting.join()
    assert waiting.exitcode == 0


def test_a_locked_notes_ref_is_left_to_reconcile(agent: Place) -> None:
    lock = lock_of(agent, "refs/notes/ledger/worktrees/a")
    lock.touch()
    commit = agent.commit("one", x="1")
    assert lock.exists()
    assert "cannot note" in errors(agent)
    lock.unlink()
    assert agent.ledger("reconcile").stdout == f"noted {commit} as a (found in the reflog)\n"


def append_some(place: Place, count: int) -> None:
    repo = discover(str(place.path))
    for number in range(count):
        logs.append(repo, LOG, lambda _, n=number: [("set", {"title": f"{os.getpid()} {n}"})])


def test_writers_of_one_log_lose_nothing(agent: Place) -> None:
    """And its chain has no branch: each came after the one before."""
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=append_some, args=(agent, 10)) for _ in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert [one.exitcode for one in writers] == [0] * 4
    log = logs.read(discover(str(agent.path)), LOG)
    titles = [event.body["title"] for event in log.events[1:]]
    assert len(titles) == len(set(titles)) == 40
    assert [event.prev for event in log.events[1:]] == [(event.id,) for event in log.events[:-1]]


def small_files() -> None:
    """As on a full disk: no byte can be written."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    "words", ["set a --title x", "spawn more --id b", "reconcile", "adopt --all"]
)
def test_a_full_disk_is_an_error_and_changes_nothing(agent: Place, words: str) -> None:
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "unseen")
    before, trees = refs(agent), agent.git("worktree", "list")
    done = subprocess.run(
        ["git", "ledger", *words.split()],
        cwd=agent.path,
        env=agent.env | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small_files,
    )
    assert done.returncode == 128, done.stderr
    assert done.stderr.startswith("error: ")
    assert (refs(agent), agent.git("worktree", "list")) == (before, trees)
    assert not list((agent.path.parent / "repo/.git/ledger").glob("*.tmp"))
    assert verify(discover(str(agent.path))).faults == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_can_t_be_written(agent: Place) -> None:
    objects = agent.path.parent / "repo/.git/objects"
    before = refs(agent)
    modes = {path: path.stat().st_mode for path in (objects, *objects.iterdir()) if path.is_dir()}
    for path in modes:
        path.chmod(0o555)
    done = agent.ledger("set", "a", "--title", "x")
    for path, mode in modes.items():
        path.chmod(mode)
    assert (done.returncode, refs(agent)) == (128, before)
    assert done.stderr.startswith("error: ")


def test_a_store_that_is_a_file(agent: Place) -> None:
    """As root sees a store that it can't write: every new object fails."""
    objects = agent.path.parent / "repo/.git/objects"
    before = refs(agent)
    agent.git("gc", "-q")
    for number in range(256):
        path = objects / f"{number:02x}"
        if not path.exists():
            path.touch()
    done = agent.ledger("set", "a", "--title", "x")
    committed = agent.run("git", "commit", "-q", "--allow-empty", "-m", "one")
    assert (done.returncode, refs(agent)) == (128, before)
    assert done.stderr.startswith("error: ")
    assert committed.returncode == 128
    for number in range(256):
        path = objects / f"{number:02x}"
        if path.is_file():
            path.unlink()
    assert agent.ledger("set", "a", "--title", "x").returncode == 0
