"""What a PLAN.md and a SUMMARY.md must hold to be handed over. Text in, missing parts out.

Source: REQUIREMENTS section 4, after the handoff contracts of GSD.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.contracts import frontmatter
from gitledger.contracts.markdown import headings, section, tables, without_fences
from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.contracts.markdown import Heading

PLAN_FIELDS = (
    "phase",
    "plan",
    "type",
    "wave",
    "depends_on",
    "files_modified",
    "autonomous",
    "requirements",
)
TASK_PARTS = ("files", "action", "verify", "acceptance_criteria")
SUMMARY_FIELDS = ("phase", "plan", "subsystem", "tags", "key-files", "metrics")
_HASH = re.compile(r"\b[0-9a-f]{7,64}\b")
_EMPTY = {"", "null", "~", "Null", "NULL"}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a SUMMARY.md says: `self_check` is PASSED, FAILED or None where it is absent."""

    missing: tuple[str, ...]
    commits: tuple[str, ...]
    key_files: tuple[str, ...]
    self_check: str | None


def missing_in_plan(text: str) -> list[str]:
    """The required parts that a PLAN.md lacks, each by its name."""
    front, body = _front(text)
    missing = _missing_fields(front, PLAN_FIELDS)
    plain = without_fences(body)
    missing += [f"<{tag}>" for tag in ("objective",) if not _element(plain, tag)]
    missing += _missing_in_tasks(plain)
    closing = ("verification", "success_criteria")
    return missing + [f"<{tag}>" for tag in closing if not _element(plain, tag)]


def plan_fields(text: str) -> dict[str, Any]:
    """What a PLAN.md says of the agent that is to carry it out.

    `phase`, `plan` (as written: `02` stays `02`), `depends_on`, `files_declared`;
    only those that it has. Raises LedgerError without whole front matter.
    """
    front = frontmatter.read(frontmatter.cut(text, "PLAN.md").front, "PLAN.md", words=True)
    named = {
        "phase": _word(front.get("phase")),
        "plan": _word(front.get("plan")),
        "depends_on": _words(front.get("depends_on")),
        "files_declared": _words(front.get("files_modified")),
    }
    return {name: value for name, value in named.items() if value}


def read_summary(text: str) -> Summary:
    """A SUMMARY.md: what it says, and the required parts that it lacks."""
    front, body = _front(text)
    heads = headings(body)
    missing = _missing_fields(front, SUMMARY_FIELDS)
    commits = _commits(body)
    check = _self_check(body, heads)
    if not commits:
        missing.append("table of commits")
    if not _has_section(body, heads, "deviations"):
        missing.append("deviations (or None)")
    if check is None:
        missing.append("self-check (PASSED or FAILED)")
    return Summary(tuple(missing), commits, _key_files(front.get("key-files")), check)


def _front(text: str) -> tuple[dict[str, Any], str]:
    """Front matter and body; a file without any has none of the fields."""
    try:
        parts = frontmatter.cut(text, "front matter")
    except LedgerError:
        return {}, text
    return frontmatter.read(parts.front, "front matter", words=True), parts.body


def _missing_fields(front: dict[str, Any], names: Iterable[str]) -> list[str]:
    return [f"front matter: {name}" for name in names if _absent(front.get(name))]


def _absent(value: Any) -> bool:
    """An empty list is a value; no words at all are none."""
    return value is None or (isinstance(value, str) and value.strip() in _EMPTY)


def _element(text: str, tag: str) -> str:
    """The first words between `<tag …>` and `</tag>`; empty where there are none."""
    found = re.findall(rf"<{tag}(?:\s[^>]*)?>(.*?)</{tag}>", text, re.DOTALL)
    return next((words for one in found if (words := one.strip())), "")


def _missing_in_tasks(text: str) -> list[str]:
    found = re.findall(r"<task(\s[^>]*)?>(.*?)</task>", _element(text, "tasks"), re.DOTALL)
    if not found:
        return ["<tasks> with at least one <task>"]
    missing: list[str] = []
    for number, (attributes, content) in enumerate(found, 1):
        if not re.search(r"\btype\s*=\s*[\"'][^\"']+[\"']", attributes):
            missing.append(f"task {number}: type")
        missing += [f"task {number}: <{tag}>" for tag in TASK_PARTS if not _element(content, tag)]
    return missing


def _commits(body: str) -> tuple[str, ...]:
    """The hashes in a table that has a column for commits."""
    found: list[str] = []
    for table in tables(body):
        if any(re.search(r"commit|hash|sha", cell, re.IGNORECASE) for cell in table.head):
            found += [one for row in table.rows for cell in row for one in _HASH.findall(cell)]
    return tuple(dict.fromkeys(found))


def _has_section(body: str, heads: list[Heading], word: str) -> bool:
    """A heading that begins with the word, with something below it."""
    named = (one for one in heads if one.title.lower().startswith(word))
    return any(section(body, one).strip() for one in named)


def _self_check(body: str, heads: list[Heading]) -> str | None:
    for heading in heads:
        if not re.match(r"self[- ]check\b", heading.title, re.IGNORECASE):
            continue
        where = f"{heading.title}\n{section(body, heading)}"
        found = re.search(r"\b(PASSED|FAILED)\b", where, re.IGNORECASE)
        return found.group(1).upper() if found else None
    return None


def _key_files(value: Any) -> tuple[str, ...]:
    """A list of paths, or lists by kind (`created`, `modified`): all of them."""
    if isinstance(value, dict):
        return tuple(path for part in value.values() for path in _words(part))
    return tuple(_words(value))


def _word(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() not in _EMPTY else None


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        value = [] if value.strip() in _EMPTY else value.split(",")
    if not isinstance(value, list):
        return []
    return [one.strip() for one in value if isinstance(one, str) and one.strip()]
