"""What is done to a session's phases: added, moved on, their errors told and resolved.

Every rule is checked inside the compare-and-swap, on the session as it is then.
Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError, Refused
from gitledger.git.objects import resolve
from gitledger.model.phase import (
    ERROR_TYPES,
    RETRIES,
    Phase,
    after,
    check_ids,
    check_phases,
    refuse_transition,
    waiting_for,
)
from gitledger.model.session import ARCHIVING, FAILED, Session, make_phase
from gitledger.services.session_paths import checked
from gitledger.services.sessions import change

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository

SHORTEST = 4  # characters of an error's id, as git has it for its own
_EVENTS = {
    "start": "phase-started",
    "complete": "phase-completed",
    "fail": "phase-failed",
    "retry": "phase-retried",
    "skip": "phase-skipped",
}


@dataclass(frozen=True)
class Trouble:
    """An error as it is told. `kind` is one of the five types."""

    message: str
    kind: str = "runtime"
    agent: str = ""

    def body(self) -> dict[str, str]:
        if self.kind not in ERROR_TYPES:
            raise LedgerError(
                f"unknown type of error '{self.kind}'", f"one of {', '.join(ERROR_TYPES)}"
            )
        if not self.message.strip():
            raise LedgerError("an error without words", "say what went wrong")
        return {"agent": self.agent, "type": self.kind, "message": self.message}


@dataclass(frozen=True)
class Step:
    """One move of a phase, with what comes along. `override` allows a third retry."""

    action: str
    phase: str
    body: Mapping[str, Any] = field(default_factory=dict)
    override: bool = False


def checked_specs(specs: Sequence[Any], taken: Sequence[Phase] = ()) -> list[dict[str, Any]]:
    """Phases as a user wrote them, made whole: ids given, paths checked, shapes right.

    Raises LedgerError naming the phase and the field.
    """
    number = len(taken)
    found = [_spec(one, number + place) for place, one in enumerate(specs, 1)]
    made = [make_phase(one) for one in found]
    if _fit(taken):
        check_phases([*taken, *made])
    else:
        check_ids([*taken, *made], made)
    return found


def _fit(phases: Sequence[Phase]) -> bool:
    """Whether phases fit together: those of a foreign file may not."""
    try:
        check_phases(phases)
    except LedgerError:
        return False
    return True


def _spec(given: Any, number: int) -> dict[str, Any]:
    if isinstance(given, str):
        given = {"name": given}
    if not isinstance(given, dict):
        raise LedgerError(f"phase {number} is neither a name nor a mapping")
    unknown = sorted(str(key) for key in set(given) - set(_SHAPES))
    if unknown:
        raise LedgerError(
            f"unknown field '{unknown[0]}' in phase {number}", f"known: {', '.join(_SHAPES)}"
        )
    for name, value in given.items():
        if not _SHAPES[name](value):
            raise LedgerError(f"bad value of '{name}' in phase {number}: {value!r}")
    spec = {"id": number, "name": f"Phase {number}", **given}
    files = [*given.get("files", ()), *given.get("files_declared", ())]
    spec.pop("files", None)
    return {**spec, "files_declared": [checked(one) for one in files]}


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_id(value: Any) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool) and value != ""


def _ids(value: Any) -> bool:
    return isinstance(value, list) and all(_is_id(one) for one in value)


_SHAPES = {
    "id": _is_id,
    "name": lambda value: isinstance(value, str) and bool(value.strip()),
    "agents": _words,
    "parallel": lambda value: isinstance(value, bool),
    "blocked_by": _ids,
    "files": _words,
    "files_declared": _words,
}


def add(repo: Repository, name: str, given: Mapping[str, Any]) -> Session:
    """A phase more. Raises LedgerError for one that does not fit to the others."""

    def decide(session: Session) -> list[tuple[str, dict[str, Any]]]:
        refuse_ended(session)
        (spec,) = checked_specs([dict(given)], session.phases)
        return [("phase-added", {"phase": spec})]

    return change(repo, name, decide)


def step(repo: Repository, name: str, one: Step) -> Session:
    """Move a phase. Raises LedgerError for what is not allowed, Refused for a third retry."""
    head = head_of(repo)

    def decide(session: Session) -> list[tuple[str, dict[str, Any]]]:
        refuse_ended(session)
        check_step(session, one)
        return [(_EVENTS[one.action], {"phase": one.phase, **head, **one.body})]

    return change(repo, name, decide)


def check_step(session: Session, one: Step) -> None:
    phase = need_phase(session, one.phase)
    if after(phase.status, one.action) is None:
        raise refuse_transition(phase, one.action)
    blocking = waiting_for(phase, session.phases)
    if one.action in {"start", "retry"} and blocking:
        words = ", ".join(f"'{other.key}' ({other.status})" for other in blocking)
        raise LedgerError(f"phase '{phase.key}' is blocked by {words}", "complete those first")
    if one.action == "retry" and phase.retry_count >= RETRIES and not one.override:
        raise Refused(
            f"phase '{phase.key}' was retried {phase.retry_count} times already",
            "give --override to retry it once more, or abort with 'session resume --abort'",
        )


def need_phase(session: Session, key: str) -> Phase:
    """Raises LedgerError, naming the phases that there are."""
    phase = session.phase(key)
    if phase is None:
        known = ", ".join(one.key for one in session.phases)
        raise LedgerError(
            f"no phase '{key}' in session '{session.session_id}'",
            f"its phases: {known}" if known else "add one with 'git ledger session phase add'",
        )
    return phase


def refuse_ended(session: Session) -> None:
    """Raises LedgerError where nothing goes on any more."""
    if session.place == ARCHIVING:
        words = f"session '{session.session_id}' is being archived"
        raise LedgerError(words, "finish it with 'git ledger session archive'")
    if session.status == FAILED:
        words = f"session '{session.session_id}' was aborted"
        raise LedgerError(words, "archive it with 'git ledger session archive'")


def head_of(repo: Repository) -> dict[str, str]:
    """The commit that is checked out here, as a field of an event; none while unborn."""
    found = resolve(repo, ["HEAD^{commit}"])[0]
    return {"head": found[0]} if found else {}


def add_error(repo: Repository, name: str, key: str, trouble: Trouble) -> Session:
    """An error more. Raises LedgerError for an unknown phase or type."""
    body = {"phase": key, "error": trouble.body()}

    def decide(session: Session) -> list[tuple[str, dict[str, Any]]]:
        need_phase(session, key)
        return [("error-added", body)]

    return change(repo, name, decide)


def resolve_error(repo: Repository, name: str, key: str, error: str, words: str) -> Session:
    """Say what was done about an error: its number in the phase (from 1), or its id's beginning."""

    def decide(session: Session) -> list[tuple[str, dict[str, Any]]]:
        wanted = _error_id(need_phase(session, key), error)
        return [("error-resolved", {"phase": key, "error": wanted, "resolution": words})]

    return change(repo, name, decide)


def _error_id(phase: Phase, name: str) -> str:
    if name.isdecimal() and 1 <= int(name) <= len(phase.errors):
        return phase.errors[int(name) - 1].id
    found = [one.id for one in phase.errors if len(name) >= SHORTEST and one.id.startswith(name)]
    if len(found) != 1:
        many = f"it has {len(phase.errors)}, numbered from 1"
        raise LedgerError(f"no one error is meant by '{name}' in phase '{phase.key}'", many)
    return found[0]
