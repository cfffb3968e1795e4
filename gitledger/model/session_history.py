"""Which phase of a session was going on at a moment: who is spawned then belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.model.order import in_order
from gitledger.model.phase import IN_PROGRESS
from gitledger.model.session_fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.model.event import Event
    from gitledger.model.session import Session


def only_running(session: Session) -> str | None:
    """The key of the only phase in progress."""
    running = [one.key for one in session.phases if one.status == IN_PROGRESS]
    return running[0] if len(running) == 1 else None


def membership(events: Iterable[Event], moment: str) -> tuple[bool, str | None]:
    """Whether the session went on at a moment, and its only running phase then.

    A moment that a reflog tells is a whole second: its end counts.
    """
    end = moment.replace(".000000Z", ".999999Z")
    session = fold(one for one in in_order(events) if one.at <= end)
    if not session.session_id or session.ended:
        return False, None
    return True, only_running(session)
