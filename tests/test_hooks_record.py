"""What the hooks record, with git's own commands and nothing of ours in Python."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support import Place, new_repository, put_hooks, shells

if TYPE_CHECKING:
    from pathlib import Path

SHELLS = [pytest.param(words, id=" ".join(words)) for words in shells()]


@pytest.fixture(params=SHELLS)
def hooked(request: pytest.FixtureRequest, repo: Place) -> Place:
    """A repository with our hooks, under each shell in turn."""
    put_hooks(repo, request.param)
    return repo


@pytest.fixture
def quick(repo: Place) -> Place:
    """A repository with our hooks, under one shell: for what no shell can change."""
    put_hooks(repo, ["sh"])
    return repo


def agents(place: Place) -> list[str]:
    """The ids of all agents."""
    listed = place.git("for-each-ref", "--format=%(refname)", "refs/ledger/agents/*/log")
    return [spawned(place, ref)["id"] for ref in listed.splitlines()]


def spawned(place: Place, log: str) -> dict[str, object]:
    """A log that holds one event, the spawn."""
    (line,) = place.git("cat-file", "blob", log).splitlines()
    event: dict[str, object] = json.loads(line)
    assert event["kind"] == "spawned"
    return event


def spawn_of(place: Place) -> dict[str, object]:
    return spawned(place, place.git("symbolic-ref", "refs/worktree/ledger/agent"))


def note(place: Place, commit: str = "HEAD") -> list[str]:
    """The lines of all notes of the ledger on a commit."""
    show = ("log", "-1", "--no-notes", "--notes=ledger/*", "--format=%N", commit)
    return place.git(*show).split()


def noted_for(place: Place, *more: str) -> list[str]:
    return ["agent:", str(spawn_of(place)["id"]), "iteration:", "0", *more]


def test_worktree_add_is_a_spawn_and_commits_there_are_noted(hooked: Place) -> None:
    base = hooked.git("rev-parse", "HEAD")
    a = hooked.worktree("a", "feature/Login-Page")
    event = spawn_of(a)
    assert event == {
        "v": 1,
        "kind": "spawned",
        "at": event["at"],
        "prev": [],
        "nonce": event["nonce"],
        "id": event["id"],
        "title": "feature/Login-Page",
        "spawn_commit": base,
        "source": "checkout",
        "worktree": str(a.path.resolve()),
        "worktree_id": "worktrees/a",
        "branch": "feature/Login-Page",
    }
    assert str(event["id"]).startswith("feature-login-page-")
    first = a.commit("first", x="1\n")
    assert note(a, first) == noted_for(a)
    second = a.commit("second", x="2\n")
    assert [note(a, first), note(a, second), note(a, base)] == [noted_for(a)] * 2 + [[]]
    agent = f"refs/ledger/agents/{event['id']}"
    assert a.git("rev-parse", f"{agent}/spawn", f"{agent}/head") == f"{base}\n{second}"
    assert a.is_clean_for_fsck()


def test_amend_rebase_and_squash_say_what_they_replace(hooked: Place) -> None:
    a = hooked.worktree("a")
    old = a.commit("one", x="1\n")
    a.git("commit", "-q", "--amend", "-m", "one, better")
    one = a.git("rev-parse", "HEAD")
    assert note(a) == noted_for(a, "supersedes:", old)
    two = a.commit("two", y="2\n")
    hooked.commit("on main", z="3\n")
    a.git("rebase", "-q", "main")
    assert note(a) == noted_for(a, "supersedes:", two)
    assert note(a, "HEAD^") == noted_for(a, "supersedes:", one)
    olds = a.git("rev-parse", "HEAD^", "HEAD").splitlines()
    a.git("rebase", "-i", "HEAD~2", env={"GIT_SEQUENCE_EDITOR": "sed -i 2s/pick/squash/"})
    assert note(a) == noted_for(a, "supersedes:", olds[0], "supersedes:", olds[1])
    assert len(agents(a)) == 1
    assert a.is_clean_for_fsck()


def test_a_repository_with_sha256(tmp_path: Path, env: dict[str, str]) -> None:
    repo = new_repository(tmp_path / "repo256", env, "--object-format=sha256")
    put_hooks(repo, ["sh"])
    a = repo.worktree("a")
    old = a.commit("one", x="1\n")
    a.git("commit", "-q", "--amend", "-m", "better")
    assert len(old) == 64
    assert note(a) == noted_for(a, "supersedes:", old)
    assert a.is_clean_for_fsck()
