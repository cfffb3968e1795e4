"""A session as JSON values, in the words and the order of the files it is exchanged with.

Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gitledger.model.phase import CONTEXT

if TYPE_CHECKING:
    from gitledger.model.phase import Phase
    from gitledger.model.session import Session


def document(session: Session) -> dict[str, Any]:
    """Everything of a session that is shown: the fields of the exchanged file, then ours."""
    found = {
        "session_id": session.session_id,
        "task": session.task,
        "created": session.created,
        "updated": session.updated,
        "status": session.status,
        "workflow_mode": session.workflow_mode,
        "design_document": session.design_document,
        "implementation_plan": session.implementation_plan,
        "current_phase": session.current_phase,
        "total_phases": len(session.phases),
        "execution_mode": session.execution_mode,
        "execution_backend": session.execution_backend,
        "task_complexity": session.task_complexity,
        "token_usage": _usage(session),
        "phases": [phase_document(one) for one in session.phases],
    }
    return {**found, **_unknown(session.extra, found)}


def phase_document(phase: Phase) -> dict[str, Any]:
    found = {
        "id": phase.id,
        "name": phase.name,
        "status": phase.status,
        "agents": list(phase.agents),
        "parallel": phase.parallel,
        "started": phase.started,
        "completed": phase.completed,
        "blocked_by": list(phase.blocked_by),
        "files_created": list(phase.files_created),
        "files_modified": list(phase.files_modified),
        "files_deleted": list(phase.files_deleted),
        "downstream_context": {
            name: list(phase.downstream_context.get(name, ())) for name in CONTEXT
        },
        "errors": [asdict(one) for one in phase.errors],
        "retry_count": phase.retry_count,
        "files_declared": list(phase.files_declared),
        "agent_ids": list(phase.agent_ids),
    }
    return {**found, **_unknown(phase.extra, found)}


def _usage(session: Session) -> dict[str, Any]:
    total = session.usage
    return {
        "total_input": total.input,
        "total_output": total.output,
        "total_cached": total.cached,
        "by_agent": {name: asdict(one) for name, one in session.by_agent.items()},
    }


def _unknown(extra: Any, known: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in extra.items() if name not in known}
