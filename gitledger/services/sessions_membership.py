"""Which phase an agent that is spawned now belongs to. Cheap where there is no session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.refs import list_refs
from gitledger.model.names import SESSIONS
from gitledger.model.session_history import only_running
from gitledger.services import hook_state

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.model.session import Session


def active_phase(repo: Repository, wanted: str | None = None) -> tuple[str, str | None] | None:
    """The active session's id and the phase: `wanted`, else the only one in progress.

    None without an active session. Raises LedgerError for a `wanted` phase that
    there is not.
    """
    if not list_refs(repo, SESSIONS):
        _refuse_wanted(wanted)
        return None
    from gitledger.services.sessions import active

    kept = active(repo)
    if kept is None or kept.session.ended:
        _refuse_wanted(wanted)
        return None
    return kept.session.session_id, _phase(kept.session, wanted)


def _refuse_wanted(wanted: str | None) -> None:
    if wanted is not None:
        raise LedgerError(
            f"no session is active that could have a phase '{wanted}'",
            "begin one with 'git ledger session start TOPIC'",
        )


def _phase(session: Session, wanted: str | None) -> str | None:
    if wanted is not None:
        from gitledger.services.session_phases import need_phase

        return need_phase(session, wanted).key
    return only_running(session)


def with_session(repo: Repository, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a new agent with the active session and its phase, unless they say so."""
    if "session" in fields:
        return fields
    found = active_phase(repo, fields.get("session_phase"))
    if found is None:
        return fields
    session, phase = found
    told = {"session": session, "session_phase": phase}
    return {**fields, **{name: value for name, value in told.items() if value is not None}}


def spawned(repo: Repository, agent: str, fields: dict[str, Any]) -> None:
    """Tell the hooks' short-lived state that work was handed to an agent."""
    hook_state.prune(repo)
    if "session" in fields:
        hook_state.write(repo, fields["session"], agent)
