"""What is foreseen of two sides, as plain values. Source: DESIGN section 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CLEAN, OVERLAP, CONFLICT, UNKNOWN = "clean", "overlap", "conflict", "unknown"
UNRELATED = "no merge base: unrelated histories"  # the one unknown that the commits themselves make
_WORST_FIRST = (CONFLICT, UNKNOWN, OVERLAP, CLEAN)
_EXIT = {CONFLICT: 1, UNKNOWN: 3, OVERLAP: 0, CLEAN: 0}

Lines = tuple[tuple[int, int], ...]  # first and last line, counted from 1; (n, n - 1) is empty


class PathConflict(NamedTuple):
    """One path over which git would stop; `kind` in git's words.

    The line ranges are each side's own, where both have text. `via` is `target`
    where the conflict is over what the target changed, not an agent. `sort` tells a
    lock file, an LFS pointer or a generated file. `moved_to` are the names under which
    git would leave it beside what is in its way; `beside` what else git names with it,
    such as what it was renamed from; `origin` the object that the base has of it.
    """

    path: str
    kind: str
    a_lines: Lines | None = None
    b_lines: Lines | None = None
    sort: str | None = None
    via: str | None = None
    moved_to: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    origin: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.path, *self.beside)

    def joined(self, other: PathConflict) -> PathConflict:
        """With what is said of the same path under another name."""
        return self._replace(
            a_lines=self.a_lines or other.a_lines,
            b_lines=self.b_lines or other.b_lines,
            sort=self.sort or other.sort,
            moved_to=(*self.moved_to, *other.moved_to),
            beside=tuple(sorted({*self.beside, *other.beside})),
            origin=self.origin or other.origin,
        )

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = {"path": self.path, "kind": self.kind}
        if self.a_lines is not None and self.b_lines is not None:
            found["a_lines"] = [list(one) for one in self.a_lines]
            found["b_lines"] = [list(one) for one in self.b_lines]
        more = (("sort", self.sort), ("via", self.via), ("moved_to", list(self.moved_to)))
        return found | {key: value for key, value in more if value}


class Answer(NamedTuple):
    """What git says of merging theirs into ours; `clean` None where it said nothing, with why.

    In `paths` `a` is ours and `b` theirs.
    """

    clean: bool | None
    tree: str | None = None
    paths: tuple[PathConflict, ...] = ()
    reason: str | None = None

    @property
    def told(self) -> bool:
        return self.clean is not None

    def row(self) -> list[Any]:
        """As JSON keeps it; `of` reads it again."""
        paths = [
            [p.path, p.kind, p.a_lines, p.b_lines, p.sort, p.origin, p.moved_to, p.beside]
            for p in self.paths
        ]
        return [self.clean, self.tree, paths]

    @classmethod
    def of(cls, row: Sequence[Any]) -> Answer:
        clean, tree, paths = row
        return cls(clean, tree, tuple(_path(*one) for one in paths))


def _path(
    path: str,
    kind: str,
    a_lines: Sequence[Sequence[int]] | None,
    b_lines: Sequence[Sequence[int]] | None,
    sort: str | None,
    origin: str | None,
    *names: Sequence[str],
) -> PathConflict:
    moved_to, beside = map(tuple, names)
    lines = _lines(a_lines), _lines(b_lines)
    return PathConflict(path, kind, *lines, sort, None, moved_to, beside, origin)


def _lines(pairs: Sequence[Sequence[int]] | None) -> Lines | None:
    return None if pairs is None else tuple((first, last) for first, last in pairs)


class Pair(NamedTuple):
    """The verdict for two sides; `b` None is the target.

    `committed` is the verdict for the commits alone. `tree` is what the merge would make.
    """

    a: str
    b: str | None
    verdict: str
    bases: tuple[str, ...] = ()
    paths: tuple[PathConflict, ...] = ()
    reason: str | None = None
    committed: str | None = None
    tree: str | None = None

    @property
    def names(self) -> list[str]:
        """Every path that git names in it, each once."""
        return list(dict.fromkeys(name for one in self.paths for name in one.names))

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = {"a": self.a, "b": self.b, "verdict": self.verdict}
        if self.reason:
            found["reason"] = self.reason
        if self.committed and self.committed != self.verdict:
            found["committed"] = self.committed
        found["bases"] = list(self.bases)
        return {**found, "paths": [one.document() for one in self.paths]}


def worst(verdicts: Iterable[str]) -> str:
    """Of several verdicts the one that decides: conflict, unknown, overlap, clean."""
    found = set(verdicts)
    return next((one for one in _WORST_FIRST if one in found), CLEAN)


def exit_code(verdicts: Iterable[str]) -> int:
    """0, 1 for a conflict, 3 where it can't be told."""
    return _EXIT[worst(verdicts)]
