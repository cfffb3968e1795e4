"""Events for tests, made as any writer makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger.model.event import Event, last_ids, make_line, read_line

if TYPE_CHECKING:
    from collections.abc import Iterable


def at(minute: int) -> str:
    """A time in the form of an event's."""
    return f"2026-01-15T14:{minute:02}:00.000000Z"


def event(kind: str, body: dict[str, Any], before: Iterable[Event] = (), minute: int = 0) -> Event:
    """One event that comes after the given ones."""
    made = read_line(make_line(kind, last_ids(before), body, at(minute)), 1)
    assert isinstance(made, Event), made
    return made


def history(*facts: tuple[str, dict[str, Any]] | str) -> list[Event]:
    """A log that one clone wrote, an event a minute: kinds with their bodies."""
    events: list[Event] = []
    for minute, fact in enumerate(facts):
        kind, body = (fact, {}) if isinstance(fact, str) else fact
        events.append(event(kind, body, events, minute))
    return events


SPAWNED: tuple[str, dict[str, Any]] = (
    "spawned",
    {
        "id": "agent_01",
        "title": "Parse dates strictly",
        "spawn_commit": "a" * 40,
        "source": "command",
        "worktree": "/w/one",
        "worktree_id": "worktrees/one",
        "branch": "agent/one",
    },
)
