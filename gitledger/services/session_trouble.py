"""Conflicts of a session's agents, as errors of their phases. Source: REQUIREMENTS section 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger.model.session_fold import fold
from gitledger.model.verdict import CONFLICT, Pair
from gitledger.services.sessions import live_ref
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent
    from gitledger.model.phase import Phase
    from gitledger.services.aim import Aims
    from gitledger.services.live import View

FILE_CONFLICT = "file_conflict"
_MOST = 3  # paths in a message


def record_conflicts(view: View, pairs: Iterable[Pair], aims: Aims) -> None:
    """Tell the phases of these agents what they conflict over: once, while it is unresolved.

    Nothing for agents without a session.
    """
    for pair in pairs:
        found = [view.by_id[one].agent for one in (pair.a, pair.b) if one and one in view.by_id]
        ours = next((one for one in found if one.session and one.session_phase), None)
        if pair.verdict == CONFLICT and ours:
            sides = (one for one in (pair.a, pair.b) if one and one != ours.id)
            other = next(sides, aims.name(pair.a) or "")
            _tell(view.repo, ours, message_of(pair, other))


def message_of(pair: Pair, other: str) -> str:
    paths = ", ".join(f"'{one.path}'" for one in pair.paths[:_MOST])
    more = f" and {len(pair.paths) - _MOST} more" if len(pair.paths) > _MOST else ""
    return f"conflicts with '{other}' over {paths}{more}"


def _tell(repo: Repository, agent: Agent, message: str) -> None:
    error = {"agent": agent.id, "type": FILE_CONFLICT, "message": message}

    def decide(log: logs.Log) -> list[tuple[str, dict[str, Any]]]:
        phase = fold(log.events).phase(agent.session_phase or "") if log.events else None
        if phase is None or _knows(phase, error):
            return []
        return [("error-added", {"phase": phase.key, "error": error})]

    logs.append(repo, live_ref(agent.session or ""), decide)


def _knows(phase: Phase, error: dict[str, Any]) -> bool:
    return any(
        (one.agent, one.message) == (error["agent"], error["message"]) for one in phase.unresolved
    )


def settle_conflicts(view: View, pairs: Iterable[Pair], aims: Aims, session: str) -> None:
    """Resolve what was in conflict and no longer is; `pairs` are all of the session's."""
    still = {
        message_of(pair, other)
        for pair in pairs
        if pair.verdict == CONFLICT
        for other in (pair.a, pair.b, aims.name(pair.a))
        if other
    }

    def decide(log: logs.Log) -> list[tuple[str, dict[str, Any]]]:
        if not log.events:
            return []
        return [
            ("error-resolved", {"phase": phase.key, "error": one.id, "resolution": "no longer so"})
            for phase in fold(log.events).phases
            for one in phase.unresolved
            if one.type == FILE_CONFLICT and one.agent in view.by_id and one.message not in still
        ]

    logs.append(view.repo, live_ref(session), decide)
