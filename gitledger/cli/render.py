"""What goes to stdout: a document, lines for scripts, or columns for a person."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.cli import terminal
from gitledger.cli.text import cut, padded, shown, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GAP = 2  # blanks between two columns
_LEAST = 8  # columns that a column is never cut below
_WORDS = 24  # what the wide one keeps before others are cut too


def put(words: str = "") -> None:
    """One line of data on stdout."""
    sys.stdout.write(words + "\n")


def put_words(words: str, indent: int, head: str = "", *styles: str) -> None:
    """Data in words, in as many lines as the terminal needs, after a head in those styles."""
    room = terminal.line_width()
    whole = head + words
    lines = [whole] if room is None else wrapped(whole, room, indent)
    put(terminal.paint(head, *styles) + lines[0].removeprefix(head))
    for line in lines[1:]:
        put(line)


def talk(words: str) -> None:
    """One line to the person, on stderr."""
    sys.stdout.flush()
    sys.stderr.write(words + "\n")


def json_document(schema: str, **body: Any) -> None:
    r"""One JSON document, `schema` first: `json_document("ledger.list/1", agents=[…])`.

    ASCII, so that a byte that is no UTF-8 survives as `\udcXX`; indented for a person.
    """
    import json

    indent = 2 if terminal.is_person() else None
    put(json.dumps({"schema": schema, **body}, indent=indent))


def records(rows: Iterable[Sequence[str]], *, null: bool) -> None:
    """Rows for scripts: fields by tabs, rows by newline or NUL.

    With newlines, control characters in a field are escaped, so that a row stays a row.
    """
    for row in rows:
        fields = row if null else [shown(field) for field in row]
        sys.stdout.write("\t".join(fields) + ("\0" if null else "\n"))


class Cell(NamedTuple):
    """A text and how to paint it; plain strings do where nothing is painted."""

    words: str
    styles: tuple[str, ...] = ()


def columns(
    rows: Iterable[Sequence[str | Cell]], header: Sequence[str] = (), *, wide: int | None = None
) -> None:
    """Print aligned columns. `wide` is the one to cut where the terminal is too narrow.

    Nothing is cut where nobody looks: then whoever reads gets every word.
    """
    lines = [[_cell(one) for one in row] for row in rows]
    if header and lines:
        lines.insert(0, [Cell(name, ("dim",)) for name in header])
    for line in _laid_out(lines, wide):
        put(line)


def laid_out_width(rows: Sequence[Sequence[str]]) -> int:
    """How wide `columns` would print these."""
    cells = [max(width(shown(one)) for one in column) for column in zip(*rows, strict=True)]
    return sum(cells) + GAP * (len(cells) - 1)


def _cell(given: str | Cell) -> Cell:
    cell = Cell(given) if isinstance(given, str) else given
    return cell._replace(words=shown(cell.words))


def _laid_out(lines: list[list[Cell]], wide: int | None) -> Iterable[str]:
    if not lines:
        return
    widths = [max(width(cell.words) for cell in column) for column in zip(*lines, strict=True)]
    room = terminal.line_width()
    if wide is not None and room is not None:
        widths = _fitted(widths, wide, room - GAP * (len(widths) - 1))
    for line in lines:
        yield (" " * GAP).join(_placed(line, widths)).rstrip()


def _fitted(widths: list[int], wide: int, room: int) -> list[int]:
    """The widths cut to the room: the wide column first, then whichever is widest."""
    fitted = list(widths)
    fitted[wide] -= min(max(0, sum(widths) - room), max(0, widths[wide] - _WORDS))
    while sum(fitted) > room and max(fitted) > _LEAST:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _placed(line: list[Cell], widths: list[int]) -> Iterable[str]:
    for cell, columns_ in zip(line, widths, strict=True):
        words = cut(cell.words, columns_)
        blanks = padded(words, columns_)[len(words) :]
        yield terminal.paint(words, *cell.styles) + blanks if cell.styles else words + blanks
