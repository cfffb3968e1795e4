"""A session as one wants to read it in a terminal."""

from __future__ import annotations

from dataclasses import astuple
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitledger.cli.render import Cell, columns, put, talk
from gitledger.cli.terminal import paint
from gitledger.cli.text import plural, shown
from gitledger.model.phase import (
    COMPLETED,
    FAILED,
    IN_PROGRESS,
    INDICATORS,
    UNANSWERED,
    Phase,
    waiting_for,
)
from gitledger.model.session import ACTIVE, Session
from gitledger.model.session_agents import share_document
from gitledger.model.session_doc import document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.services.session_archive import Archived
    from gitledger.services.session_conflicts import Conflict

_PAINT = {COMPLETED: "green", IN_PROGRESS: "blue", FAILED: "red"}
_CONFLICTS = {
    "partial-work": "work of {who} that was begun and not ended",
    "changed-outside": "changed from outside ({who}) since the session's last step",
    "plan-changed": "the plan has changed since it was last looked at",
}


def session_json(session: Session) -> dict[str, Any]:
    """The session's document, with where its record is and each agent's share."""
    agents = [share_document(one) for one in session.shares]
    return {**document(session), "place": session.place, "agents": agents}


def show(session: Session) -> None:
    """Heading, phases, open errors, agents and usage."""
    put(paint(shown(session.topic), "bold"))
    put(paint(_line_below(session), "dim"))
    if session.phases:
        put()
        columns([_row(one, session) for one in session.phases], wide=2)
    _errors(session)
    _agents(session)
    _usage(session)


def _line_below(session: Session) -> str:
    done = sum(one.status == COMPLETED for one in session.phases)
    status = session.status if session.place == ACTIVE else session.place
    parts = [
        session.session_id,
        f"{status.replace('_', ' ')}, {session.workflow_mode}",
        f"{done} of {plural(len(session.phases), 'phase')} completed",
        f"begun {minute(session.created)}",
    ]
    return " · ".join(parts)


def minute(at: str) -> str:
    """A moment as a person reads it; words that are no moment stay as they are."""
    try:
        return datetime.fromisoformat(at).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def _row(phase: Phase, session: Session) -> list[str | Cell]:
    style = (_PAINT[phase.status],) if phase.status in _PAINT else ()
    return [
        Cell(INDICATORS[phase.status], style),
        phase.key,
        Cell(" ".join(phase.name.split()), ("bold",) if phase.status == IN_PROGRESS else ()),
        ", ".join(phase.agents),
        plural(len(set(phase.files)), "file") if phase.files else "",
        Cell(_remark(phase, session), ("dim",)),
    ]


def _remark(phase: Phase, session: Session) -> str:
    blocking = waiting_for(phase, session.phases)
    words = [
        plural(phase.retry_count, "retry", "retries") if phase.retry_count else "",
        f"{plural(len(phase.unresolved), 'open error')}" if phase.unresolved else "",
        f"waits for {', '.join(one.key for one in blocking)}" if blocking else "",
        _took(phase),
    ]
    return ", ".join(one for one in words if one)


def _took(phase: Phase) -> str:
    if not phase.started or not phase.completed:
        return ""
    try:
        span = datetime.fromisoformat(phase.completed) - datetime.fromisoformat(phase.started)
    except (TypeError, ValueError):
        return ""
    minutes, seconds = divmod(round(span.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes:02d}m" if hours else f"{minutes}m {seconds:02d}s"


def _errors(session: Session) -> None:
    found = [(phase, one) for phase in session.phases for one in phase.unresolved]
    if found:
        _heading("Open errors")
    for phase, one in found:
        who = f" ({one.agent})" if one.agent else ""
        put(f"  phase {phase.key}, {one.type}{who}: {shown(one.message)}")
        if one.resolution != UNANSWERED:
            put(paint(f"    {shown(one.resolution)}", "dim"))


def _agents(session: Session) -> None:
    if not session.shares:
        return
    _heading("Agents")
    rows: list[list[str | Cell]] = [
        [f"  {one.id}", one.name if one.name != one.id else "", one.phase or "-", one.status]
        for one in session.shares
    ]
    columns(rows, header=("  id", "role", "phase", "status"), wide=0)


def _usage(session: Session) -> None:
    if not session.by_agent:
        return
    _heading("Tokens")
    counted = {**session.by_agent, "all": session.usage}
    rows = [["by", "input", "output", "cached"]]
    rows += [[name, *(f"{n:,}" for n in astuple(one))] for name, one in counted.items()]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    lines = [
        [f"  {row[0]}", *(cell.rjust(widths[place]) for place, cell in enumerate(row[1:], 1))]
        for row in rows
    ]
    columns(lines[1:], header=lines[0], wide=0)


def _heading(words: str) -> None:
    put()
    put(paint(words, "bold"))


def show_conflicts(found: Iterable[Conflict]) -> None:
    """What may stand in the way of going on."""
    conflicts = list(found)
    if conflicts:
        _heading("Look at this first")
    for one in conflicts:
        where = f"phase {one.phase}: " if one.phase else ""
        put(f"  {where}{_CONFLICTS[one.kind].format(who=shown(one.who))}")
        for path in one.paths:
            put(f"    {shown(path)}")


def told_archived(done: Archived) -> None:
    """What was archived where: one path a line."""
    for one in done.archived_files:
        put(shown(one))
    for one in done.warnings:
        talk(f"warning: {shown(one)}")
    talk(f"archived {done.session.session_id}")
