"""An orchestration session: what its events say it is. Pure, whatever order they came in.

Source: REQUIREMENTS section 5; the kinds of events are listed in docs/FORMAT.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gitledger.model import phase as phases_
from gitledger.model.names import slug
from gitledger.model.phase import CONTEXT, Phase, PhaseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

STANDARD, EXPRESS = "standard", "express"
ACTIVE, ARCHIVING, ARCHIVED = "active", "archiving", "archived"
IN_PROGRESS, COMPLETED, FAILED = "in_progress", "completed", "failed"
UNATTRIBUTED = "unattributed"  # usage that a foreign record counts and gives to nobody


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens."""

    input: int = 0
    output: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input, self.output + other.output, self.cached + other.cached
        )


@dataclass(frozen=True, slots=True)
class Share:
    """One agent's share in a session. `name` is its role, else its id.

    `files` has the paths of its own changes by kind (`files_created`, …);
    `checks` are its configured checks with the exit code of their last run.
    """

    id: str
    name: str
    phase: str | None
    status: str
    summary: str = ""
    usage: Usage = field(default_factory=Usage)
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    checks: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """A session now.

    `place` is where its record is. `shares` are its agents', and `frozen` says that
    they are in the record for good. `head` is the commit of its worktree at the last
    event that told one, `plan_blob` the plan's content when it was last looked at.
    `documents` are the moves of the archive, each `(from, to, blob)`. `faults` are
    events that the rules do not allow, by id and why: kept, and without effect.
    """

    session_id: str = ""
    task: str = ""
    created: str = ""
    updated: str = ""
    status: str = IN_PROGRESS
    workflow_mode: str = STANDARD
    design_document: str | None = None
    implementation_plan: str | None = None
    plan_blob: str | None = None
    head: str | None = None
    current_phase: int | float | str | None = 1
    execution_mode: str | None = None
    execution_backend: str | None = None
    task_complexity: str | None = None
    by_agent: Mapping[str, Usage] = field(default_factory=dict)
    phases: tuple[Phase, ...] = ()
    worktree: str | None = None
    place: str = ACTIVE
    frozen: bool = False
    shares: tuple[Share, ...] = ()
    documents: tuple[tuple[str, str, str], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    foreign: Mapping[str, Any] | None = None
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def topic(self) -> str:
        return self.task

    @property
    def usage(self) -> Usage:
        """The total is always the sum."""
        return sum(self.by_agent.values(), Usage())

    @property
    def ended(self) -> bool:
        """Nothing goes on in it: aborted, archived or about to be."""
        return self.place != ACTIVE or self.status in {COMPLETED, FAILED}

    def phase(self, key: str) -> Phase | None:
        return phases_.find(self.phases, key)


class NotAllowed(Exception):
    """An event that the rules do not allow where it stands."""


def session_id(task: str, day: str) -> str:
    """`YYYY-MM-DD-<slug>`; `day` is the UTC date."""
    return f"{day}-{slug(task)}"


def make_phase(spec: Mapping[str, Any]) -> Phase:
    """A phase from the JSON values of an event or a file. Unknown ones become `extra`."""
    known: dict[str, Any] = {}
    extra: dict[str, Any] = dict(spec.get("extra") or {})
    for name, value in spec.items():
        if name in _SCALARS or name == "id":
            known[name] = value
        elif name in _TUPLES:
            known[name] = tuple(value or ())
        elif name not in {"downstream_context", "errors", "extra"}:
            extra[name] = value
    told = spec.get("downstream_context") or {}
    context = {name: tuple(value) for name, value in told.items() if value}
    errors = tuple(PhaseError(**one) for one in spec.get("errors") or ())
    known.setdefault("name", f"Phase {known['id']}")
    return Phase(**known, downstream_context=context, errors=errors, extra=extra)


_SCALARS = {"name", "status", "parallel", "started", "completed", "retry_count"}
_TUPLES = {"agents", "blocked_by", "files_declared", "agent_ids", *phases_.MANIFEST}


def with_phase(session: Session, key: str, change: Callable[[Phase], Phase]) -> Session:
    """The session with one phase changed. Raises NotAllowed for an unknown one."""
    if session.phase(key) is None:
        raise NotAllowed(f"unknown phase '{key}'")
    changed = (change(one) if one.key == key else one for one in session.phases)
    return replace(session, phases=tuple(changed))


def moved(phase: Phase, action: str, at: str) -> Phase:
    """The phase after `start`, `complete`, `fail`, `retry` or `skip`. Raises NotAllowed."""
    status = phases_.after(phase.status, action)
    if status is None:
        raise NotAllowed(f"phase '{phase.key}' is '{phase.status}': cannot {action}")
    ends = at if status == phases_.COMPLETED else None
    return replace(
        phase, status=status, started=phase.started or _start(status, at), completed=ends
    )


def _start(status: str, at: str) -> str | None:
    return at if status == phases_.IN_PROGRESS else None


def with_context(phase: Phase, context: Mapping[str, Any]) -> Phase:
    """The downstream context with what is new at its end, each once."""
    grown = {
        name: tuple(
            dict.fromkeys((*phase.downstream_context.get(name, ()), *(context.get(name) or ())))
        )
        for name in CONTEXT
    }
    return replace(phase, downstream_context={k: v for k, v in grown.items() if v})


def count(by_agent: Mapping[str, Usage], name: str, usage: Mapping[str, Any]) -> dict[str, Usage]:
    """The tally with one more report of an agent's."""
    more = Usage(*(int(usage.get(part) or 0) for part in ("input", "output", "cached")))
    return {**by_agent, name: by_agent.get(name, Usage()) + more}


@dataclass(frozen=True, slots=True)
class Position:
    """Where an orchestration stands. `express` says what an express session needs next."""

    last_completed: Phase | None
    active: Phase | None
    failed: tuple[Phase, ...]
    next: Phase | None
    express: str | None = None


def position(session: Session) -> Position:
    """Last completed, the active one, the failed ones, where to go on.

    Active is what is in progress, else the first pending. To go on: what is in
    progress, else the first pending or failed phase that nothing blocks. A failed
    phase all of whose errors are answered was left behind, and is in neither.
    """
    by_status = {status: _of(session, status) for status in phases_.STATUSES}
    done, running = by_status[phases_.COMPLETED], by_status[phases_.IN_PROGRESS]
    failed = tuple(one for one in by_status[phases_.FAILED] if not left_behind(one))
    waiting = [one for one in session.phases if one.status == phases_.PENDING or one in failed]
    free = [one for one in waiting if not phases_.waiting_for(one, session.phases)]
    active = _first(running or by_status[phases_.PENDING])
    next_ = _first(running or free)
    return Position(done[-1] if done else None, active, failed, next_, _express(session))


def left_behind(phase: Phase) -> bool:
    return phase.status == phases_.FAILED and bool(phase.errors) and not phase.unresolved


def _first(found: list[Phase]) -> Phase | None:
    return found[0] if found else None


def _of(session: Session, status: str) -> list[Phase]:
    return [one for one in session.phases if one.status == status]


_EXPRESS = {
    phases_.PENDING: "brief again",
    phases_.IN_PROGRESS: "delegate again",
    phases_.FAILED: "retry, or abort",
    phases_.COMPLETED: "review, then archive",
}


def _express(session: Session) -> str | None:
    if session.workflow_mode != EXPRESS or not session.phases:
        return None
    return _EXPRESS.get(session.phases[0].status)


def all_completed(session: Session) -> bool:
    """Whether every phase is completed: none skipped, none failed, at least one."""
    return bool(session.phases) and all(one.status == phases_.COMPLETED for one in session.phases)
