"""What a session's events make of it, one small rule a kind of event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitledger.model import phase as phases_
from gitledger.model.order import in_order
from gitledger.model.phase import Phase, PhaseError, with_files
from gitledger.model.session import (
    ACTIVE,
    ARCHIVED,
    ARCHIVING,
    COMPLETED,
    FAILED,
    NotAllowed,
    Session,
    Usage,
    count,
    make_phase,
    moved,
    with_context,
    with_phase,
)
from gitledger.model.session_agents import joined, make_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitledger.model.event import Event

    Rule = Callable[[Session, Event], Session]

BEGINS = frozenset({"session-started", "imported"})
_SETTABLE = (
    "task",
    "design_document",
    "implementation_plan",
    "plan_blob",
    "execution_mode",
    "execution_backend",
    "task_complexity",
)


def fold(events: Iterable[Event], name: str | None = None) -> Session:
    """The session that the events make; unknown kinds are passed over.

    `name` is the id that the ref gives, for a log whose beginning can't be read: it
    is a session all the same, and none may begin beside it.
    """
    ordered = in_order(events)
    session = Session()
    if name and ordered and not any(one.kind in BEGINS for one in ordered):
        lost = (ordered[0].id, "the beginning of the log is missing")
        session = Session(session_id=name, task=name, created=ordered[0].at, faults=(lost,))
    for event in ordered:
        rule = RULES.get(event.kind)
        if rule is None:
            continue
        try:
            changed = _checked(rule, session, event)
            session = _dated(session, changed, event)
        except (NotAllowed, KeyError, TypeError, ValueError, AttributeError) as error:
            why = str(error) if isinstance(error, NotAllowed) else f"malformed: {error!r}"
            session = replace(session, faults=(*session.faults, (event.id, why)))
    return session


def _dated(before: Session, after: Session, event: Event) -> Session:
    head = event.body.get("head") or after.head
    return replace(after, updated=max(before.updated, after.updated, event.at), head=head)


def _checked(rule: Rule, session: Session, event: Event) -> Session:
    if not session.session_id and event.kind not in BEGINS:
        raise NotAllowed("before the session started")
    if session.place == ARCHIVED:
        raise NotAllowed("after the archive")
    return rule(session, event)


def _started(session: Session, event: Event) -> Session:
    if session.session_id:
        raise NotAllowed("the session had started")
    body = event.body
    found = {name: body[name] for name in _SETTABLE if name in body}
    phases = tuple(make_phase(one) for one in body.get("phases") or ())
    return Session(
        **found,
        session_id=body["id"],
        created=event.at,
        workflow_mode=body.get("workflow_mode", "standard"),
        worktree=body.get("worktree_id"),
        current_phase=phases[0].id if phases else 1,
        phases=phases,
        faults=session.faults,
    )


def _imported(session: Session, event: Event) -> Session:
    """A foreign record, as its reader understood it. A later import begins anew."""
    read = dict(event.body["session"])
    phases = tuple(make_phase(one) for one in read.pop("phases"))
    by_agent = {name: Usage(**one) for name, one in read.pop("by_agent").items()}
    place = ARCHIVED if read.pop("archived", False) else ACTIVE
    return Session(
        **read,
        phases=phases,
        by_agent=by_agent,
        place=place,
        frozen=place == ARCHIVED,
        worktree=event.body.get("worktree_id"),
        foreign={"id": event.id, "from": event.body.get("from")},
        faults=session.faults,
    )


def _set(session: Session, event: Event) -> Session:
    return replace(session, **{name: event.body[name] for name in _SETTABLE if name in event.body})


def _added(session: Session, event: Event) -> Session:
    phase = make_phase(event.body["phase"])
    if session.phase(phase.key):
        raise NotAllowed(f"phase '{phase.key}' exists already")
    current = session.current_phase if session.phases else phase.id
    return replace(session, phases=(*session.phases, phase), current_phase=current)


def _move(action: str) -> Rule:
    def rule(session: Session, event: Event) -> Session:
        key = str(event.body["phase"])
        changed = with_phase(session, key, lambda one: _moved(one, action, event))
        current = changed.phase(key)
        if current and current.status == phases_.IN_PROGRESS:
            return replace(changed, current_phase=current.id)
        return changed

    return rule


def _moved(phase: Phase, action: str, event: Event) -> Phase:
    body = event.body
    new = moved(phase, action, event.at)
    if action == "fail":
        return replace(new, errors=(*new.errors, _error(event)))
    if action == "retry":
        return _retried(new, body.get("why"))
    if action == "complete":
        settled = tuple(_settled(one) for one in new.errors)
        new = with_context(replace(new, errors=settled), body.get("downstream_context") or {})
    return with_files(new, body)


def _retried(phase: Phase, why: str | None) -> Phase:
    """One retry more; what it answers says so."""
    number = phase.retry_count + 1
    words = f"retry {number}: {why}" if why else f"retry {number}"
    errors = tuple(
        replace(one, resolution=words) if one.resolution == phases_.UNANSWERED else one
        for one in phase.errors
    )
    return replace(phase, retry_count=number, errors=errors)


def _settled(error: PhaseError) -> PhaseError:
    """What a retry answered is resolved once the phase is completed."""
    return replace(error, resolved=error.resolved or error.resolution.startswith("retry "))


def _error(event: Event) -> PhaseError:
    told: dict[str, Any] = event.body["error"]
    kind = told.get("type", "runtime")
    if kind not in phases_.ERROR_TYPES:
        raise NotAllowed(f"unknown type of error '{kind}'")
    return PhaseError(event.id, told.get("agent", ""), event.at, kind, told["message"])


def _error_added(session: Session, event: Event) -> Session:
    error = _error(event)
    return with_phase(
        session, str(event.body["phase"]), lambda one: replace(one, errors=(*one.errors, error))
    )


def _error_resolved(session: Session, event: Event) -> Session:
    wanted, words = event.body["error"], event.body["resolution"]

    def resolve(phase: Phase) -> Phase:
        if all(one.id != wanted for one in phase.errors):
            raise NotAllowed(f"unknown error '{wanted}'")
        changed = (
            replace(one, resolution=words, resolved=True) if one.id == wanted else one
            for one in phase.errors
        )
        return replace(phase, errors=tuple(changed))

    return with_phase(session, str(event.body["phase"]), resolve)


def _manifest(session: Session, event: Event) -> Session:
    return with_phase(session, str(event.body["phase"]), lambda one: with_files(one, event.body))


def _usage(session: Session, event: Event) -> Session:
    tally = count(session.by_agent, event.body["by"], event.body["usage"])
    return replace(session, by_agent=tally)


def _resumed(session: Session, _event: Event) -> Session:
    return session


def _aborted(session: Session, _event: Event) -> Session:
    return replace(session, status=FAILED)


def _archiving(session: Session, event: Event) -> Session:
    documents = tuple((a, b, c) for a, b, c in event.body["documents"])
    return replace(session, place=ARCHIVING, documents=documents)


def _archived(session: Session, event: Event) -> Session:
    """The agents' shares are in the record, so that it stands without their logs."""
    shares = [make_share(one) for one in event.body["agents"]]
    status = FAILED if session.status == FAILED else COMPLETED
    return replace(joined(session, shares), place=ARCHIVED, status=status, frozen=True)


RULES: dict[str, Rule] = {
    "session-started": _started,
    "imported": _imported,
    "session-set": _set,
    "phase-added": _added,
    "phase-started": _move("start"),
    "phase-completed": _move("complete"),
    "phase-failed": _move("fail"),
    "phase-retried": _move("retry"),
    "phase-skipped": _move("skip"),
    "error-added": _error_added,
    "error-resolved": _error_resolved,
    "manifest": _manifest,
    "usage": _usage,
    "session-resumed": _resumed,
    "session-aborted": _aborted,
    "archiving": _archiving,
    "archived": _archived,
}
