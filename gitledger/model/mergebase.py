"""Every best common ancestor of many pairs at once, from one walk of the history.

A common ancestor of two tips is best when none of its children is one: whatever
lies between it and a better one would be common too. So one pass from children to
parents, with a bit for each tip, finds them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def merge_bases(
    history: Iterable[tuple[str, Sequence[str]]], pairs: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Pair of tips to its merge bases, sorted; empty where there is none.

    `history` gives each commit with its parents, children before parents.
    """
    wanted = list(dict.fromkeys(pairs))
    tips = list(dict.fromkeys(tip for pair in wanted for tip in pair))
    places = {tip: n for n, tip in enumerate(tips)}
    reach = {tip: 1 << n for tip, n in places.items()}
    children: dict[str, list[int]] = {}
    found: dict[tuple[int, int], list[str]] = {}
    for commit, parents in history:
        here = reach.get(commit, 0)
        above = children.pop(commit, [])
        if here not in above and here & (here - 1 if here else 0):
            for pair in _met_here(here, above):
                found.setdefault(pair, []).append(commit)
        for parent in parents:
            reach[parent] = reach.get(parent, 0) | here
            children.setdefault(parent, []).append(here)
    return {
        (a, b): (a,) if a == b else _sorted(found, sorted((places[a], places[b])))
        for a, b in wanted
    }


def _met_here(here: int, above: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Places of the pairs of tips that reach this commit, and together none of its children."""
    for place in _places(here):
        known = 0
        for child in above:
            if child >> place & 1:
                known |= child
        for other in _places((here & ~known) >> (place + 1)):
            yield place, place + 1 + other


def _places(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _sorted(found: dict[tuple[int, int], list[str]], pair: Sequence[int]) -> tuple[str, ...]:
    return tuple(sorted(set(found.get((pair[0], pair[1]), ()))))
