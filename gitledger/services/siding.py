"""The paths of a conflict from its pair's point of view: names, lines, and whose doing it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.model.moved import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.candidates import Touched
    from gitledger.model.verdict import PathConflict
    from gitledger.services.question import Facts, Question

    Both = tuple[Touched, Touched]


@dataclass(eq=False, repr=False)
class Siding:
    """Of one question. What a base has under which name is read where it is needed, once."""

    repo: Repository
    question: Question
    facts: Sequence[Facts]
    blobs: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def paths(
        self, sides: tuple[int, int | None], base: str, theirs: str, paths: Sequence[PathConflict]
    ) -> tuple[PathConflict, ...]:
        """`sides` are places in the question, `theirs` the commit that was merged."""
        a, b = sides
        merged = self.question.sides[a if b is None else b]
        name = merged.branch or merged.tip or theirs
        both = self._both(a, b)
        told = [self._whole(one, base, both) if both else one for one in paths]
        told = [
            p._replace(moved_to=tuple(named(m, theirs, name) for m in p.moved_to)) for p in told
        ]
        if b is None:  # the target is ours, and `a` theirs
            return tuple(p._replace(a_lines=p.b_lines, b_lines=p.a_lines) for p in told)
        if both is None or self.facts[a].base == self.facts[b].base:
            return tuple(told)
        return tuple(p if _reached(both, p) else p._replace(via="target") for p in told)

    def _both(self, a: int, b: int | None) -> Both | None:
        first = self.facts[a]
        other = first.met if b is None else self.facts[b].own
        return (first.own, other) if first.own and other else None

    def _whole(self, one: PathConflict, base: str, both: Both) -> PathConflict:
        """With the name that a side has moved it from: of an edit git tells the new one alone."""
        if one.origin is None or _reached(both, one):
            return one
        was = self._blobs(base).get(one.origin, [])
        moved = [path for path in was if any(path in side.gone for side in both)]
        return one._replace(beside=tuple(sorted({*one.beside, *moved} - {one.path})))

    def _blobs(self, commit: str) -> dict[str, list[str]]:
        if commit not in self.blobs:
            found = self.blobs[commit] = {}
            done = self.repo.git.try_run("ls-tree", "-r", "-z", "--full-tree", commit)
            for record in done.records:
                meta, _, path = record.partition(b"\t")
                found.setdefault(text(meta.split(b" ")[2]), []).append(text(path))
        return self.blobs[commit]


def _reached(both: Both, one: PathConflict) -> bool:
    """Whether each side has changed what git names there."""
    return all(any(map(side.reaches, one.names)) for side in both)
