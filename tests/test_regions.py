"""Line ranges of both sides: from git's hunks to the places where they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.hunks import Hunk, hunks
from gitledger.git.objects import write_blob
from gitledger.git.repository import discover
from gitledger.model.regions import meeting_lines

if TYPE_CHECKING:
    from tests.support import Place

BASE = b"a\nb\nc\nd\ne\n"


def changed(repo: Place, *texts: bytes) -> list[list[Hunk] | None]:
    """What each text changed of the base."""
    here = discover(str(repo.path))
    base, *ids = (write_blob(here, one) for one in (BASE, *texts))
    found = hunks(here, [(base, one) for one in ids], {})
    return [found[base, one] for one in ids]


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
def test_hunks_are_gits_counted_from_0(
    repo: Place, new: bytes, expected: list[tuple[int, ...]]
) -> None:
    assert changed(repo, new) == [expected]


def test_a_binary_text_has_none_and_spoils_no_other(repo: Place) -> None:
    assert changed(repo, b"A\nb\nc\nd\ne\n", b"b\0", b"a\n@@ -1 +1 @@\nDiff\n") == [
        [(0, 1, 0, 1)],
        None,
        [(1, 5, 1, 3)],
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("diff.context", "3"),
        ("diff.interHunkContext", "9"),
        ("diff.external", "false"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.noprefix", "true"),
        ("color.ui", "always"),
        ("diff.algorithm", "minimal"),
        ("diff.orderFile", "/nowhere"),
    ],
)
def test_no_configuration_has_a_say(repo: Place, name: str, value: str) -> None:
    repo.git("config", name, value)
    assert changed(repo, b"A\nb\nc\nd\nE\n", b"a\n") == [
        [(0, 1, 0, 1), (4, 5, 4, 5)],
        [(1, 5, 1, 1)],
    ]


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
def test_where_two_sides_meet(repo: Place, ours: bytes, theirs: bytes, expected: object) -> None:
    mine, other = changed(repo, ours, theirs)
    assert meeting_lines(mine or [], other or []) == expected
