"""The matrix: every line whole, for three agents and for thirty, and never wider than the room."""

from __future__ import annotations

from itertools import combinations

import pytest

from gitledger.cli import terminal
from gitledger.cli.matrix import matrix
from gitledger.cli.text import width
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN, Pair


def drawn(names: list[str], verdicts: dict[tuple[int, int | None], str]) -> list[str]:
    every = [*((n, None) for n in range(len(names))), *combinations(range(len(names)), 2)]
    pairs = [
        Pair(names[a], None if b is None else names[b], verdicts.get((a, b), CLEAN))
        for a, b in every
    ]
    return list(matrix(names, pairs, target=True))


def test_three_agents() -> None:
    verdicts = {(0, 1): CONFLICT, (1, 2): OVERLAP, (2, None): UNKNOWN}
    assert drawn(["first", "second", "third"], verdicts) == [
        "           T 1 2 3",
        "1  first   .   X .",
        "2  second  . X   o",
        "3  third   ? . o",
    ]


def test_the_numbers_of_many_are_written_downwards() -> None:
    lines = drawn([f"agent-{n}" for n in range(1, 13)], {(0, 11): CONFLICT})
    assert lines[:3] == [
        "                                  1 1 1",
        "              T 1 2 3 4 5 6 7 8 9 0 1 2",
        " 1  agent-1   .   . . . . . . . . . . X",
    ]


@pytest.mark.parametrize("room", [60, 80, 100, 200])
@pytest.mark.parametrize("count", [2, 9, 30])
def test_no_line_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, room: int, count: int
) -> None:
    monkeypatch.setattr(terminal, "line_width", lambda: room)
    lines = drawn([f"agent-with-a-long-name-{'日本' * 5}-{n}" for n in range(count)], {})
    assert max(width(line) for line in lines) <= room
    assert len(lines) == count + len(str(count))
