"""Which lines of both sides meet: pure, from what each side changed of the base."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.model.verdict import Lines

Change = tuple[int, int, int, int]  # base start, base end, side start, side end; from 0


def meeting_lines(ours: Sequence[Change], theirs: Sequence[Change]) -> tuple[Lines, Lines] | None:
    """Both sides' line ranges where their changes meet or touch; None where none do.

    Ranges count from 1; `(n, n - 1)` is the empty place before line n.
    """
    met = [(a, b) for a in ours for b in theirs if a[0] <= b[1] and b[0] <= a[1]]
    if not met:
        return None
    return _ranges([a for a, _ in met]), _ranges([b for _, b in met])


def _ranges(changes: Sequence[Change]) -> Lines:
    return tuple((start + 1, end) for _, _, start, end in dict.fromkeys(changes))
