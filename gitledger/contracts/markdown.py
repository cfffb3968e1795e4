"""The headings, fences and tables of a Markdown text, as a parser sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading written with `#` at the start of a line, outside code and quotes.

    `line` counts from 1. Underlined (setext) and indented headings are none.
    """

    level: int
    title: str
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the cells of its head, and of each row below. `line` counts from 1."""

    line: int
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Inline markup is not looked at: titles and cells are compared as written.
    return MarkdownIt("commonmark").enable("table").disable("inline")


def lines_of(text: str) -> list[str]:
    """The lines as the parser counts them, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def headings(text: str) -> list[Heading]:
    lines = lines_of(text)
    tokens = _parser().parse("\n".join(lines))
    found: list[Heading] = []
    for token, content in pairwise(tokens):
        if token.type != "heading_open" or not token.map or token.level:
            continue
        if token.markup.startswith("#") and lines[token.map[0]].startswith("#"):
            found.append(Heading(len(token.markup), content.content, token.map[0] + 1))
    return found


def section(text: str, heading: Heading) -> str:
    """What stands below a heading, down to the next of its level or above."""
    after = [one for one in headings(text) if one.line > heading.line]
    end = next((one.line for one in after if one.level <= heading.level), None)
    return "\n".join(lines_of(text)[heading.line : end - 1 if end else None])


def without_fences(text: str) -> str:
    """The text with every line of a code fence emptied; lines keep their numbers."""
    lines = lines_of(text)
    for token in _parser().parse(text):
        if token.type == "fence" and token.map:
            first, last = token.map
            lines[first:last] = [""] * (last - first)
    return "\n".join(lines)


def tables(text: str) -> list[Table]:
    found: list[Table] = []
    rows: list[list[str]] = []
    line = 0
    for token in _parser().parse(text):
        if token.type == "table_open":
            rows, line = [], _line(token)
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(token.content)
        elif token.type == "table_close":
            head, *body = (tuple(row) for row in rows)
            found.append(Table(line, head, tuple(body)))
            rows = []
    return found


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0


def blocks(text: str) -> list[str]:
    """Every paragraph, list item and code block, as text: what stands below a heading."""
    wanted = {"inline", "fence", "code_block"}
    heads = {one.line for one in headings(text)}
    found = [one for one in _parser().parse(text) if one.type in wanted]
    return [one.content.strip() for one in found if _line(one) not in heads]
