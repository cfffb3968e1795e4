"""Line ranges of both sides: from git's hunks to the places where they meet."""

from __future__ import annotations

import pytest

from gitledger.git.hunks import hunks
from gitledger.model.regions import meeting_lines

BASE = b"a\nb\nc\nd\ne\n"


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (b"a\nB\nc\nd\ne\n", [(1, 2, 1, 2)]),
        (b"a\nb\nx\nc\nd\ne\n", [(2, 2, 2, 3)]),
        (b"a\nc\nd\ne\n", [(1, 2, 1, 1)]),
        (b"A\nb\nc\nd\nE\n", [(0, 1, 0, 1), (4, 5, 4, 5)]),
        (BASE + b"f\n", [(5, 5, 5, 6)]),
        (b"0\n" + BASE, [(0, 0, 0, 1)]),
        (b"", [(0, 5, 0, 0)]),
        (BASE, []),
        (b"a\nb\rc\nd\ne\n", [(1, 3, 1, 2)]),  # a lone carriage return ends no line
    ],
)
def test_hunks_are_gits_counted_from_0(new: bytes, expected: list[tuple[int, ...]]) -> None:
    assert hunks(BASE, new) == expected


def test_a_binary_text_has_none() -> None:
    assert hunks(b"a\0", b"b\0") is None


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (b"a\nB\nc\nd\ne\n", b"a\nX\nc\nd\ne\n", (((2, 2),), ((2, 2),))),
        (b"a\nB\nc\nd\ne\n", b"a\nb\nX\nd\ne\n", (((2, 2),), ((3, 3),))),  # they touch
        (b"0\na\nB\nc\nd\ne\n", b"a\nX\nc\nd\ne\n", (((3, 3),), ((2, 2),))),
        (b"a\nc\nd\ne\n", b"a\nX\nc\nd\ne\n", (((2, 1),), ((2, 2),))),  # deleted here
        (b"A\nb\nc\nd\ne\n", b"a\nb\nc\nd\nE\n", None),  # far apart
    ],
)
def test_where_two_sides_meet(ours: bytes, theirs: bytes, expected: object) -> None:
    assert meeting_lines(hunks(BASE, ours) or [], hunks(BASE, theirs) or []) == expected
