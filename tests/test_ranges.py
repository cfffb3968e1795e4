from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.ranges import (
    Change,
    Range,
    changes,
    diff_stat,
    files_between,
    files_of,
    landing,
    line_counts,
    ranges,
)
from gitledger.git.repository import Repository, discover

if TYPE_CHECKING:
    from tests.support import Place


@pytest.fixture
def seen(repo: Place) -> Repository:
    return discover(str(repo.path))


def branch(repo: Place, name: str, start: str = "main") -> None:
    repo.git("switch", "-q", "-c", name, start)


def test_each_tip_has_what_the_target_has_not(repo: Place, seen: Repository) -> None:
    fork = repo.git("rev-parse", "main")
    branch(repo, "a")
    first, second = repo.commit("a1", a="1"), repo.commit("a2", a="2")
    branch(repo, "b")
    third = repo.commit("b1", b="1")
    repo.git("switch", "-q", "main")
    tip = repo.commit("m1", m="1")
    assert ranges(seen, tip, [second, third, fork, tip]) == {
        second: Range(fork, (second, first)),
        third: Range(fork, (third,)),
        fork: Range(fork, ()),
        tip: Range(tip, ()),
    }


def test_a_branch_that_took_the_target_in_starts_from_there(repo: Place, seen: Repository) -> None:
    branch(repo, "a")
    first = repo.commit("a1", a="1")
    repo.git("switch", "-q", "main")
    tip = repo.commit("m1", m="1")
    repo.git("switch", "-q", "a")
    repo.git("merge", "-q", "--no-edit", "main")
    merge = repo.git("rev-parse", "HEAD")
    assert ranges(seen, tip, [merge]) == {merge: Range(tip, (merge, first))}
    assert changes(seen, [(tip, merge)]) == [[Change("A", "a")]]


def test_unrelated_histories_have_no_base(repo: Place, seen: Repository) -> None:
    tip = repo.git("rev-parse", "main")
    repo.git("switch", "-q", "--orphan", "alone")
    lone = repo.commit("alone", x="1")
    assert ranges(seen, tip, [lone]) == {lone: Range(None, (lone,))}


def test_changes_of_many_pairs_in_their_order(repo: Place, seen: Repository) -> None:
    base = repo.git("rev-parse", "main")
    repo.git("mv", "f", "g")
    moved = repo.commit("move", new="1\n")
    empty = repo.commit("nothing")
    odd = repo.commit("odd", **{"a b\nc": "1", "d" * 40: "2\n3\n"})
    pairs = [(base, moved), (moved, empty), (moved, empty), (empty, odd)]
    assert changes(seen, pairs) == [
        [Change("D", "f"), Change("A", "g"), Change("A", "new")],
        [],
        [],
        [Change("A", "a b\nc"), Change("A", "d" * 40)],
    ]
    assert changes(seen, [(base, moved)], renames=True) == [
        [Change("R", "g", "f"), Change("A", "new")]
    ]
    assert line_counts(seen, empty, odd) == (3, 0)
    assert diff_stat(seen, base, moved) == (
        " f => g | 0\n new    | 1 +\n 2 files changed, 1 insertion(+)"
    )
    assert diff_stat(seen, moved, empty) == ""


def test_a_missing_commit_has_no_answer_and_takes_none_away(repo: Place, seen: Repository) -> None:
    tip = repo.git("rev-parse", "main")
    assert changes(seen, [("1" * 40, "2" * 40), (tip, tip), (tip, "3" * 40)]) == [None, [], None]


def test_where_a_branch_landed(repo: Place, seen: Repository) -> None:
    branch(repo, "a")
    a = repo.commit("a1", a="1")
    repo.git("switch", "-q", "main")
    repo.commit("m1", m="1")
    repo.git("merge", "-q", "--no-ff", "--no-edit", "a")
    merge = repo.git("rev-parse", "HEAD")
    branch(repo, "b")
    b = repo.commit("b1", b="1")
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--ff-only", "b")
    tip = repo.commit("m2", m="2")
    assert landing(seen, a, tip) == merge
    assert landing(seen, b, tip) == b
    assert landing(seen, tip, tip) == tip


def test_files_between_commits_whatever_they_are_called(repo: Place, seen: Repository) -> None:
    """As a status, as the commit that is asked about next, or as the end of such a name."""
    base = repo.git("rev-parse", "main")
    branch(repo, "b")
    second = repo.commit("b", M="1", A="1")
    branch(repo, "a", "main")
    names = ["M", second, f"x{second}", f"d/{second}", "\n", "\udcff"]
    for name in names:
        repo.write(name, "1")
    first = repo.commit("a")
    spans = [(base, first), (base, second), (second, second), (first, second), ("0" * 40, base)]
    found = files_between(seen, spans)
    mine = {name.encode("utf-8", "surrogateescape") for name in names}
    assert [found[span] for span in spans] == [
        mine,
        {b"M", b"A"},
        set(),
        mine - {b"M"} | {b"A"},
        set(),
    ]
    assert files_between(seen, spans[-1:]) == {spans[-1]: set()}
    assert files_between(seen, []) == files_of(
        seen, [repo.git("rev-list", "--max-parents=0", base)]
    )
    assert files_of(seen, [first, second, base]) == {first: mine, second: {b"M", b"A"}}
