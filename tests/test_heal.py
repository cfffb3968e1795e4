"""What a writer left half-made when it was killed, made whole by the next that writes."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.live import look
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.store import logs, pointers

if TYPE_CHECKING:
    from tests.support import Place

MINE = "refs/ledger/agents/a"
POINTERS = ("agent", "note", "notes")


def spawned(repo: Place) -> Place:
    made = spawn(discover(str(repo.path)), Order("work", "a", "a", str(repo.path.parent / "a")))
    return repo.at(made.path)


def everything(a: Place) -> tuple[str, list[str]]:
    refs = a.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/ledger", "refs/notes")
    return refs, [a.git("symbolic-ref", f"refs/worktree/ledger/{one}") for one in POINTERS]


def settle(place: Place) -> None:
    reconcile(discover(str(place.path)))


HALVES = [one for count in (1, 2, 3) for one in combinations(("note", "spawn", "head"), count)]


@pytest.mark.parametrize("lost", HALVES, ids=" ".join)
def test_refs_beside_a_log(repo: Place, lost: tuple[str, ...]) -> None:
    a = spawned(repo)
    whole = everything(a)
    for leaf in lost:
        repo.git("update-ref", "-d", f"{MINE}/{leaf}")
    settle(repo)
    assert everything(a) == whole
    assert verify(discover(str(repo.path))).faults == []


@pytest.mark.parametrize("kept", [(), ("agent",), ("agent", "note")], ids=str)
def test_pointers_of_a_spawn(repo: Place, kept: tuple[str, ...]) -> None:
    a = spawned(repo)
    whole = everything(a)
    for leaf in set(POINTERS) - set(kept):
        a.git("symbolic-ref", "-d", f"refs/worktree/ledger/{leaf}")
    if not kept:
        a.git("update-ref", "refs/worktree/ledger/claim", f"{MINE}/note")
    settle(repo)
    assert everything(a) == whole
    assert a.git("for-each-ref", "refs/worktree/ledger/claim") == ""
    assert [one.id for one in look(discover(str(repo.path))).agents] == ["a"]
    assert a.is_clean_for_fsck()


def test_a_note_of_an_iteration_before(repo: Place) -> None:
    a = spawned(repo)
    old = repo.git("rev-parse", f"{MINE}/note")
    a.commit("one", x="1")
    settle(repo)
    assert repo.ledger("report", "a", "-m", "done").returncode in {0, 2}
    new = repo.git("rev-parse", f"{MINE}/note")
    repo.git("update-ref", f"{MINE}/note", old)
    settle(repo)
    assert repo.git("rev-parse", f"{MINE}/note") == new


def test_an_archive_that_was_cut_off(repo: Place) -> None:
    pointers.clear(discover(str(spawned(repo).path)))
    repo.git("update-ref", "refs/ledger/archive/agents/a/log", f"{MINE}/log")
    settle(repo)
    left = repo.git("for-each-ref", "--format=%(refname)", "refs/ledger").splitlines()
    assert left == [
        f"refs/ledger/archive/agents/a/{leaf}" for leaf in ("head", "log", "note", "spawn")
    ]


def test_a_live_and_an_archived_log_that_differ_both_stay(repo: Place) -> None:
    spawned(repo)
    here = discover(str(repo.path))
    repo.git("update-ref", "refs/ledger/archive/agents/a/log", f"{MINE}/log")
    logs.append(here, f"{MINE}/log", lambda _: [("set", {"title": "better"})])
    both = repo.git("rev-parse", f"{MINE}/log", "refs/ledger/archive/agents/a/log")
    settle(repo)
    assert repo.git("rev-parse", f"{MINE}/log", "refs/ledger/archive/agents/a/log") == both
    (fault,) = verify(here).faults
    assert fault.what == "it is archived too"


def test_a_spawn_commit_that_is_not_here_is_left_out(repo: Place) -> None:
    """As in a shallow clone: the refs can't be made, and nothing else is held up."""
    gone = "1" * 40
    body = {"id": "b", "title": "b", "spawn_commit": gone, "worktree_id": "worktrees/b"}
    here = discover(str(repo.path))
    logs.append(here, "refs/ledger/agents/b/log", lambda _: [("spawned", body)])
    settle(repo)
    left = repo.git("for-each-ref", "--format=%(refname)", "refs/ledger/agents/b").splitlines()
    assert left == ["refs/ledger/agents/b/log", "refs/ledger/agents/b/note"]
    assert not reconcile(here)


def test_a_worktree_whose_agent_was_taken_away_is_left_alone(repo: Place) -> None:
    a = spawned(repo)
    for leaf in ("agent", "note"):
        a.git("symbolic-ref", "-d", f"refs/worktree/ledger/{leaf}")
    settle(repo)
    assert a.run("git", "symbolic-ref", "-q", "refs/worktree/ledger/agent").returncode == 1


def test_a_later_worktree_of_the_same_name_is_another_agent(repo: Place) -> None:
    spawned(repo)
    repo.git("worktree", "remove", "--force", "../a")
    env = {"GIT_COMMITTER_DATE": "2099-01-01T00:00:00Z"}
    repo.git("worktree", "add", "-q", "-b", "again", "../a", env=env)
    settle(repo)
    view = look(discover(str(repo.path)))
    held = {one.id: one.worktree.name if one.worktree else None for one in view.agents}
    (other,) = set(held) - {"a"}
    assert held == {"a": None, other: "worktrees/a"}
