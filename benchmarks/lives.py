"""The branches of a real history, and which of them were alive at the same time.

The trunk is what the first parents of HEAD lead to. A branch is what a merge brought into
it: it lives from its first commit to that merge. A pull request that was never merged
lives from its first commit until two weeks after its last: when it was closed git does not know.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import histories as h

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPEN = 14 * 24 * 3600  # seconds that a pull request stands open after its last commit


@dataclass(frozen=True)
class Commit:
    """A commit of the history, its time in Unix seconds."""

    id: str
    time: int
    parents: tuple[str, ...]


@dataclass(frozen=True)
class Life:
    """One branch: its last commit, the place of its merge in the trunk, and its time.

    `seen` is the place of the newest trunk commit that the branch contains.
    """

    tip: str
    place: int
    born: int
    gone: int
    seen: int


@dataclass(frozen=True)
class Moment:
    """A trunk commit, and the tips of branches that were alive and unmerged just then."""

    target: str
    tips: tuple[str, ...]


def history(repository: Path, *which: str) -> list[Commit]:
    """All that HEAD contains, or that was asked for, parents first."""
    form = ("--format=%H %ct %P", "--topo-order", "--reverse")
    rows = h.git(repository, "log", *form, *(which or ("HEAD",))).stdout.decode().splitlines()
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
    seen = _seen(commits, line)
    known = {one.id: one for one in commits}
    taken = {one.id for one in line}
    found = []
    for place, merge in enumerate(line):
        own = _brought(merge, known, taken)
        if own and len(merge.parents) == 2:
            tip = merge.parents[1]
            found.append(Life(tip, place, min(own), merge.time, seen[tip]))
    return found


def unmerged(repository: Path, commits: list[Commit]) -> list[Life]:
    """The pull requests that begin in what HEAD contains, and are in no branch."""
    line = trunk(commits)
    there = {one.id for one in commits}
    rest = history(repository, "--glob=refs/pull", "--not", "HEAD", "--branches")
    seen = _seen([*commits, *rest], line)
    known = {one.id: one for one in rest}
    refs = h.git(repository, "for-each-ref", "--format=%(objectname)", "refs/pull")
    found = []
    for name in sorted(known.keys() & set(refs.stdout.decode().split())):
        own = _own(known[name], known)
        if there.issuperset(own[-1].parents[:1]) and own[-1].parents:
            born = min(one.time for one in own)
            found.append(Life(name, len(line), born, own[0].time + OPEN, seen[name]))
    return found


def _seen(commits: list[Commit], line: list[Commit]) -> dict[str, int]:
    """The place of the newest trunk commit that each contains; -1 where there is none."""
    places = {one.id: n for n, one in enumerate(line)}
    found: dict[str, int] = {}
    for one in commits:
        above = max((found.get(parent, -1) for parent in one.parents), default=-1)
        found[one.id] = places.get(one.id, above)
    return found


def _own(tip: Commit, known: dict[str, Commit]) -> list[Commit]:
    """The branch's own commits, by first parents, the last first."""
    found = [tip]
    while found[-1].parents and found[-1].parents[0] in known:
        found.append(known[found[-1].parents[0]])
    return found


def _brought(merge: Commit, known: dict[str, Commit], taken: set[str]) -> list[int]:
    """The times of the commits that no trunk commit before had; from then on they are taken."""
    found, left = [], list(merge.parents[1:])
    while left:
        name = left.pop()
        if name not in taken:
            taken.add(name)
            found.append(known[name].time)
            left += known[name].parents
    return found


def alive(all_lives: list[Life], line: list[Commit], place: int) -> list[Life]:
    """Those that had begun, and were not merged yet, just before the next trunk commit.

    None contains anything of the trunk from there on, so no merge of another of them.
    """
    when = line[place + 1].time
    there = [one for one in all_lives if one.seen <= place < one.place]
    return [
        one for one in there if one.born <= when and (when <= one.gone or one.place < len(line))
    ]


def moments(repository: Path, most: int, seed: int, *, everybody: bool = False) -> Iterator[Moment]:
    """Random moments, each with up to so many of the branches that were alive.

    With `everybody` those too that were never merged.
    """
    rng = random.Random(seed)
    commits = history(repository)
    line, known = trunk(commits), lives(commits)
    places = [one.place - 1 for one in known]
    rng.shuffle(places)
    if everybody:
        known += unmerged(repository, commits)
    for place in places:
        tips = sorted({one.tip for one in alive(known, line, place)})
        if len(tips) > 1:
            chosen = rng.sample(tips, min(most, len(tips)))
            yield Moment(line[place].id, tuple(sorted(chosen)))
