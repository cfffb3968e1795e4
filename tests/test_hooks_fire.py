"""The hooks under fire: many processes at once, gc, and SIGKILL at any instant."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.hooks import agent_of, errors, logs, made_by, note, notes
from tests.support import put_hooks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support import Place

NO_HOOKS = ("-c", "core.hooksPath=/dev/null")
# A commit may fail while another process holds the worktree's index.
COMMIT = 'for i in $(seq $2); do until git commit -q --allow-empty -m "$1.$i"; do :; done; done'


def commit_at_once(places: Sequence[Place], each: int) -> None:
    """`each` commits in each of the places, one process a place, all at once."""
    running = [
        subprocess.Popen(
            ["sh", "-c", COMMIT, "commit", str(number), str(each)],
            cwd=place.path,
            env=place.env,
            stderr=subprocess.DEVNULL,
        )
        for number, place in enumerate(places)
    ]
    assert [process.wait() for process in running] == [0] * len(places)


def test_16_worktrees_at_once_then_gc_in_each(repo: Place) -> None:
    put_hooks(repo, ["sh"])
    places = [repo.worktree(f"w{number}") for number in range(16)]
    commit_at_once(places, 5)
    for place in places[:3]:
        place.git("gc", "-q", "--prune=now")
    for place in places:
        made = notes(place, "main..")
        assert len(made) == 5
        assert set(map(tuple, made.values())) == {tuple(made_by(agent_of(place)))}
        head = place.git("rev-parse", f"refs/ledger/agents/{agent_of(place)}/head")
        assert head == place.git("rev-parse", "HEAD")
    assert errors(repo) == ""
    assert repo.is_clean_for_fsck()


def test_8_processes_in_one_worktree(repo: Place) -> None:
    """HEAD has moved on when some hooks run: those commits are left to reconcile."""
    put_hooks(repo, ["sh"])
    a = repo.worktree("a")
    commit_at_once([a] * 8, 4)
    made = notes(a, "main..")
    noted = [lines for lines in made.values() if lines]
    assert len(made) == 32
    assert len(noted) >= 8
    assert noted == [made_by(agent_of(a))] * len(noted)
    assert a.git("rev-parse", f"refs/ledger/agents/{agent_of(a)}/head") == a.git(
        "rev-parse", "HEAD"
    )
    assert errors(repo) == ""


@pytest.mark.parametrize("attempt", range(2))
def test_8_processes_in_a_worktree_without_agent_make_one(repo: Place, attempt: int) -> None:
    put_hooks(repo, ["sh"])
    repo.git(*NO_HOOKS, "worktree", "add", "-q", "-b", f"late{attempt}", "../a")
    a = repo.at("../a")
    commit_at_once([a] * 8, 1)
    assert len(logs(a)) == 1
    assert note(a) == made_by(agent_of(a))
    assert a.git("for-each-ref", "refs/worktree/ledger/claim") == ""
    assert errors(repo) == ""


def killed(place: Place, chance: random.Random, longest: float, *words: str) -> None:
    """Run git and kill it with all its children, at a random instant if it still runs."""
    process = subprocess.Popen(
        ["git", *words],
        cwd=place.path,
        env=place.env,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(chance.uniform(0.003, longest))
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def remove_locks(place: Place) -> None:
    """As a person does after a crash, once nothing runs any more."""
    for lock in place.path.glob(".git/**/*.lock"):
        lock.unlink()


def test_killed_commits_and_amends_leave_nothing_broken(repo: Place) -> None:
    put_hooks(repo, ["sh"])
    a = repo.worktree("a")
    chance = random.Random(1)
    for number in range(40):
        amend = ["--amend"] if number % 3 == 2 else []
        message = f"number {number}"
        killed(a, chance, 0.04, "commit", "-q", "--allow-empty", "-m", message, *amend)
        remove_locks(repo)
    last = a.commit("last", x="1")
    assert note(a) == made_by(agent_of(a))
    assert a.git("rev-parse", f"refs/ledger/agents/{agent_of(a)}/head") == last
    assert all(lines[:2] in ([], made_by(agent_of(a))) for lines in notes(a, "main..").values())
    assert a.is_clean_for_fsck()


def test_a_killed_spawn_is_finished_and_not_doubled(repo: Place) -> None:
    put_hooks(repo, ["sh"])
    chance = random.Random(2)
    for number in range(15):
        name = f"s{number}"
        killed(repo, chance, 0.06, "worktree", "add", "-q", "-b", name, f"../{name}")
        remove_locks(repo)
        place = repo.at(f"../{name}")
        half = not place.path.exists() or place.run("git", "commit", "-qm0", "--allow-empty")
        if half is True or half.returncode:
            continue  # git itself had not made the worktree yet
        place.commit("one", x=name)
        mine = [log for log in logs(repo) if log.startswith(f"refs/ledger/agents/{name}-")]
        assert mine == [place.git("symbolic-ref", "refs/worktree/ledger/agent")]
        assert note(place) == made_by(agent_of(place))


POINTERS = ("agent", "note", "notes")
REFS = ("log", "note", "spawn", "head")
# What there is of an agent's refs and of the worktree's pointers when the hook is killed.
HALVES = {
    "nothing but the claim": ((), ()),
    "a log": (("log",), ()),
    "a log and a note": (("log", "note"), ()),
    "all refs": (REFS, ()),
    "all refs and a pointer": (REFS, ("agent",)),
    "all refs and two pointers": (REFS, ("agent", "note")),
}


@pytest.mark.parametrize("name", HALVES)
def test_a_spawn_is_finished_from_each_half(repo: Place, name: str) -> None:
    refs, pointers = HALVES[name]
    put_hooks(repo, ["sh"])
    a = repo.worktree("a")
    log = a.git("symbolic-ref", "refs/worktree/ledger/agent")
    a.git("update-ref", "refs/worktree/ledger/claim", "refs/worktree/ledger/note")
    for leaf in set(POINTERS) - set(pointers):
        a.git("symbolic-ref", "-d", f"refs/worktree/ledger/{leaf}")
    for leaf in set(REFS) - set(refs):
        a.git("update-ref", "-d", f"{log.removesuffix('/log')}/{leaf}")
    a.commit("one", x="1")
    assert len(logs(a)) == 1
    assert (logs(a) == [log]) == ("log" in refs)
    assert note(a) == made_by(agent_of(a))
    mine = f"refs/ledger/agents/{agent_of(a)}"
    assert a.git("rev-parse", f"{mine}/spawn", f"{mine}/head") == a.git("rev-parse", "main", "HEAD")
    assert a.git("for-each-ref", "--format=%(refname)", "refs/worktree").splitlines() == [
        f"refs/worktree/ledger/{leaf}" for leaf in POINTERS
    ]
    assert a.is_clean_for_fsck()
