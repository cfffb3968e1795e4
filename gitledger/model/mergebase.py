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
    bit = {tip: 1 << n for n, tip in enumerate(dict.fromkeys(t for pair in wanted for t in pair))}
    masks = {pair: bit[pair[0]] | bit[pair[1]] for pair in wanted}
    found: dict[tuple[str, str], list[str]] = {pair: [] for pair in wanted}
    reach: dict[str, int] = dict(bit)
    children: dict[str, list[int]] = {}
    for commit, parents in history:
        here = reach.get(commit, 0)
        above = children.pop(commit, [])
        if here not in above and here & (here - 1 if here else 0):
            for pair, mask in masks.items():
                if here & mask == mask and not any(one & mask == mask for one in above):
                    found[pair].append(commit)
        for parent in parents:
            reach[parent] = reach.get(parent, 0) | here
            children.setdefault(parent, []).append(here)
    for one, other in wanted:
        if one == other:
            found[one, other] = [one]
    return {pair: tuple(sorted(set(commits))) for pair, commits in found.items()}
