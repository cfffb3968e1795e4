"""merge: what it leaves behind when it merges, and that it leaves nothing when it does not."""

from __future__ import annotations

import re

import pytest

from gitledger.errors import Found, LedgerError, Refused, Undecided
from gitledger.git.repository import discover
from gitledger.services.live import look
from gitledger.services.merge import Wanted, merge, plan_merge
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.store import logs
from tests.support import Place

AGENT = "refs/ledger/agents/a/log"


@pytest.fixture
def a(repo: Place) -> Place:
    """Agent `a` with one commit that changes line 5."""
    where = repo.path.parent / "a"
    spawn(discover(str(repo.path)), Order("task", "a", "a", str(where)))
    place = Place(where, repo.env)
    place.commit("work", f=lines(5, "a"))
    return place


def lines(number: int, words: str) -> str:
    return "".join(f"{words if n == number else f'line {n}'}\n" for n in range(1, 11))


def do(repo: Place, **wanted: object) -> str:
    """Merge agent a, as `git ledger merge a` does; the commit that the target is at."""
    opened = discover(str(repo.path))
    found = Wanted(**wanted)
    return merge(plan_merge(opened, "a", found.onto), found).commit


def state(repo: Place) -> tuple[str, ...]:
    """Everything that a refused merge must leave as it was; the log may gain the refusal.

    What no hook saw (none is installed here) is recorded first.
    """
    reconcile(discover(str(repo.path)))
    refs = repo.git("for-each-ref", "--format=%(refname) %(objectname)")
    kept = [line for line in refs.splitlines() if AGENT not in line and "refs/notes" not in line]
    return (*kept, repo.git("status", "--porcelain"), repo.git("rev-parse", "HEAD"))


def told(repo: Place) -> list[tuple[str, object]]:
    """The events of agent a after its spawn."""
    events = logs.read(discover(str(repo.path)), AGENT).events
    return [(one.kind, one.body.get("decision") or one.body.get("merged")) for one in events[1:]]


def test_a_merge_moves_the_target_records_and_completes(repo: Place, a: Place) -> None:
    repo.commit("main moves", m="1\n")
    commit = do(repo)
    assert commit == repo.git("rev-parse", "main")
    assert repo.git("log", "-1", "--format=%s %p", commit).startswith("Merge branch 'a' ")
    assert told(repo) == [
        ("checked", "merged"),
        ("completed", {"into": "main", "commit": commit}),
    ]
    agent = look(discover(str(repo.path))).by_id["a"].agent
    assert (agent.status, agent.files) == ("completed", (("M", "f"),))
    assert agent.base == repo.git("rev-parse", "main~2")


def test_a_fast_forward_makes_no_commit(repo: Place, a: Place) -> None:
    assert do(repo) == a.git("rev-parse", "HEAD")


@pytest.mark.parametrize("start", ["main", "elsewhere", "detached"])
def test_a_target_that_is_checked_out_nowhere_is_merged_into_all_the_same(
    repo: Place, a: Place, start: str
) -> None:
    repo.commit("main moves", m="1\n")
    if start != "main":
        repo.git("checkout", "-q", *(["-b", "x"] if start == "elsewhere" else ["--detach"]))
    commit = do(repo, onto="main")
    assert repo.git("rev-parse", "main") == commit
    assert repo.git("show", f"{commit}:f") == lines(5, "a").strip()
    assert repo.git("status", "--porcelain") == ""


def test_a_conflict_is_refused_and_nothing_changes(repo: Place, a: Place) -> None:
    repo.commit("main moves", f=lines(5, "main"))
    before = state(repo)
    with pytest.raises(Found, match="'a' conflicts with 'main' over 'f'"):
        do(repo)
    assert state(repo) == before
    assert told(repo) == [("checked", "refused")]


def test_what_cannot_be_told_is_refused(repo: Place, a: Place) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("other root")
    before = state(repo)
    with pytest.raises(Undecided, match="unrelated histories"):
        do(repo, onto="other")
    assert state(repo) == before


def test_a_dirty_target_is_refused(repo: Place, a: Place) -> None:
    repo.write("f", lines(1, "dirty"))
    before = state(repo)
    with pytest.raises(Refused, match="has uncommitted changes"):
        do(repo)
    assert state(repo) == before
    assert told(repo) == []


def test_a_target_in_the_middle_of_a_merge_is_refused(repo: Place, a: Place) -> None:
    repo.git("checkout", "-q", "-b", "side", "main")
    repo.commit("side", s="1\n")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "--no-commit", "side")
    with pytest.raises(Refused, match="is in the middle of a merge"):
        do(repo)


def test_git_stopping_over_an_untracked_file_leaves_everything(repo: Place, a: Place) -> None:
    a.commit("new", new="theirs\n")
    repo.write("new", "mine\n")
    before = state(repo)
    with pytest.raises(Found, match="git merge stopped: .*untracked"):
        do(repo)
    assert state(repo) == before
    assert (repo.path / "new").read_text() == "mine\n"


def test_a_hook_that_refuses_the_merge_leaves_everything(repo: Place, a: Place) -> None:
    repo.commit("main moves", m="1\n")
    hook = repo.path / ".git" / "hooks" / "pre-merge-commit"
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    before = state(repo)
    with pytest.raises(Found, match="git merge stopped: not today"):
        do(repo)
    assert state(repo) == before


def test_an_override_leaves_the_conflict_standing_for_a_person(repo: Place, a: Place) -> None:
    repo.commit("main moves", f=lines(5, "main"))
    with pytest.raises(Found, match="git merge was left to you"):
        do(repo, override=True)
    assert repo.git("status", "--porcelain") == "UU f"
    assert told(repo) == [("checked", "override")]


def test_an_ended_agent_is_not_merged_again(repo: Place, a: Place) -> None:
    do(repo)
    with pytest.raises(LedgerError, match="cannot merge 'a': it is completed"):
        do(repo)


def test_only_a_branch_is_merged_into(repo: Place, a: Place) -> None:
    with pytest.raises(LedgerError, match="is not a branch"):
        do(repo, onto=repo.git("rev-parse", "main"))


def test_ff_only_is_gits(repo: Place, a: Place) -> None:
    repo.commit("main moves", m="1\n")
    before = state(repo)
    with pytest.raises(Found, match=r"git merge stopped: .*[Ff]ast-forward"):
        do(repo, only_fast_forward=True)
    assert state(repo) == before


def test_the_command_prints_the_commit_and_exits_by_the_table(repo: Place, a: Place) -> None:
    done = repo.ledger("merge", "a")
    assert (done.returncode, re.fullmatch(r"[0-9a-f]{40}\n", done.stdout) is not None) == (0, True)
    assert done.stderr == "fast-forward a into main; a is completed\n"


def test_a_refused_merge_tells_where_both_sides_meet(repo: Place, a: Place) -> None:
    repo.commit("main moves", f=lines(5, "main"))
    done = repo.ledger("merge", "a")
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "conflict  a into main\n    f  contents  line 5 against line 5\n",
        "error: 'a' conflicts with 'main' over 'f'\n"
        "hint: merge 'main' into the agent's branch and resolve there, "
        "or leave it to git with '--override'\n",
    )


def test_remove_takes_worktree_and_branch_and_keeps_the_work(repo: Place, a: Place) -> None:
    tip = a.git("rev-parse", "HEAD")
    do(repo, remove=True)
    assert not a.path.exists()
    assert repo.run("git", "rev-parse", "--verify", "-q", "refs/heads/a").returncode == 1
    assert repo.git("rev-parse", "refs/ledger/agents/a/head") == tip


def test_remove_is_refused_before_anything_when_the_worktree_is_dirty(
    repo: Place, a: Place
) -> None:
    a.write("f", "dirty\n")
    before = state(repo)
    with pytest.raises(Refused, match="has uncommitted changes"):
        do(repo, remove=True)
    assert state(repo) == before
