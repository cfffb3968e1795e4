"""Which agent held a worktree at which time: pure, from the bindings in the logs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.model.event import Event

SLACK = 1.0  # seconds: reflogs count whole ones


class Binding(NamedTuple):
    """From `since` (Unix seconds) on an agent was the one that works in a worktree."""

    agent: str
    worktree: str
    since: float


def seconds(at: str) -> float | None:
    """An event's time as Unix seconds, None where it can't be read."""
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return None


def bindings(agent: str, events: Iterable[Event]) -> list[Binding]:
    """Where an agent was bound, as its log tells it."""
    found = []
    for event in events:
        worktree = event.body.get("worktree_id")
        since = event.body.get("since")
        when = seconds(since if isinstance(since, str) else event.at)
        if isinstance(worktree, str) and when is not None:
            found.append(Binding(agent, worktree, when))
    return found


def holder(known: Sequence[Binding], worktree: str, time: float, born: float) -> str | None:
    """The agent that held a worktree at a time.

    `born` is when the worktree was made: bindings before that are of an earlier
    one with the same name. What was made before the first binding is that one's:
    its spawn was recorded late.
    """
    mine = sorted(
        (one for one in known if one.worktree == worktree and one.since >= born - SLACK),
        key=lambda one: one.since,
    )
    before = [one for one in mine if one.since <= time + SLACK]
    chosen = before[-1] if before else mine[0] if mine else None
    return chosen.agent if chosen else None
