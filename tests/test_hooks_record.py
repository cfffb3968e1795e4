"""What the hooks record, with git's own commands and nothing of ours in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.git.worktrees import list_worktrees
from gitledger.services.provisional import provisional
from tests.hooks import agent_of, errors, logs, made_by, note, notes, spawn_of
from tests.support import Place, new_repository, put_hooks

if TYPE_CHECKING:
    from pathlib import Path


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
    made = [a.commit("first", x="1\n"), a.commit("second", x="2\n")]
    by = made_by(agent_of(a))
    assert notes(a) == {made[1]: by, made[0]: by, base: []}
    agent = f"refs/ledger/agents/{event['id']}"
    assert a.git("rev-parse", f"{agent}/spawn", f"{agent}/head") == f"{base}\n{made[1]}"
    assert a.is_clean_for_fsck()


def test_amend_rebase_and_squash_say_what_they_replace(hooked: Place) -> None:
    a = hooked.worktree("a")
    me = agent_of(a)
    old = a.commit("one", x="1\n")
    a.git("commit", "-q", "--amend", "-m", "one, better")
    one = a.git("rev-parse", "HEAD")
    assert note(a) == made_by(me, f"supersedes: {old}")
    two = a.commit("two", y="2\n")
    hooked.commit("on main", z="3\n")
    a.git("rebase", "-q", "main")
    olds = a.git("rev-parse", "HEAD^", "HEAD").splitlines()
    assert notes(a, "main..") == {
        olds[1]: made_by(me, f"supersedes: {two}"),
        olds[0]: made_by(me, f"supersedes: {one}"),
    }
    a.git("rebase", "-i", "HEAD~2", env={"GIT_SEQUENCE_EDITOR": "sed -i 2s/pick/squash/"})
    assert note(a) == made_by(me, *(f"supersedes: {old}" for old in olds))
    assert a.git("rev-parse", f"refs/ledger/agents/{me}/head") == a.git("rev-parse", "HEAD")
    assert len(logs(a)) == 1
    assert errors(a) == ""
    assert a.is_clean_for_fsck()


def test_a_repository_with_sha256(tmp_path: Path, env: dict[str, str]) -> None:
    repo = new_repository(tmp_path / "repo256", env, "--object-format=sha256")
    put_hooks(repo, ["sh"])
    a = repo.worktree("a")
    old = a.commit("one", x="1\n")
    a.git("commit", "-q", "--amend", "-m", "better")
    assert len(old) == 64
    assert note(a) == made_by(agent_of(a), f"supersedes: {old}")
    assert a.is_clean_for_fsck()


def test_a_merge_made_in_a_worktree_is_its_agents_and_a_fast_forward_is_not(
    hooked: Place,
) -> None:
    a, b = hooked.worktree("a"), hooked.worktree("b")
    a.commit("in a", x="1\n")
    b.commit("in b", y="1\n")
    a.git("merge", "-q", "--no-edit", "b")
    merge = a.git("rev-parse", "HEAD")
    assert note(a) == made_by(agent_of(a))
    # b's first parent of the merge is where a was, and still it is not b's.
    hooked.git("worktree", "add", "-q", "-b", "c", "../c", "a^1")
    c = hooked.at("../c")
    c.git("merge", "-q", "a")
    assert c.git("rev-parse", "HEAD") == merge
    assert note(c) == made_by(agent_of(a))
    assert set(notes(c, "a", "b")) == set(notes(c, "--all", "--not", "--glob=refs/notes/*"))


def test_a_late_spawn_is_the_one_that_reading_commands_show(hooked: Place) -> None:
    base = hooked.git("rev-parse", "HEAD")
    hooked.git("-c", "core.hooksPath=/dev/null", "worktree", "add", "-q", "-b", "a", "../a")
    a = hooked.at("../a")
    repo = discover(str(a.path))
    shown = provisional(repo, list_worktrees(repo)[1]).body()
    first = a.commit("first", x="1\n")
    event = spawn_of(a)
    assert {key: event[key] for key in shown} == shown
    assert (event["spawn_commit"], event["source"], event["late"]) == (base, "reflog", True)
    assert notes(a, f"{base}..") == {first: made_by(agent_of(a))}
    assert errors(a) == ""


@pytest.mark.parametrize(("branch", "source"), [("a", "merge-base"), ("orphan", "head")])
def test_a_late_spawn_without_a_reflog(quick: Place, branch: str, source: str) -> None:
    quick.git("config", "core.logAllRefUpdates", "false")
    quick.git("-c", "core.hooksPath=/dev/null", "worktree", "add", "-q", "../a")
    a = quick.at("../a")
    if branch == "orphan":
        a.git("checkout", "-q", "--orphan", branch)
    a.commit("first", x="1\n")
    event = spawn_of(a)
    start = a.git("rev-parse", "main" if source == "merge-base" else "HEAD")
    assert (event["branch"], event["spawn_commit"], event["source"]) == (branch, start, source)
    assert note(a) == made_by(agent_of(a))


ODD_BRANCHES = {
    "plain": ("topic", "topic"),
    "capitals and slashes": ("Fix/JIRA-12_x", "fix-jira-12-x"),
    "quotes": ('it\'s"quoted"', "it-s-quoted"),
    "shell": ("$(touch${IFS}x);`id`", "touch-ifs-x-id"),
    "glob": ("a{b}%&!", "a-b"),
    "accents": ("caf\u00e9", "caf"),
    "astral": ("\U0001f600x", "x"),
    "only odd": ("\u00e9", "agent"),
    "not UTF-8": ("caf\udce9-z", "caf-z"),
    "truncated UTF-8": ("x\udce2\udc82", "x"),
    "surrogate in UTF-8": ("x\udced\udca0\udc80y", "x-y"),
    "long": ("n" * 120, "n" * 60),
}


@pytest.mark.parametrize("name", ODD_BRANCHES)
def test_odd_branch_names_are_kept(hooked: Place, name: str) -> None:
    branch, slug = ODD_BRANCHES[name]
    a = hooked.worktree("a", branch)
    event = spawn_of(a)
    assert event["branch"] == event["title"] == branch
    assert str(event["id"])[:-7] == slug
    a.commit("one")
    assert note(a) == made_by(str(event["id"]))
    assert errors(a) == ""
