"""What a reflog line says about the commit that it names: made here, or only visited.

The words are those of git's own sequencer, commit and merge. A commit that HEAD
moved to by checkout, reset or fast-forward was made elsewhere.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# As in `rebase (pick): …`, `pull --rebase (continue): …`, `commit (amend): …`.
_IN_STEPS = re.compile(
    r"^[^:]*\((?:pick|reword|edit|squash|fixup|continue|initial|amend|merge|cherry-pick|root|revert)\)"
    r"(?=:|$)"
)
_OUTRIGHT = re.compile(r"^(?:commit|cherry-pick|revert|am|filter-branch)(?=:)")
_MERGED = re.compile(r": Merge made by ")
_VISITED = re.compile(r"^(?:cherry-pick|revert|am): fast-forward$")
_AMENDED = re.compile(r"^(?:commit|rebase)[^:]*\((?:amend|reword|squash|fixup)\)(?=:|$)")
_REBASE_START = re.compile(r"^(?:rebase|pull)\b[^:]*\(start\)")
_REBASE_END = re.compile(r"^(?:rebase|pull)\b[^:]*\((?:finish|abort)\)")


class Entry(NamedTuple):
    """One reflog line: HEAD became `oid` at `time` (Unix seconds), in git's words `why`."""

    oid: str
    time: int
    why: str

    @property
    def made_here(self) -> bool:
        """Whether the commit was made by what the line describes."""
        if _IN_STEPS.search(self.why):
            return True
        first = self.why.split("\n", 1)[0]
        if _VISITED.match(first):
            return False
        return bool(_OUTRIGHT.search(first) or _MERGED.search(first))

    @property
    def original(self) -> bool:
        """Whether it was made by a plain commit: nothing that was there before is repeated."""
        return self.why.startswith(("commit:", "commit (initial):"))

    @property
    def amends(self) -> bool:
        """Whether the commit replaces the one that HEAD was at before."""
        return bool(_AMENDED.search(self.why))


class Rebase(NamedTuple):
    """One rebase as a reflog tells it: the tip before, where it went, the commits it made."""

    old_tip: str
    onto: str
    made: tuple[str, ...]
    aborted: bool


def amendments(entries: Sequence[Entry]) -> dict[str, str]:
    """New id to the id that it replaced, for `commit --amend`. Entries oldest first."""
    pairs = pairwise(entries)
    return {
        new.oid: old.oid
        for old, new in pairs
        if new.why.startswith("commit (amend)") and new.oid != old.oid
    }


def rebases(entries: Sequence[Entry]) -> list[Rebase]:
    """Every rebase that ended, oldest first. One still running is not among them."""
    found: list[Rebase] = []
    start: int | None = None
    for place, entry in enumerate(entries):
        if _REBASE_START.search(entry.why) and place:
            start = place
        elif start is not None and _REBASE_END.search(entry.why):
            steps = entries[start + 1 : place]
            found.append(
                Rebase(
                    entries[start - 1].oid,
                    entries[start].oid,
                    _kept(steps),
                    "(abort)" in entry.why,
                )
            )
            start = None
    return found


def _kept(steps: Sequence[Entry]) -> tuple[str, ...]:
    """The commits that the steps left: a squash replaces the one before it."""
    kept: list[str] = []
    for step in steps:
        if not step.made_here:
            continue
        if step.amends and kept:
            kept.pop()
        kept.append(step.oid)
    return tuple(kept)
