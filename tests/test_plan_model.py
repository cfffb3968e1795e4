"""The order that merges most: equal to the best of all orders on small sets, whatever merging does."""

from __future__ import annotations

import random
import time
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from gitledger.model.plan import Against, best_order, largest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAMES = "abcde"


def merging(stops: Callable[[frozenset[str], str], bool]):
    """States are the names merged, sorted."""

    def merge(steps: Sequence[tuple[str, str]]) -> list[str | None]:
        return [
            None if stops(frozenset(state), name) else "".join(sorted([*state, name]))
            for state, name in steps
        ]

    return merge


def best_of_all(names: Sequence[str], stops: Callable[[frozenset[str], str], bool]) -> int:
    return max(len(merged(order, stops)) for order in permutations(names))


def merged(order: Sequence[str], stops: Callable[[frozenset[str], str], bool]) -> set[str]:
    done: set[str] = set()
    for name in order:
        if not stops(frozenset(done), name):
            done.add(name)
    return done


def pairs_of(stops: Callable[[frozenset[str], str], bool]) -> Against:
    found: Against = {name: set() for name in NAMES}
    for a, b in combinations(NAMES, 2):
        if stops(frozenset(a), b) or stops(frozenset(b), a):
            found[a].add(b)
            found[b].add(a)
    return found


@given(st.integers(0, 10**9), st.floats(0, 0.6))
@settings(max_examples=150, deadline=None)
def test_no_order_of_a_few_merges_more(seed: int, share: float) -> None:
    """Merging may do anything at all: stop over three, or go again once a third is in."""

    def stops(done: frozenset[str], name: str) -> bool:
        return random.Random(f"{seed} {sorted(done)} {name}").random() < share

    order = best_order(NAMES, pairs_of(stops), "", merging(stops))
    assert len(order.merged) == best_of_all(NAMES, stops)
    assert merged(order.merged, stops) == set(order.merged)


def graph(rng: random.Random, count: int, conflicts: int) -> tuple[list[str], Against]:
    names = [str(n) for n in range(count)]
    against: Against = {one: set() for one in names}
    for a, b in rng.sample(list(combinations(names, 2)), conflicts):
        against[a].add(b)
        against[b].add(a)
    return names, against


@given(st.integers(0, 10**9), st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_of_thirty_no_random_order_of_two_hundred_merges_more(seed: int, conflicts: int) -> None:
    rng = random.Random(seed)
    names, against = graph(rng, 30, conflicts)

    def stops(done: frozenset[str], name: str) -> bool:
        return not against[name].isdisjoint(done)

    chosen = largest(names, against)
    assert not any(b in against[a] for a, b in combinations(chosen, 2))
    best = 0
    for _ in range(200):
        rng.shuffle(names)
        best = max(best, len(merged(names, stops)))
    assert len(chosen) >= best


def test_a_set_with_one_that_must_be_in_it() -> None:
    against = {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}}
    assert largest("abc", against) == ["b", "c"]
    assert largest("abc", against, must="a") == ["a"]


def test_sixty_branches_are_quick() -> None:
    names, against = graph(random.Random(3), 60, 200)
    start = time.process_time()
    largest(names, against)
    assert time.process_time() - start < 2
