"""The downstream context of a handoff report: what a phase leaves to those after it.

Five headings, each with a text or a list below; `none`, `n/a` and nothing mean absent.
Written as list items (`- **Assumptions**: …`) they count too. Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitledger.contracts.markdown import blocks, headings, section
from gitledger.model.phase import CONTEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

_ABSENT = {"", "none", "n/a", "na", "-", "[]", "null", "nothing"}


def read_context(text: str) -> dict[str, list[str]]:
    """The values by field name; a field that is absent is not in it."""
    found: dict[str, list[str]] = {}
    for heading in headings(text):
        name = _field(heading.title)
        if name:
            found.setdefault(name, []).extend(_values(blocks(section(text, heading))))
    for block in blocks(text):
        title, colon, value = _plain(block).partition(":")
        name = _field(title) if colon else None
        if name:
            found.setdefault(name, []).extend(_values([value, *_lines_below(block)]))
    return {name: list(dict.fromkeys(values)) for name, values in found.items() if values}


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
