"""In which order the most branches merge: pure, with merging itself left to the caller.

Two branches that conflict can't both merge, so the branches to merge are a largest set
without such a pair; what merging them really does is then tried, since three can collide
where no two do, and one can make way for another. A few branches are tried in every order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    # From (state, branch) to the state after the merge; None where it stops.
    Merge = Callable[[Sequence[tuple[str, str]]], Sequence[str | None]]

FEW = 6  # branches that are tried in every order
ATTEMPTS = 6  # sets that are tried of more

Against = dict[str, set[str]]  # branch to those it conflicts with


@dataclass(frozen=True)
class Order:
    """What was merged, one after another, and the state that it led to."""

    merged: tuple[str, ...]
    state: str


def best_order(names: Sequence[str], against: Against, start: str, merge: Merge) -> Order:
    """The order that merges most. `names` in the order to prefer among equals.

    Of up to FEW branches no order merges more. Of many none does where a set of
    branches merges as its pairs do.
    """
    best = Order((), start)
    banned: set[str] = set()
    for _ in range(ATTEMPTS):
        chosen = largest([one for one in names if one not in banned], against)
        if len(chosen) + len(banned) < len(best.merged) or (banned and not chosen):
            break
        tried, failed = simulate(chosen, names, start, merge)
        best = max(best, tried, key=lambda one: len(one.merged))
        if failed is None or len(best.merged) == len(names):
            break
        banned.add(failed)
    if len(best.merged) < len(names) <= FEW:
        best = max(best, _every_order(names, start, merge), key=lambda one: len(one.merged))
    return best


def largest(
    names: Sequence[str], against: Mapping[str, Collection[str]], must: str | None = None
) -> list[str]:
    """A largest set without two that conflict, in the order of `names`; with `must` in it."""
    place = {name: n for n, name in enumerate(names)}
    foes = [sum(1 << place[f] for f in against.get(name, ()) if f in place) for name in names]
    whole = (1 << len(names)) - 1
    if must is not None and must in place:
        whole &= ~foes[place[must]]
    found = _grow(whole, foes, {})
    return [name for name in names if found >> place[name] & 1]


def _grow(left: int, foes: Sequence[int], known: dict[int, int]) -> int:
    """The branches are taken while none is against them; else one is in the set or is not."""
    if not left:
        return 0
    if left not in known:
        known[left] = _grown(left, foes, known)
    return known[left]


def _grown(left: int, foes: Sequence[int], known: dict[int, int]) -> int:
    places = [n for n in range(left.bit_length()) if left >> n & 1]
    worst = max(places, key=lambda n: ((foes[n] & left).bit_count(), n))
    if not foes[worst] & left:
        return left
    friend = next((n for n in places if (foes[n] & left).bit_count() <= 1), None)
    if friend is not None:  # at most one is against it: taking it is never wrong
        return 1 << friend | _grow(left & ~(1 << friend) & ~foes[friend], foes, known)
    without = _grow(left & ~(1 << worst), foes, known)
    with_it = 1 << worst | _grow(left & ~(1 << worst) & ~foes[worst], foes, known)
    return max(without, with_it, key=lambda one: (one.bit_count(), -one))


def simulate(
    chosen: Sequence[str], names: Sequence[str], start: str, merge: Merge
) -> tuple[Order, str | None]:
    """Merge the chosen, then whatever of the rest still goes; and the first chosen that did not."""
    order, failed = Order((), start), None
    for name in chosen:
        (state,) = merge([(order.state, name)])
        if state is None:
            failed = failed or name
        else:
            order = Order((*order.merged, name), state)
    return _rest(order, names, merge), failed


def _rest(order: Order, names: Sequence[str], merge: Merge) -> Order:
    """One that another stood in the way of may go once a third is in."""
    while left := [one for one in names if one not in order.merged]:
        states = merge([(order.state, one) for one in left])
        found = next(((n, s) for n, s in zip(left, states, strict=True) if s is not None), None)
        if found is None:
            break
        order = Order((*order.merged, found[0]), found[1])
    return order


def _every_order(names: Sequence[str], start: str, merge: Merge) -> Order:
    """All that can be reached, level by level; what two orders lead to alike counts once."""
    level = {(frozenset[str](), start): Order((), start)}
    best = Order((), start)
    while level:
        best = next(iter(level.values()))
        steps = [(one, name) for one in level.values() for name in names if name not in one.merged]
        states = merge([(one.state, name) for one, name in steps])
        level = {}
        for (one, name), state in zip(steps, states, strict=True):
            if state is not None:
                after = Order((*one.merged, name), state)
                level.setdefault((frozenset(after.merged), state), after)
    return best
