"""Branches whose change is in the target already, as other commits: said at the pair."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.git.repository import discover
from gitledger.services.judging import Asked, judge_all, judge_one
from gitledger.services.live import look
from tests.support import git_calls

if TYPE_CHECKING:
    from gitledger.services.squashed import Integrated
    from tests.support import Place

TEN = "".join(f"line {n}\n" for n in range(1, 11))


def edited(*lines: int, words: str) -> str:
    text = TEN
    for one in lines:
        text = text.replace(f"line {one}\n", f"{words}\n")
    return text


def known(repo: Place, name: str | None = None) -> dict[str, Integrated]:
    """By branch."""
    view = look(discover(str(repo.path)))
    judged = judge_one(view, name, Asked()) if name else judge_all(view, [], Asked())
    branches = {one.side.id: one.side.branch or "" for one in judged.forecast.facts}
    return {branches[side]: one for side, one in judged.integrated.items()}


@pytest.fixture
def squashed(repo: Place) -> Place:
    """Case 30: `a` and `b` squash-merged, then main goes on with a's lines, and b with a commit."""
    repo.commit("g", g=TEN)
    a, b = repo.worktree("a"), repo.worktree("b")
    a.commit("a1", f=edited(5, words="a"))
    a.commit("a2", f=edited(5, 6, words="a"))
    b.commit("b1", g=edited(5, words="b"))
    for name in ("a", "b"):
        repo.git("merge", "-q", "--squash", name)
        repo.commit(f"squash {name}")
    repo.commit("later", f=edited(5, 6, words="a then main"))
    b.commit("b2", b2="2\n")
    return repo


def lines(repo: Place, *words: str) -> list[str]:
    told = repo.ledger(*words).stdout
    for one in json.loads(repo.ledger("list", "--json").stdout)["agents"]:
        told = told.replace(one["id"], one["branch"])
    return [" ".join(line.split()) for line in told.splitlines()]


def test_it_is_said_at_the_pair_and_the_verdict_stays_gits(squashed: Place) -> None:
    first, second = (squashed.git("rev-parse", f"main~{n}") for n in (2, 1))
    told = lines(squashed, "conflicts")
    notes = [one for one in told if one.startswith(("conflict", "note"))]
    b2 = squashed.git("rev-parse", "--short=12", "b")
    assert notes == [
        f"conflict a into main (a is already in main as {first[:12]})",
        f"note: a: already in main as {first}",
        f"note: b: already in main as {second}, but for 1 commit, {b2}",
    ]
    assert squashed.ledger("check", "a").returncode == 1
    assert squashed.run("git", "merge", "-q", "a").returncode == 1


def test_what_a_branch_has_beyond_it_is_named(squashed: Place) -> None:
    found = known(squashed)
    assert (found["a"].whole, found["b"].whole) == (True, False)
    assert found["b"].left == (squashed.git("rev-parse", "b"),)
    assert known(squashed, "b") == {"b": found["b"]}


def test_of_two_agents_the_one_that_is_in_is_named(squashed: Place) -> None:
    c = squashed.worktree("c", "c", "main~3")
    c.commit("c", f=edited(5, words="c"))
    commit = squashed.git("rev-parse", "main~2")
    assert f"conflict a with c (a is already in main as {commit[:12]})" in lines(
        squashed, "conflicts"
    )
    for words in (("conflicts",), ("check", "c", "--others")):
        pairs = json.loads(squashed.ledger(*words, "--json").stdout)["pairs"]
        said = [(one["a"][0], (one["b"] or "")[:1], one["integrated"]) for one in pairs
                if "integrated" in one]  # fmt: skip
        assert said == (
            [("a", "", commit), ("a", "c", {"a": commit})]
            if words == ("conflicts",)
            else [("c", "a", {"b": commit})]
        )


def test_uncommitted_work_on_top_is_not_in(squashed: Place) -> None:
    squashed.at("../a").write("f", edited(7, words="more"))
    (told,) = [one for one in lines(squashed, "conflicts") if one.startswith("conflict")]
    assert "(the commits of a are already in main as " in told


def test_the_plan_says_why_nothing_is_lost(squashed: Place) -> None:
    commit = squashed.git("rev-parse", "main~2")
    assert f"left out a (already in main as {commit[:12]})" in lines(squashed, "plan")
    told: dict[str, Any] = json.loads(squashed.ledger("plan", "--json").stdout)
    assert [one["integrated"] for one in told["left"]] == [commit]


def test_commits_that_were_picked_or_rebased(repo: Place) -> None:
    a = repo.worktree("a")
    a.commit("a1", f=edited(1, words="a"))
    a.commit("a2", f=edited(1, 9, words="a"))
    repo.commit("between", x="1\n")
    repo.git("cherry-pick", "main..a")
    last = repo.git("rev-parse", "main")
    repo.commit("later", f=edited(1, 9, words="main"))
    found = known(repo)["a"]
    assert (found.commit, found.left) == (last, ())


def test_a_merged_agent_is_told_where_it_conflicts_with_another(repo: Place) -> None:
    for name in ("a", "b"):
        repo.worktree(name).commit(name, f=edited(5, words=name))
    repo.git("merge", "-q", "--no-ff", "--no-edit", "a")
    commit = repo.git("rev-parse", "main")
    told = lines(repo, "conflicts")
    assert [one for one in told if one.startswith(("conflict", "note"))] == [
        f"conflict a with b (a is already in main as {commit[:12]})",
        "conflict b into main",
    ]


def reverted(repo: Place) -> None:
    repo.git("merge", "-q", "--squash", "a")
    repo.commit("squash")
    repo.git("revert", "--no-edit", "HEAD")
    repo.commit("later", f=edited(5, words="main"))


def redone(repo: Place) -> None:
    """What `a` does was on main before it began, and was taken back there."""
    a = repo.at("../a")
    repo.commit("first", f=edited(5, words="a"))
    repo.git("revert", "--no-edit", "HEAD")
    a.git("reset", "-q", "--hard", "main")
    a.commit("again", f=edited(5, words="a"))
    repo.commit("later", f=edited(5, words="main"))


def otherwise(repo: Place) -> None:
    repo.commit("later", f=edited(5, words="main"))


def unrelated(repo: Place) -> None:
    a = repo.at("../a")
    a.git("checkout", "-q", "--orphan", "new")
    a.git("commit", "-q", "-m", "anew")
    a.git("branch", "-M", "new", "a")
    repo.commit("later", f=edited(5, words="main"))


@pytest.mark.parametrize("what", [reverted, redone, otherwise, unrelated])
def test_what_is_not_in_the_target_is_not_said_to_be(repo: Place, what: Any) -> None:
    repo.worktree("a").commit("a", f=edited(5, words="a"))
    what(repo)
    assert known(repo) == {}
    assert repo.ledger("check", "a").returncode in {1, 3}


def test_patches_are_made_of_what_has_the_same_files_alone(repo: Place) -> None:
    """Of long branches, and of a target with many commits, they took most of the time."""
    place = repo.worktree("long")
    for number in range(4):
        place.commit(f"long {number}", f=edited(number + 1, words="long"))
    repo.commit("f and h", f=edited(1, 2, words="main"), h="1\n")
    patches = "git diff-tree -r -p "
    assert [one for one in git_calls(repo, "plan") if one.startswith(patches)] == []
    repo.commit("f", f=edited(1, 2, words="else"))
    asked = [one for one in git_calls(repo, "plan") if one.startswith(patches)]
    assert ["--root" in one for one in asked] == [True, False]
