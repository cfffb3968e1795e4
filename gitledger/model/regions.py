"""Which lines of both sides meet: pure, from the three texts of a conflicted file."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.model.verdict import Lines

LARGEST = 20_000  # lines in the part that differs; beyond it no ranges are given

Change = tuple[int, int, int, int]  # base start, base end, side start, side end; from 0


def meeting_lines(base: bytes, ours: bytes, theirs: bytes) -> tuple[Lines, Lines] | None:
    """Both sides' line ranges where their changes meet or touch; None where none can be told.

    Ranges count from 1; `(n, n - 1)` is the empty place before line n.
    """
    texts = [one.splitlines(keepends=True) for one in (base, ours, theirs)]
    if b"\0" in base + ours + theirs:
        return None
    mine, other = _changes(texts[0], texts[1]), _changes(texts[0], texts[2])
    if mine is None or other is None:
        return None
    met = [(a, b) for a in mine for b in other if a[0] <= b[1] and b[0] <= a[1]]
    if not met:
        return None
    return _ranges([a for a, _ in met]), _ranges([b for _, b in met])


def _ranges(changes: Sequence[Change]) -> Lines:
    return tuple((start + 1, end) for _, _, start, end in dict.fromkeys(changes))


def _changes(base: Sequence[bytes], side: Sequence[bytes]) -> list[Change] | None:
    head = _common(base, side)
    tail = _common(base[head:][::-1], side[head:][::-1])
    old, new = base[head : len(base) - tail], side[head : len(side) - tail]
    if len(old) + len(new) > LARGEST:
        return None
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        (head + i, head + j, head + m, head + n)
        for tag, i, j, m, n in matcher.get_opcodes()
        if tag != "equal"
    ]


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many lines from the start are the same."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
