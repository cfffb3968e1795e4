"""Who meets whom, in one look: a row and a column for each agent, one sign for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.cli import terminal
from gitledger.cli.text import cut_inside, padded, width
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.model.verdict import Pair

SIGNS = {CLEAN: ".", OVERLAP: "o", CONFLICT: "X", UNKNOWN: "?"}
STYLES = {CLEAN: ("dim",), OVERLAP: ("yellow",), CONFLICT: ("red", "bold"), UNKNOWN: ("magenta",)}
LEGEND = "X conflict   ? unknown   o overlap, merges   . clean   T the target"
_LONGEST_NAME, _SHORTEST_NAME = 40, 16


def matrix(names: Sequence[str], pairs: Iterable[Pair], *, target: bool) -> Iterable[str]:
    """The lines of the matrix: a row and a numbered column for each name.

    A column is one sign wide and its number is written downwards, so that thirty
    agents fit a terminal of 80 columns; blanks between them go where there is no room.
    """
    verdicts = {(one.a, one.b): one.verdict for one in pairs}
    digits = len(str(len(names)))
    columns = len(names) + target
    longest = max(width(name) for name in names)
    name_width, gap = _layout(min(longest, _LONGEST_NAME), columns, digits)
    heads = (["T"] if target else []) + [str(n) for n in range(1, len(names) + 1)]
    indent = " " * (digits + 4 + name_width)
    for line in zip(*(head.rjust(digits) for head in heads), strict=True):
        yield (indent + gap.join(line)).rstrip()
    for number, name in enumerate(names, 1):
        cells = [_cell(verdicts.get((name, None)))] if target else []
        cells += [_cell(verdicts.get((name, to)) or verdicts.get((to, name))) for to in names]
        shown = padded(cut_inside(name, name_width), name_width)
        yield f"{str(number).rjust(digits)}  {shown}  {gap.join(cells)}".rstrip()


def _layout(longest: int, columns: int, digits: int) -> tuple[int, str]:
    """The width of the names and what stands between cells, by the room there is."""
    room = terminal.line_width()
    if room is None:
        return longest, " "
    left = room - digits - 4 - columns
    if left - (columns - 1) >= min(longest, _SHORTEST_NAME):
        return min(longest, left - (columns - 1)), " "
    return max(min(longest, left), 1), ""


def _cell(verdict: str | None) -> str:
    return " " if verdict is None else terminal.paint(SIGNS[verdict], *STYLES[verdict])
