"""The branches of a real history, and which of them were alive at the same time.

The trunk is what the first parents of HEAD lead to. A branch is what a merge brought into
it: it lives from its first commit to that merge.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import histories as h

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True)
class Commit:
    """A commit of the history, its time in Unix seconds."""

    id: str
    time: int
    parents: tuple[str, ...]


@dataclass(frozen=True)
class Life:
    """One branch: its last commit, the place of its merge in the trunk, and when it began.

    `seen` is the place of the newest trunk commit that the branch contains.
    """

    tip: str
    place: int
    born: int
    seen: int


@dataclass(frozen=True)
class Moment:
    """A trunk commit, and the tips of branches that were alive and unmerged just then."""

    target: str
    tips: tuple[str, ...]


def history(repository: Path) -> list[Commit]:
    """All that HEAD contains, parents first."""
    form = ("--format=%H %ct %P", "--topo-order", "--reverse")
    rows = h.git(repository, "log", *form, "HEAD").stdout.decode().splitlines()
    return [Commit(one, int(when), tuple(above)) for one, when, *above in map(str.split, rows)]


def trunk(commits: list[Commit]) -> list[Commit]:
    """From the root to HEAD, by first parents."""
    known = {one.id: one for one in commits}
    found = [commits[-1]]
    while found[-1].parents:
        found.append(known[found[-1].parents[0]])
    return found[::-1]


def lives(commits: list[Commit]) -> list[Life]:
    """The branches that two-parent merges brought into the trunk, in the order of these merges."""
    line = trunk(commits)
    places = {one.id: n for n, one in enumerate(line)}
    seen: dict[str, int] = {}
    for one in commits:
        above = max((seen[parent] for parent in one.parents), default=-1)
        seen[one.id] = places.get(one.id, above)
    known = {one.id: one for one in commits}
    taken = set(places)
    found = []
    for place, merge in enumerate(line):
        own = _brought(merge, known, taken)
        if own and len(merge.parents) == 2:
            tip = merge.parents[1]
            found.append(Life(tip, place, min(one.time for one in own), seen[tip]))
    return found


def _brought(merge: Commit, known: dict[str, Commit], taken: set[str]) -> list[Commit]:
    """The commits that no trunk commit before this one had; from then on they are taken."""
    found, left = [], list(merge.parents[1:])
    while left:
        name = left.pop()
        if name not in taken:
            taken.add(name)
            found.append(known[name])
            left += known[name].parents
    return found


def alive(all_lives: list[Life], line: list[Commit], place: int) -> list[Life]:
    """Those that had begun, and were not merged yet, just before the next trunk commit.

    None contains anything of the trunk from there on, so no merge of another of them.
    """
    when = line[place + 1].time
    return [one for one in all_lives if one.seen <= place < one.place and one.born <= when]


def moments(commits: list[Commit], most: int, seed: int) -> Iterator[Moment]:
    """Random moments, each with up to so many of the branches that were alive."""
    rng = random.Random(seed)
    line, known = trunk(commits), lives(commits)
    places = [one.place - 1 for one in known]
    rng.shuffle(places)
    for place in places:
        tips = sorted({one.tip for one in alive(known, line, place)})
        if len(tips) > 1:
            yield Moment(line[place].id, tuple(sorted(rng.sample(tips, min(most, len(tips))))))
