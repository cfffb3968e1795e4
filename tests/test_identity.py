"""An agent is bound to its worktree's admin id: paths and branch names come and go."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.git.repository import discover
from gitledger.services.live import look
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.services.who import who
from tests.hooks import note
from tests.support import put_hooks

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support import Place

NO_HOOKS = ("-c", "core.hooksPath=/dev/null")


@pytest.fixture(params=["hooks", "no hooks"])
def parent(request: pytest.FixtureRequest, repo: Place) -> Place:
    """A repository with agent a in a worktree, and one commit of its own."""
    if request.param == "hooks":
        put_hooks(repo, ["sh"])
    made = spawn(discover(str(repo.path)), Order("work", "a", "a", str(repo.path.parent / "a")))
    repo.at(made.path).commit("one", x="1")
    return repo


def agents(repo: Place) -> dict[str, tuple[str | None, str | None]]:
    """Agent to branch and worktree, as they are now."""
    view = look(discover(str(repo.path)))
    return {
        one.id: (one.branch, one.worktree and one.worktree.path.rpartition("/")[2])
        for one in view.agents
    }


def maker(repo: Place, name: str) -> str | None:
    here = discover(str(repo.path))
    found = who(look(here), repo.git("rev-parse", name)).owner
    return found.agent if found else None


def settle(repo: Place) -> None:
    here = discover(str(repo.path))
    reconcile(here)
    assert not reconcile(here)
    assert verify(here).faults == []


def test_moved(parent: Place) -> None:
    parent.git("worktree", "move", "../a", "../elsewhere")
    parent.at("../elsewhere").commit("two", x="2")
    settle(parent)
    assert agents(parent) == {"a": ("a", "elsewhere")}
    assert (maker(parent, "a"), maker(parent, "a^")) == ("a", "a")
    listed: dict[str, Any] = json.loads(parent.ledger("list", "--json").stdout)
    assert listed["agents"][0]["worktree"].endswith("/elsewhere")


def test_moved_by_hand_and_repaired(parent: Place) -> None:
    shutil.move(parent.path.parent / "a", parent.path.parent / "elsewhere")
    parent.git("worktree", "repair", "../elsewhere")
    parent.at("../elsewhere").commit("two", x="2")
    settle(parent)
    assert agents(parent) == {"a": ("a", "elsewhere")}
    assert maker(parent, "a") == "a"


def test_removed(parent: Place) -> None:
    settle(parent)
    parent.git("worktree", "remove", "../a")
    settle(parent)
    assert agents(parent) == {"a": ("a", None)}
    assert maker(parent, "a") == "a"


def test_removed_before_anything_was_on_record(parent: Place) -> None:
    """Without hooks its reflog is gone with it: the branch alone is left, and it is its own."""
    parent.git("worktree", "remove", "../a")
    settle(parent)
    assert agents(parent) == {"a": ("a", None)}
    assert maker(parent, "a") == "a"


def test_deleted_by_hand(parent: Place) -> None:
    """The admin directory stands: git calls it prunable, and we leave that to its user."""
    shutil.rmtree(parent.path.parent / "a")
    settle(parent)
    assert agents(parent) == {"a": ("a", "a")}
    assert maker(parent, "a") == "a"
    assert "\nprunable " in parent.git("worktree", "list", "--porcelain")


def test_recreated_under_the_same_name(parent: Place) -> None:
    settle(parent)
    parent.git("worktree", "remove", "../a")
    later = {"GIT_COMMITTER_DATE": "2099-01-01T00:00:00Z"}
    parent.git("worktree", "add", "-q", "-b", "again", "../a", "main", env=later)
    again = parent.at("../a")
    again.write("y", "2")
    again.git("add", "-A")
    again.git("commit", "-q", "-m", "two", env=later)
    settle(parent)
    held = agents(parent)
    (other,) = set(held) - {"a"}
    assert held == {"a": ("a", None), other: ("again", "a")}
    assert (maker(parent, "a"), maker(parent, "again")) == ("a", other)


def test_branch_renamed_and_the_name_given_to_other_work(parent: Place) -> None:
    a = parent.at("../a")
    a.git("branch", "-m", "renamed")
    parent.git("branch", "a", "main")
    a.commit("two", x="2")
    settle(parent)
    assert agents(parent) == {"a": ("renamed", "a")}
    assert (maker(parent, "renamed"), maker(parent, "renamed^")) == ("a", "a")


def test_another_branch_checked_out_in_the_worktree(parent: Place) -> None:
    a = parent.at("../a")
    a.git("checkout", "-q", "-b", "side", "main")
    a.commit("two", y="2")
    settle(parent)
    assert agents(parent) == {"a": ("side", "a")}
    assert (maker(parent, "side"), maker(parent, "a")) == ("a", "a")


def test_a_subagent_in_its_parents_worktree(repo: Place) -> None:
    put_hooks(repo, ["sh"])
    here = discover(str(repo.path))
    a = repo.at(spawn(here, Order("work", "a", "a", str(repo.path.parent / "a"))).path)
    spawn(here, Order("sub", "sub", "sub", str(repo.path.parent / "sub")))
    a.commit("mine", x="1")
    a.write("y", "1")
    a.git("add", "-A")
    a.git("commit", "-q", "-m", "the other's", env={"GIT_LEDGER_AGENT": "sub"})
    a.commit("mine again", z="1")
    settle(repo)
    assert [note(a, one)[0] for one in ("HEAD^^", "HEAD^", "HEAD")] == [
        "agent: a",
        "agent: sub",
        "agent: a",
    ]
    assert agents(repo) == {"a": ("a", "a"), "sub": ("sub", "sub")}


def lock(repo: Place) -> None:
    repo.git("worktree", "lock", "--reason", "on a stick", "../a")


def lose(repo: Place) -> None:
    shutil.rmtree(repo.path.parent / "a")


def lock_and_lose(repo: Place) -> None:
    lock(repo)
    lose(repo)


@pytest.mark.parametrize("do", [lock, lose, lock_and_lose])
def test_nothing_is_pruned_or_unlocked(parent: Place, do: Callable[[Place], None]) -> None:
    do(parent)
    before = parent.git("worktree", "list", "--porcelain").strip().split("\n\n")
    for words in ("reconcile", "doctor", "list", "adopt --all", "spawn more --id more", "prune"):
        parent.ledger(*words.split())
    after = parent.git("worktree", "list", "--porcelain").strip().split("\n\n")
    assert [one for one in after if not one.startswith(f"worktree {parent.path}-")] == before


def test_relative_links(parent: Place) -> None:
    """Case 19: git 2.39 calls such a worktree prunable although it works."""
    admin, a = parent.path / ".git/worktrees/a", parent.at("../a")
    (admin / "gitdir").write_text("../../../../a/.git\n")
    (a.path / ".git").write_text("gitdir: ../repo/.git/worktrees/a\n")
    a.commit("two", x="2")
    settle(parent)
    assert agents(parent) == {"a": ("a", "a")}
    assert (maker(parent, "a"), maker(parent, "a^")) == ("a", "a")
    parent.ledger("spawn", "more", "--id", "more")
    assert admin.exists()
