"""Which pairs git need not be asked about: the rule, by each of its conditions."""

from __future__ import annotations

import time
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitledger.model.candidates import Shape, Touched, may_meet, meeting

if TYPE_CHECKING:
    import random

OLD, NEW, LINK = ("100644", "old"), ("100644", "new"), ("160000", "link")
TREE = ("040000", "tree")
NOTHING = Shape.of([])


def touched(*changes: str) -> Touched:
    """`+path` added, `-path` removed, `path` changed, `@path` a submodule; `dir/` likewise."""
    rows = []
    for one in changes:
        sign, path = (one[0], one[1:]) if one[0] in "+-@" else ("", one)
        there = TREE if path.endswith("/") else LINK if sign == "@" else NEW
        rows.append((path, None if sign == "+" else OLD, None if sign == "-" else there))
    return Touched(NOTHING, Shape.of(rows))


MEET = {
    "the same file": (["d/", "d/f"], ["d/", "d/f"]),
    "a file where the other has a directory": (["+n"], ["+n/", "+n/m"]),
    "a new file below a removed directory": (["-d/", "-d/f"], ["d/", "+d/new"]),
    "a new file deep below a removed directory": (["-d/", "-d/f"], ["d/", "+d/e/", "+d/e/new"]),
    "a submodule on one side": (["@sub"], ["f"]),
}
APART = {
    "different files of one directory": (["d/", "d/f"], ["d/", "d/g"]),
    "names that begin alike": (["d"], ["d.txt"]),
    "a new file in a directory of which one is removed": (["d/", "-d/f"], ["d/", "+d/new"]),
    "a removed directory, and a change elsewhere": (["-d/", "-d/f"], ["e/", "+e/f"]),
    "nothing on one side": ([], ["f"]),
}


@pytest.mark.parametrize("case", MEET, ids=list(MEET))
def test_these_are_asked_of_git(case: str) -> None:
    one, other = (touched(*side) for side in MEET[case])
    assert may_meet(one, other)
    assert may_meet(other, one)


@pytest.mark.parametrize("case", APART, ids=list(APART))
def test_these_are_not(case: str) -> None:
    one, other = (touched(*side) for side in APART[case])
    assert not may_meet(one, other)
    assert not may_meet(other, one)


def test_what_lies_between_two_shapes_is_what_differs_in_them() -> None:
    """Counted through the reference, which is neither of the two."""
    base = Shape.of([("a", OLD, NEW), ("b", OLD, None), ("c", None, NEW)])
    side = Shape.of([("a", OLD, NEW), ("d", None, NEW)])
    found = Touched(base, side)
    assert found.changes == (("created", "b"), ("deleted", "c"), ("created", "d"))


paths = st.sampled_from(["f", "g", "n", "n/m", "d/f", "d/g", "d/e/f"])
sides = st.lists(st.tuples(paths, st.sampled_from(["+", "-", ""])), max_size=3)


@given(st.lists(sides, min_size=4, max_size=14), st.randoms(use_true_random=False))
def test_the_index_finds_what_looking_at_each_pair_finds(many: list, rng: random.Random) -> None:
    """Whichever pairs are asked about, a few or all, and whoever is ours."""
    shaped = {str(n): with_directories(one) for n, one in enumerate(many)}
    all_pairs = [rng.choice([(a, b), (b, a)]) for a, b in combinations(shaped, 2)]
    for pairs in (all_pairs, rng.sample(all_pairs, rng.randrange(len(all_pairs)))):
        expected = {(a, b) for a, b in pairs if may_meet(shaped[a], shaped[b])}
        assert meeting(shaped, pairs) == expected


def test_what_all_have_touched_costs_no_more_than_the_pairs_that_are_asked_about() -> None:
    """As where each forked later than the one before: all took in what the target did."""
    common = [f"log/{n}" for n in range(200)]
    shaped = {str(n): touched(*common, f"own{n}") for n in range(100)}
    shaped["first"] = touched("own7", "elsewhere")
    star = [("first", name) for name in shaped if name != "first"]
    everything = list(combinations(shaped, 2))
    start = time.process_time()
    assert meeting(shaped, star) == {("first", "7")}
    assert len(meeting(shaped, everything)) == 100 * 99 // 2 + 1
    assert time.process_time() - start < 0.6


def with_directories(changes: list[tuple[str, str]]) -> Touched:
    """As diff-tree tells it: a directory is gone only when nothing is left in it."""
    rows = dict(changes)
    above = {path[: n + 1] for path in rows for n, char in enumerate(path) if char == "/"}
    gone = {one for one in above if all(s == "-" for p, s in rows.items() if p.startswith(one))}
    told = [f"-{one}" if one in gone else one for one in sorted(above)]
    return touched(*told, *(sign + path for path, sign in rows.items()))
