"""Which pairs of sides could meet at all: the others are clean, and git need not be asked.

The rule, proven on random merges (DESIGN section 4): with one merge base, two sides
can't conflict, and git merges them without a word, if no path is touched by both, none
of one is a directory above one of the other, and neither adds a path below a directory
that the other made disappear (git might move it along). Sides that touch a submodule
are left to git.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GITLINK = "160000"
Changes = tuple[tuple[str, str], ...]  # (created, modified or deleted; path), sorted by path
_LOOKS = 4  # pairs a side up to which looking at each is cheaper than an index

State = tuple[str, str] | None  # mode and object id; None where there is no such entry
_AS_THERE = ("", "")  # the state of what is as the reference has it
# A directory's key ends in "/", a file's does not; no key is the root.
States = dict[str, State]


@dataclass(eq=False, repr=False)
class Shape:
    """A commit's tree, told by how it differs from a reference tree: key to its own state.

    `absent` are the keys that only the reference has, `created` those that it has not.
    """

    states: States
    absent: frozenset[str]
    created: frozenset[str]

    @classmethod
    def of(cls, differences: Iterable[tuple[str, State, State]]) -> Shape:
        """From key, the reference's state, and the commit's own."""
        rows = list(differences)
        return cls(
            {key: new for key, _, new in rows},
            frozenset(key for key, _, new in rows if new is None),
            frozenset(key for key, old, _ in rows if old is None),
        )

    @cached_property
    def items(self) -> frozenset[tuple[str, State]]:
        """Hashed once, however many shapes it is compared with."""
        return frozenset(self.states.items())

    @cached_property
    def links(self) -> frozenset[str]:
        """Submodules that are others, or elsewhere, than in the reference."""
        return frozenset(key for key, one in self.states.items() if one and one[0] == GITLINK)


@dataclass(eq=False, repr=False)
class Touched:
    """What one side changed since a base, both as shapes of the same reference."""

    base: Shape
    side: Shape

    @cached_property
    def keys(self) -> frozenset[str]:
        """Files, and the directories above them (`dir/`)."""
        return frozenset([key for key, _ in self.base.items ^ self.side.items])

    def has(self, key: str) -> bool:
        """Whether the key is among `keys`, which need not be known for that."""
        return self.base.states.get(key, _AS_THERE) != self.side.states.get(key, _AS_THERE)

    def has_in_the_way_of(self, key: str) -> bool:
        """The same file; or a file where the other has a directory, or the other way round."""
        return self.has(key[:-1]) if key[-1] == "/" else self.has(key) or self.has(key + "/")

    @cached_property
    def files(self) -> frozenset[str]:
        return frozenset([key for key in self.keys if key[-1] != "/"])

    @cached_property
    def added(self) -> frozenset[str]:
        base, side = self.base, self.side
        return (side.created - base.created) | (base.absent - side.absent)

    @cached_property
    def gone(self) -> frozenset[str]:
        base, side = self.base, self.side
        return (side.absent - base.absent) | (base.created - side.created)

    @property
    def changes(self) -> Changes:
        return tuple((self._change(key), key) for key in sorted(self.files))

    def _change(self, key: str) -> str:
        return "created" if key in self.added else "deleted" if key in self.gone else "modified"

    @cached_property
    def gone_directories(self) -> frozenset[str]:
        return frozenset(key for key in self.gone if key.endswith("/"))

    @cached_property
    def places_added_to(self) -> frozenset[str]:
        """Every directory above a path that the side added."""
        return frozenset(one for key in self.added for one in above(key))

    def reaches(self, path: str) -> bool:
        """Whether the side changed what stands there, above it or below it."""
        higher = above(path)
        in_its_way = self.has_in_the_way_of(path) or any(map(self.has_in_the_way_of, higher))
        return in_its_way or not self.gone_directories.isdisjoint(higher)

    @cached_property
    def links(self) -> frozenset[str]:
        """Submodules that the side moved, made or removed."""
        moved = self.base.links | self.side.links
        return moved & self.keys if moved else moved


def above(key: str) -> list[str]:
    """`a/b/c` and `a/b/c/` to `a/`, `a/b/`."""
    parts = key.rstrip("/").split("/")
    return ["/".join(parts[:n]) + "/" for n in range(1, len(parts))]


def may_meet(one: Touched, other: Touched) -> bool:
    """Whether git must be asked, both counted from their only merge base."""
    if one.links or other.links:
        return True
    return (
        any(other.has_in_the_way_of(key) for key in one.keys)
        or _moved_along(one, other)
        or _moved_along(other, one)
    )


def _moved_along(one: Touched, other: Touched) -> bool:
    """Whether `one` adds below a directory that `other` made disappear."""
    return bool(other.gone_directories) and not other.gone_directories.isdisjoint(
        one.places_added_to
    )


def meeting(sides: Mapping[str, Touched], pairs: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """Of pairs with one common base those that may meet.

    By an index from path to sides, so that the cost follows what overlaps; where there
    are few pairs for that many sides, by a look at each.
    """
    if len(pairs) <= _LOOKS * len(sides):
        return _looked_at(sides, pairs)
    asked = _partners(pairs)
    met: dict[str, set[str]] = {name: set() for name in asked}
    for some, others in _meetings(sides):
        for name in some & asked.keys():
            met[name] |= asked[name] & others
    found = {(a, b) for a, b in pairs if b in met[a] or a in met[b]}
    linked = {name for name, one in sides.items() if one.links}
    return found | {pair for pair in pairs if linked.intersection(pair)} if linked else found


def _looked_at(
    sides: Mapping[str, Touched], pairs: Sequence[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Whoever is in most pairs is compared with each: only what it touched is told in full."""
    often = Counter(name for pair in pairs for name in pair)
    found = set()
    for a, b in pairs:
        first, second = (a, b) if often[a] >= often[b] else (b, a)
        if may_meet(sides[first], sides[second]):
            found.add((a, b))
    return found


def _partners(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for a, b in pairs:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return found


def _meetings(sides: Mapping[str, Touched]) -> Iterable[tuple[set[str], set[str]]]:
    """Two sets of sides for each place where every one of the first meets each of the second."""
    by_key: dict[str, set[str]] = {}
    gone: dict[str, set[str]] = {}
    for name, one in sides.items():
        for key in one.keys:
            by_key.setdefault(key, set()).add(name)
        for key in one.gone_directories:
            gone.setdefault(key, set()).add(name)
    for key, names in by_key.items():
        if not key.endswith("/"):
            together = names | by_key.get(key + "/", set())
            if len(together) > 1:
                yield names, together
    for key, names in gone.items():
        yield names, {name for name, one in sides.items() if key in one.places_added_to}
