"""Without any hook: what the reflogs, the branches and the commits themselves still tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.live import look
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.services.who import who
from gitledger.store import notes
from tests.support import Place

if TYPE_CHECKING:
    from collections.abc import Callable


def agent(repo: Place, name: str, start: str = "HEAD") -> Place:
    """An agent with that id, in a worktree and on a branch of the same name."""
    order = Order(name, name, name, str(repo.path.parent / name), start)
    return Place(repo.path.__class__(spawn(discover(str(repo.path)), order).path), repo.env)


def owners(repo: Place, *revisions: str) -> dict[str, str]:
    """Subject to `agent how` of each commit in a range, as `who` tells it now."""
    view = look(discover(str(repo.path)))
    found = {}
    for commit in repo.git("rev-list", "--reverse", *revisions).split():
        owner = who(view, commit).owner
        subject = repo.git("log", "-1", "--format=%s", commit)
        found[subject] = f"{owner.agent} {owner.how}" if owner else "nobody"
    return found


def noted(repo: Place) -> dict[str, str]:
    """Commit to agent, of all notes."""
    read = notes.read_all(discover(str(repo.path)))
    return {commit: note.agent for place in read.values() for commit, note in place.items()}


def settle(repo: Place) -> None:
    reconcile(discover(str(repo.path)))


def test_who_knows_before_anything_is_written(repo: Place) -> None:
    a = agent(repo, "a")
    a.commit("one", x="1\n")
    assert owners(repo, "a") == {"base": "nobody", "one": "a reconcile"}
    assert noted(repo) == {}


def test_reconcile_writes_once_and_then_nothing(repo: Place) -> None:
    a = agent(repo, "a")
    one = a.commit("one", x="1\n")
    settle(repo)
    assert noted(repo) == {one: "a"}
    refs = repo.git("for-each-ref")
    assert not reconcile(discover(str(repo.path)))
    (repo.path / ".git" / "ledger" / "reconciled.json").unlink()
    assert not reconcile(discover(str(repo.path)))
    assert repo.git("for-each-ref") == refs


def test_a_commit_by_plumbing_is_found_on_the_branch(repo: Place) -> None:
    a = agent(repo, "a")
    a.commit("one", x="1\n")
    plumbed = repo.git("commit-tree", "-p", "a", "-m", "two", "a^{tree}")
    repo.git("update-ref", "refs/heads/a", plumbed)
    assert owners(repo, "main..a") == {"one": "a reconcile", "two": "a inferred"}
    settle(repo)
    assert noted(repo)[plumbed] == "a"
    assert repo.git("rev-parse", "refs/ledger/agents/a/head") == plumbed


def test_a_worktree_that_no_hook_saw_is_spawned_late_with_a_settled_id(repo: Place) -> None:
    tree = repo.worktree("w", "topic")
    base = repo.git("rev-parse", "HEAD")
    tree.commit("one", x="1\n")
    before = look(discover(str(repo.path))).agents
    assert [(one.recorded, one.agent.title, one.agent.spawn_commit) for one in before] == [
        (False, "topic", base)
    ]
    settle(repo)
    after = look(discover(str(repo.path))).agents
    assert [(one.recorded, one.id) for one in after] == [(True, before[0].id)]
    assert owners(repo, "main..topic") == {"one": f"{before[0].id} reconcile"}


def amend(a: Place) -> None:
    a.commit("one", x="1\n")
    a.git("commit", "-q", "--amend", "-m", "uno")


def rebase(a: Place) -> None:
    a.commit("one", x="1\n")
    a.commit("two", y="2\n")
    a.git("rebase", "-q", "main")


def squash(a: Place) -> None:
    a.commit("one", x="1\n")
    a.commit("fixup! one", x="2\n")
    a.git("-c", "sequence.editor=true", "rebase", "-q", "-i", "--autosquash", "main")


def reset_and_recommit(a: Place) -> None:
    a.commit("one", x="1\n")
    a.commit("two", y="2\n")
    a.git("reset", "-q", "--soft", "HEAD~2")
    a.git("commit", "-q", "-m", "both")


def revert(a: Place) -> None:
    a.commit("one", x="1\n")
    a.git("revert", "--no-edit", "HEAD")


def merge_main(a: Place) -> None:
    a.commit("one", x="1\n")
    a.git("merge", "-q", "--no-edit", "main")


def aborted_rebase(a: Place) -> None:
    a.commit("one", f="changed\n")
    assert a.run("git", "rebase", "-q", "main").returncode == 1
    a.git("rebase", "--abort")


@pytest.mark.parametrize(
    ("do", "live"),
    [
        (amend, {"uno": "a reconcile"}),
        (rebase, {"one": "a reconcile", "two": "a reconcile"}),
        (squash, {"one": "a reconcile"}),
        (reset_and_recommit, {"both": "a reconcile"}),
        (revert, {"one": "a reconcile", 'Revert "one"': "a reconcile"}),
        (merge_main, {"one": "a reconcile", "Merge branch 'main' into a": "a reconcile"}),
        (aborted_rebase, {"one": "a reconcile"}),
    ],
)
def test_every_live_commit_has_its_agent_after_a_rewrite(
    repo: Place, do: Callable[[Place], None], live: dict[str, str]
) -> None:
    a = agent(repo, "a")
    repo.commit("main moves", f="other\n")
    do(a)
    assert owners(repo, "main..a") == live
    settle(repo)
    assert owners(repo, "main..a") == live
    on_branch = repo.git("rev-list", "main..a").split()
    assert {oid: by for oid, by in noted(repo).items() if oid in on_branch} == dict.fromkeys(
        on_branch, "a"
    )


def test_an_amended_commit_is_superseded_by_its_successor(repo: Place) -> None:
    a = agent(repo, "a")
    old = a.commit("one", x="1\n")
    settle(repo)
    a.git("commit", "-q", "--amend", "-m", "uno")
    settle(repo)
    new = a.git("rev-parse", "HEAD")
    place = notes.read_all(discover(str(repo.path)))["worktrees/a"]
    assert {oid: note.supersedes for oid, note in place.items()} == {old: (), new: (old,)}
    assert who(look(discover(str(repo.path))), old).superseded_by == new


def test_a_rebased_commit_supersedes_the_old_one(repo: Place) -> None:
    a = agent(repo, "a")
    olds = [a.commit("one", x="1\n"), a.commit("two", y="2\n")]
    settle(repo)
    repo.commit("main moves", m="m\n")
    a.git("rebase", "-q", "main")
    settle(repo)
    news = a.git("rev-list", "--reverse", "main..a").split()
    place = notes.read_all(discover(str(repo.path)))["worktrees/a"]
    assert [place[new].supersedes for new in news] == [(old,) for old in olds]


def test_a_pick_into_the_target_is_its_sources(repo: Place) -> None:
    a = agent(repo, "a")
    a.commit("one", x="1\n")
    settle(repo)
    repo.commit("main moves", m="m\n")
    repo.git("cherry-pick", "a")
    assert owners(repo, "a..main") == {"main moves": "nobody", "one": "a inferred"}
    settle(repo)
    assert notes.read_all(discover(str(repo.path)))["main-worktree"].keys() == {
        repo.git("rev-parse", "main")
    }


def test_a_pick_by_another_agent_is_its_own_and_names_the_source(repo: Place) -> None:
    a, b = agent(repo, "a"), agent(repo, "b")
    a.commit("one", x="1\n")
    settle(repo)
    b.commit("two", y="2\n")
    b.git("cherry-pick", "a")
    settle(repo)
    note = notes.read_all(discover(str(repo.path)))["worktrees/b"][b.git("rev-parse", "HEAD")]
    assert (note.agent, note.sources) == ("b", ("a",))


@pytest.mark.parametrize(
    "do",
    [
        lambda repo: repo.commit("by hand", m="m\n"),
        lambda repo: (repo.git("checkout", "-q", "-b", "side"), repo.commit("side", s="s\n")),
    ],
    ids=["a commit on main", "a commit on another branch"],
)
def test_a_persons_commit_stays_nobodys(repo: Place, do: Callable[[Place], object]) -> None:
    a = agent(repo, "a")
    do(repo)
    a.git("merge", "-q", "--no-edit", repo.git("rev-parse", "HEAD"))
    settle(repo)
    assert noted(repo) == {}
    assert owners(repo, "HEAD") | {"base": "nobody"} == dict.fromkeys(
        owners(repo, "HEAD"), "nobody"
    )


def test_what_an_agent_started_from_is_not_its_own(repo: Place) -> None:
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("feature", x="1\n")
    repo.git("update-ref", "refs/remotes/origin/feature", "feature")
    repo.git("checkout", "-q", "main")
    repo.git("branch", "-q", "-D", "feature")
    agent(repo, "a", "origin/feature").commit("own", y="1\n")
    repo.git("reflog", "expire", "--expire=all", "--all")
    settle(repo)
    assert owners(repo, "main..a") == {"feature": "nobody", "own": "a inferred"}


def test_one_agent_after_another_in_a_worktree_each_keeps_its_own(repo: Place) -> None:
    a = agent(repo, "a")
    first = a.commit("one", x="1\n")
    settle(repo)
    second = Place(a.path, repo.env)
    from gitledger.services.spawn import spawn_here
    from gitledger.store import pointers

    pointers.clear(discover(str(a.path)))
    spawn_here(discover(str(a.path)), Order("b", "b"))
    env = {"GIT_COMMITTER_DATE": "2099-01-01T00:00:00Z"}
    second.write("y", "2\n")
    second.git("add", "-A")
    second.git("commit", "-q", "-m", "two", env=env)
    settle(repo)
    assert noted(repo) == {first: "a", second.git("rev-parse", "HEAD"): "b"}


def test_what_stood_in_a_worktree_before_its_agent_came_is_nobody_s(repo: Place) -> None:
    from gitledger.services.spawn import spawn_here

    repo.commit("before", x="1\n")
    spawn_here(discover(str(repo.path)), Order("a", "a"))
    repo.commit("own", y="1\n")
    assert owners(repo, "main") == {
        "base": "nobody",
        "before": "nobody",
        "own": "a reconcile",
    }
    settle(repo)
    assert noted(repo) == {repo.git("rev-parse", "main"): "a"}


def test_a_worktree_of_the_targets_branch_is_no_agent(repo: Place) -> None:
    repo.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = repo.at("../bare.git")
    bare.git("worktree", "add", "-q", "../trunk", "main")
    bare.git("worktree", "add", "-q", "-b", "topic", "../topic")
    settle(bare)
    view = look(discover(str(bare.path)))
    assert [(one.branch, one.recorded) for one in view.agents] == [("topic", True)]


def test_work_on_a_deleted_branch_is_still_the_agents(repo: Place) -> None:
    a = agent(repo, "a")
    tip = a.commit("one", x="1\n")
    repo.git("update-ref", "-d", "refs/heads/a")
    view = look(discover(str(repo.path)))
    assert view.by_id["a"].tip == tip
    assert who(view, tip).owner is not None
    settle(repo)
    assert noted(repo) == {tip: "a"}
    assert repo.git("rev-parse", "refs/ledger/agents/a/head") == tip


def test_a_worktree_whose_branch_is_gone_is_adopted_with_its_work(repo: Place) -> None:
    tree = repo.worktree("w")
    base, tip = repo.git("rev-parse", "HEAD"), tree.commit("one", x="1\n")
    repo.git("update-ref", "-d", "refs/heads/w")
    settle(repo)
    found = look(discover(str(repo.path))).agents[0]
    assert (found.recorded, found.agent.spawn_commit, found.tip) == (True, base, tip)


def test_a_squash_merge_is_its_agents(repo: Place) -> None:
    a, b = agent(repo, "a"), agent(repo, "b")
    a.commit("one", x="1\n")
    a.commit("two", x="2\n", y="2\n")
    b.commit("three", z="1\n")
    b.commit("four", z="2\n")
    settle(repo)
    repo.git("merge", "-q", "--squash", "a")
    repo.git("commit", "-q", "-m", "squash of a")
    repo.git("merge", "-q", "--squash", "b")
    repo.git("commit", "-q", "-m", "squash of b")
    b.commit("five", z="3\n")  # goes on after that
    repo.commit("by hand", x="9\n")
    assert owners(repo, "main") == {
        "base": "nobody",
        "squash of a": "a inferred",
        "squash of b": "b inferred",
        "by hand": "nobody",
    }


def test_a_partial_clone_without_its_remote_is_no_obstacle(repo: Place) -> None:
    """Case 21: what needs missing contents is not concluded; everything else is."""
    a = agent(repo, "a")
    a.commit("one", f="1\n")
    a.commit("two", f="2\n")
    a.commit("three", f="3\n")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", "../partial")
    partial = repo.at(repo.path.parent / "partial")
    b = agent(partial, "b", "origin/a")
    repo.path.rename(repo.path.with_name("gone"))
    b.git("reset", "-q", "--soft", "HEAD~2")
    b.git("commit", "-q", "-m", "two and three")
    b.git("commit", "-q", "--amend", "-m", "both")
    settle(partial)
    assert owners(partial, "HEAD..b")["both"] == "b reconcile"
