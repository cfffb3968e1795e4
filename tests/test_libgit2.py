"""libgit2 beside us: another program that reads the ledger by docs/FORMAT.md, and commits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pygit2
import pytest

if TYPE_CHECKING:
    from tests.support import Place

WHO = pygit2.Signature("dev", "dev@example.invalid", 1_700_000_000, 0)


@pytest.fixture
def two(repo: Place) -> Place:
    """Two agents with a commit each, one in a linked worktree that plain git made."""
    assert repo.ledger("init").returncode == 0
    assert repo.ledger("spawn", "Fix the parser", "--id", "parser").returncode == 0
    repo.worktree("plain").commit("Work of plain", x="1\n")
    found = json.loads(repo.ledger("list", "--json").stdout)["agents"]
    where = next(one["worktree"] for one in found if one["id"] == "parser")
    repo.at(where).commit("Work of parser", y="1\n")
    return repo


def agents(repo: Place) -> dict[str, str]:
    """Branch to agent, as `list` has it."""
    found = json.loads(repo.ledger("list", "--json").stdout)["agents"]
    return {one["branch"]: one["id"] for one in found}


def test_it_reads_the_logs(two: Place) -> None:
    known = pygit2.Repository(str(two.path))
    logs = {
        ref: known[known.references[ref].target].data
        for ref in known.references
        if ref.startswith("refs/ledger/agents/") and ref.endswith("/log")
    }
    first = [json.loads(log.splitlines()[0]) for log in logs.values()]
    assert {one["branch"]: one["id"] for one in first} == agents(two)
    assert {one["kind"] for one in first} == {"spawned"}


def test_it_reads_the_notes(two: Place) -> None:
    known = pygit2.Repository(str(two.path))
    for branch, agent in agents(two).items():
        tip = known.branches[branch].target
        noted = [
            known.lookup_note(str(tip), ref).message
            for ref in known.references
            if ref.startswith("refs/notes/ledger/") and _has(known, str(tip), ref)
        ]
        assert [one.splitlines()[0] for one in noted] == [f"agent: {agent}"]


def _has(known: pygit2.Repository, commit: str, ref: str) -> bool:
    try:
        return bool(known.lookup_note(commit, ref))
    except KeyError:
        return False


def test_its_worktree_has_the_pointer(two: Place) -> None:
    there = pygit2.Repository(str(two.path.parent / "plain"))
    pointer = there.references["refs/worktree/ledger/agent"]
    assert pointer.target == f"refs/ledger/agents/{agents(two)['plain']}/log"


def test_its_commits_run_no_hook_and_are_found(two: Place) -> None:
    there = pygit2.Repository(str(two.path.parent / "plain"))
    tree = there.TreeBuilder(there[there.head.target].tree)
    tree.insert("by-libgit2", there.create_blob(b"1\n"), pygit2.enums.FileMode.BLOB)
    head = there.head
    made = there.create_commit(head.name, WHO, WHO, "By libgit2", tree.write(), [head.target])
    told = two.ledger("who", str(made), "--json")
    assert json.loads(told.stdout)["agent"] == agents(two)["plain"]
    assert two.ledger("reconcile").returncode == 0
    notes = two.git("notes", "--ref=ledger/worktrees/plain", "show", str(made))
    assert notes.splitlines()[0] == f"agent: {agents(two)['plain']}"
