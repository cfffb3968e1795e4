"""A session as its Markdown log: what happened, phase by phase. Pure.

Source: REQUIREMENTS section 5, "`session show` renders the Markdown log".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unicodedata import category

from gitledger.model.phase import CONTEXT, INDICATORS, PENDING, Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.model.session import Session, Share

_KINDS = (
    ("Created", "files_created"),
    ("Modified", "files_modified"),
    ("Deleted", "files_deleted"),
)


def markdown(session: Session) -> str:
    """`# <Topic> Orchestration Log` and one section a phase, ended by a newline."""
    parts = [
        f"# {_line(session.topic)} Orchestration Log",
        *phase_sections(session, session.phases),
    ]
    loose = [one for one in session.shares if session.phase(one.phase or "") is None]
    if loose:
        parts += ["## Outside of the phases", *_outputs(loose)]
    return _plain("\n\n".join(parts)) + "\n"


def _plain(text: str) -> str:
    """Without control characters, which a terminal would obey; lines stay lines."""
    return "".join(char for char in text if char in "\n\t" or category(char) != "Cc")


def _line(words: str) -> str:
    return " ".join(words.split())


def phase_sections(session: Session, phases: Iterable[Phase]) -> list[str]:
    """The section of each phase, cut into paragraphs."""
    parts: list[str] = []
    for phase in phases:
        shares = [one for one in session.shares if one.phase == phase.key]
        parts += [f"## Phase {phase.key}: {_line(phase.name)} {INDICATORS[phase.status]}"]
        if phase.status != PENDING or shares:
            parts += [*_outputs(shares), *_files(phase), *_context(phase)]
            parts += [*_errors(phase), *_validation(shares)]
    return parts


def _outputs(shares: Sequence[Share]) -> list[str]:
    """What each agent said, its own headings lowered so that the log keeps its shape."""
    found: list[str] = []
    for one in shares:
        words = one.summary.strip() or f"({one.status}, no report)"
        name = one.name if one.name == one.id else f"{one.name} ({one.id})"
        found += [f"### {name} Output", _quoted(words)]
    return found


def _quoted(words: str) -> str:
    """Headings of an agent's words would be taken for ours: as a quotation they are not."""
    if not any(line.lstrip().startswith(("#", "```", "~~~", "---")) for line in words.splitlines()):
        return words
    return "\n".join(f"> {line}".rstrip() for line in words.splitlines())


def _files(phase: Phase) -> list[str]:
    lines = [
        f"- {title}: {', '.join(f'`{path}`' for path in getattr(phase, kind))}"
        for title, kind in _KINDS
        if getattr(phase, kind)
    ]
    return ["### Files Changed", "\n".join(lines or ["None"])]


def _context(phase: Phase) -> list[str]:
    told = phase.downstream_context
    if not any(told.values()):
        return []
    lines = [
        f"- {name.replace('_', ' ').title()}: {'; '.join(told.get(name, ())) or 'None'}"
        for name in CONTEXT
    ]
    return ["### Downstream Context", "\n".join(lines)]


def _errors(phase: Phase) -> list[str]:
    if not phase.errors:
        return []
    lines = [
        f"- {one.type}{f' ({one.agent})' if one.agent else ''}: {one.message}"
        f" ({'resolved' if one.resolved else 'open'}: {one.resolution})"
        for one in phase.errors
    ]
    return ["### Errors", "\n".join(lines)]


def _validation(shares: Iterable[Share]) -> list[str]:
    lines = [_check(share.name, check) for share in shares for check in share.checks]
    return ["### Validation Result", "\n".join(lines or ["No checks were run"])]


def _check(name: str, check: Mapping[str, Any]) -> str:
    code = check.get("exit_code")
    if code is None:
        return f"- {name}, {check.get('name')}: not run"
    result = "Pass" if code == 0 else f"Fail (exit {code})"
    commit = f" at {str(check['commit'])[:12]}" if check.get("commit") else ""
    return f"- {name}, {check.get('name')}: {result}{commit}"
