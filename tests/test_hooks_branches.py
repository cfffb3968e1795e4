"""ledger.autoSpawn=branches: in the main worktree each new branch is an agent of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hooks import agent_of, errors, logs, made_by, note, spawn_of

if TYPE_CHECKING:
    from tests.support import Place


def switch_on(repo: Place) -> None:
    repo.git("config", "ledger.autoSpawn", "branches")


def has_agent(repo: Place) -> bool:
    return repo.run("git", "symbolic-ref", "-q", "refs/worktree/ledger/agent").returncode == 0


def test_a_new_branch_is_an_agent_and_the_pointer_follows_the_branch(hooked: Place) -> None:
    switch_on(hooked)
    base = hooked.git("rev-parse", "HEAD")
    hooked.git("checkout", "-q", "-b", "Topic/caf\u00e9")
    first = agent_of(hooked)
    event = spawn_of(hooked)
    assert (event["branch"], event["spawn_commit"]) == ("Topic/caf\u00e9", base)
    assert (event["worktree_id"], event["source"]) == ("main-worktree", "checkout")
    hooked.commit("one", x="1")
    assert note(hooked) == made_by(first)
    hooked.git("switch", "-q", "-c", "other", "main")
    second = agent_of(hooked)
    hooked.commit("two", y="1")
    assert note(hooked) == made_by(second)
    hooked.git("checkout", "-q", "main")
    assert not has_agent(hooked)
    hooked.commit("on main", z="1")
    assert note(hooked) == []
    hooked.git("checkout", "-q", "Topic/caf\u00e9")
    hooked.commit("three", x="2")
    assert note(hooked) == made_by(first)
    assert len(logs(hooked)) == 2
    assert errors(hooked) == ""
    assert hooked.is_clean_for_fsck()


NO_SPAWN = {
    "the branch again": [["checkout", "-q", "main"], ["checkout", "-q", "x"]],
    "an older branch": [["checkout", "-q", "old"]],
    "detached": [["checkout", "-q", "--detach"]],
    "files": [["checkout", "-q", "main", "--", "f"]],
    "rebase": [["commit", "-q", "--allow-empty", "-m", "y"], ["rebase", "-q", "--no-ff", "old"]],
    "a rename": [["branch", "-m", "renamed"], ["checkout", "-q", "main"], ["checkout", "-q", "-"]],
}


@pytest.mark.parametrize("name", NO_SPAWN)
def test_no_new_agent(quick: Place, name: str) -> None:
    quick.git("checkout", "-q", "-b", "old")
    quick.commit("older", o="1")
    quick.git("checkout", "-q", "main")
    switch_on(quick)
    quick.git("checkout", "-q", "-b", "x")
    before = logs(quick)
    assert len(before) == 1
    for words in NO_SPAWN[name]:
        quick.git(*words)
    assert logs(quick) == before
    assert errors(quick) == ""


def test_linked_worktrees_keep_their_one_agent(quick: Place) -> None:
    switch_on(quick)
    a = quick.worktree("a")
    me = agent_of(a)
    a.git("checkout", "-q", "-b", "b")
    a.git("checkout", "-q", "a")
    assert agent_of(a) == me
    assert len(logs(a)) == 1
