"""What the replay of real histories takes for branches alive at once, and for the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.lives import OPEN, alive, history, lives, moments, trunk, unmerged
from benchmarks.replay import Replay, enough, real_merges
from benchmarks.truth import Truth, difference, really_merge
from gitledger.model.verdict import CLEAN, Pair
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from pathlib import Path


class Clock:
    """A repository in which every commit is a minute later than the one before."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.minutes = 0

    def _then(self) -> Place:
        self.minutes += 1
        when = {"GIT_COMMITTER_DATE": f"@{1_700_000_000 + 60 * self.minutes} +0000"}
        return Place(self.place.path, self.place.env | when)

    def commit(self, branch: str, start: str | None = None) -> str:
        words = ("-b", branch, start) if start else (branch,)
        self.place.git("checkout", "-q", *words)
        return self._then().commit(branch, **{f"{branch}{self.minutes}": "x\n"})

    def merge(self, branch: str, into: str = "main") -> None:
        self.place.git("checkout", "-q", into)
        self._then().git("merge", "-q", "--no-ff", "--no-edit", branch)


@pytest.fixture
def told(repo: Place) -> tuple[Path, dict[str, str]]:
    """`a` and `b` side by side, `c` begun when `a` was in, and `b` takes main in at its end."""
    clock = Clock(repo)
    start = {"GIT_COMMITTER_DATE": "@1700000000 +0000"}
    repo.git("commit", "-q", "--amend", "--no-edit", "--date=@1 +0000", env=start)
    clock.commit("a", "main")
    clock.commit("b", "main")
    tips = {"a": clock.commit("a")}
    clock.merge("a")
    tips["c"] = clock.commit("c", "main")
    clock.commit("b")
    clock.commit("main")
    clock.merge("c")
    clock.merge("main", into="b")
    tips["b"] = clock.commit("b")
    clock.merge("b")
    clock.commit("open", "main")
    tips["open"] = clock.commit("open")
    repo.git("checkout", "-q", "main")
    repo.git("update-ref", "refs/pull/1/head", "open")
    repo.git("branch", "-q", "-D", "open")
    return repo.path, {oid: name for name, oid in tips.items()}


def test_a_branch_lives_from_its_first_commit_to_its_merge(
    told: tuple[Path, dict[str, str]],
) -> None:
    where, names = told
    commits = history(where)
    line = trunk(commits)
    minute = [(one.time - 1_700_000_000) // 60 for one in line]
    assert minute == [0, 4, 7, 8, 11]
    found = [
        (names[one.tip], one.place, (one.born - 1_700_000_000) // 60, one.seen)
        for one in lives(commits)
    ]
    assert found == [("a", 1, 1, 0), ("c", 3, 5, 1), ("b", 4, 2, 3)]


def test_one_that_was_never_merged_lives_a_while_after_its_last_commit(
    told: tuple[Path, dict[str, str]],
) -> None:
    where, names = told
    found = [
        (names[one.tip], one.place, (one.born - 1_700_000_000) // 60, (one.gone - one.born) // 60)
        for one in unmerged(where, history(where))
    ]
    assert found == [("open", 5, 12, OPEN // 60 + 1)]


def test_those_are_alive_together_that_contain_nothing_of_the_other_s_merge(
    told: tuple[Path, dict[str, str]],
) -> None:
    """`b` as it was merged contains `a` and `c`: it is no branch beside them."""
    where, names = told
    commits = history(where)
    found = {
        place: {names[one.tip] for one in alive(lives(commits), trunk(commits), place)}
        for place in range(4)
    }
    assert found == {0: {"a"}, 1: {"c"}, 2: {"c"}, 3: {"b"}}
    assert list(moments(where, 12, 1)) == []


def test_two_that_are_alive_are_judged_and_merged(repo: Place, tmp_path: Path) -> None:
    clock = Clock(repo)
    clock.commit("a", "main")
    clock.commit("b", "main")
    clock.commit("main")
    clock.merge("a")
    clock.merge("b")
    found = enough(repo.path, 10, 1)
    assert [len(fresh) for _, fresh in found] == [1]
    replay = Replay(repo.path, tmp_path)
    for moment, fresh in found:
        replay.moment(moment, fresh)
    assert replay.wrong == []
    assert replay.counts == {
        "pairs alive": 1,
        "with the target then": 2,
        "clean": 3,
        "not asked of git": 3,
        "several bases": 0,
        "agree": 3,
    }
    assert [one.theirs for one in real_merges(repo.path, 1)] == [repo.git("rev-parse", "b")]


@pytest.mark.parametrize("missing", ["ours", "theirs"])
def test_a_merge_that_could_not_be_checked_out_is_neither_right_nor_wrong(
    tmp_path: Path, env: dict[str, str], missing: str
) -> None:
    """As in a copy that was made without its largest files: no merge needs them."""
    repo = new_repository(tmp_path / "r", env)
    repo.git("checkout", "-q", "-b", "theirs")
    repo.commit("theirs", big="theirs\n")
    repo.git("checkout", "-q", "-b", "ours", "main")
    repo.commit("ours", large="ours\n")
    blob = repo.git("rev-parse", "theirs:big" if missing == "theirs" else "ours:large")
    ours, theirs = repo.git("rev-parse", "ours", "theirs").split()
    repo.git("checkout", "-q", "main")
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    truth = really_merge(repo.path, ours, theirs)
    assert (truth.clean, truth.told) == (None, False)
    assert really_merge(repo.path, *[repo.git("rev-parse", "main")] * 2) == Truth(clean=True)


def test_where_git_breaks_only_unknown_is_right() -> None:
    broken = Truth(None, said=b"Assertion failed")
    assert difference(Pair("a", "b", "unknown", reason="git failed"), broken) is None
    assert difference(Pair("a", "b", CLEAN), broken) == "git broke b'Assertion failed'"
