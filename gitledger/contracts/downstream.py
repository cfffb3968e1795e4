"""The downstream context of a handoff report: what a phase leaves to those after it.

Five headings, each with a text or a list below; `none`, `n/a` and nothing mean absent.
Written as list items (`- **Assumptions**: …`) they count too. Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitledger.contracts.markdown import blocks, headings, lines_of
from gitledger.model.phase import CONTEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

_ABSENT = {"", "none", "n/a", "na", "-", "[]", "null", "nothing"}


def read_context(text: str) -> dict[str, list[str]]:
    """The values by field name; a field that is absent is not in it."""
    found: dict[str, list[str]] = {}
    for name, below in _sections(text):
        found.setdefault(name, []).extend(_values(one for one in blocks(below) if not _told(one)))
    for name, values in filter(None, (_told(block) for block in blocks(text))):
        found.setdefault(name, []).extend(_values(values))
    return {name: list(dict.fromkeys(values)) for name, values in found.items() if values}


def _sections(text: str) -> Iterable[tuple[str, str]]:
    """Each field that has a heading, with what stands below it.

    It ends at the next heading of its level or above, or of a field.
    """
    lines, heads = lines_of(text), headings(text)
    for place, heading in enumerate(heads):
        name = _field(heading.title)
        if name is None:
            continue
        after = heads[place + 1 :]
        ends = (one for one in after if one.level <= heading.level or _field(one.title))
        end = next((one.line - 1 for one in ends), None)
        yield name, "\n".join(lines[heading.line : end])


def _told(block: str) -> tuple[str, list[str]] | None:
    """A field and its values, where a paragraph or list item begins with its name."""
    title, colon, value = _plain(block).partition(":")
    name = _field(title) if colon else None
    return (name, [value, *_lines_below(block)]) if name else None


def _field(title: str) -> str | None:
    name = re.sub(r"[^a-z]+", "_", title.lower()).strip("_")
    return name if name in CONTEXT else None


def _plain(block: str) -> str:
    """The first line, without emphasis around the name."""
    return block.splitlines()[0].replace("*", "").strip() if block else ""


def _lines_below(block: str) -> list[str]:
    return block.splitlines()[1:]


def _values(blocks_: Iterable[str]) -> list[str]:
    """The texts that say something; `[a, b]` is a list of two."""
    found: list[str] = []
    for block in blocks_:
        words = " ".join(block.split())
        inner = re.fullmatch(r"\[(.*)\]", words)
        parts = inner.group(1).split(",") if inner else [words]
        found += [one for part in parts if _says(one := part.strip().strip("\"'"))]
    return found


def _says(words: str) -> bool:
    return words.strip("*_`.").strip().lower() not in _ABSENT and _field(words.rstrip(":")) is None
