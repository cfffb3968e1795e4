"""Who meets whom, in one look: a row and a column for each agent, one sign for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.cli import terminal
from gitledger.cli.text import cut, padded, width
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.model.verdict import Pair

SIGNS = {CLEAN: ".", OVERLAP: "o", CONFLICT: "X", UNKNOWN: "?"}
STYLES = {CLEAN: ("dim",), OVERLAP: ("yellow",), CONFLICT: ("red", "bold"), UNKNOWN: ("magenta",)}
LEGEND = "X conflict   ? unknown   o overlap, merges   . clean   T the target"
_LONGEST_NAME = 40


def matrix(names: Sequence[str], pairs: Iterable[Pair], *, target: bool) -> Iterable[str]:
    """The lines of the matrix. Columns are numbers, so that thirty agents still fit."""
    verdicts = {(one.a, one.b): one.verdict for one in pairs}
    digits = len(str(len(names)))
    column = max(width(cut(name, _LONGEST_NAME)) for name in names)
    heads = (["T"] if target else []) + [str(n) for n in range(1, len(names) + 1)]
    indent = " " * (digits + 2 + column)
    yield indent + "  " + " ".join(head.rjust(digits) for head in heads)
    for number, name in enumerate(names, 1):
        cells = [_cell(verdicts.get((name, None)), digits)] if target else []
        for other in names:
            verdict = verdicts.get((name, other)) or verdicts.get((other, name))
            cells.append(_cell(verdict, digits))
        shown = padded(cut(name, _LONGEST_NAME), column)
        yield f"{str(number).rjust(digits)}  {shown}  {' '.join(cells)}".rstrip()


def _cell(verdict: str | None, digits: int) -> str:
    if verdict is None:
        return " " * digits
    blanks = " " * (digits - 1)
    return blanks + terminal.paint(SIGNS[verdict], *STYLES[verdict])
