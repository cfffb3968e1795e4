"""A phase of an orchestration, what it may become, and which phases fit together.

Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PENDING, IN_PROGRESS, COMPLETED = "pending", "in_progress", "completed"
FAILED, SKIPPED = "failed", "skipped"
STATUSES = (PENDING, IN_PROGRESS, COMPLETED, FAILED, SKIPPED)

# (status, what is done) -> status. Everything else is refused.
TRANSITIONS = {
    (PENDING, "start"): IN_PROGRESS,
    (PENDING, "skip"): SKIPPED,
    (IN_PROGRESS, "complete"): COMPLETED,
    (IN_PROGRESS, "fail"): FAILED,
    (FAILED, "retry"): IN_PROGRESS,
}
INDICATORS = {
    COMPLETED: "✓",
    IN_PROGRESS: "○",
    FAILED: "✗",
    PENDING: "□",
    SKIPPED: "–",  # noqa: RUF001 - an en dash is meant
}
ERROR_TYPES = ("validation", "timeout", "file_conflict", "runtime", "dependency")
RETRIES = 2
UNANSWERED = "pending"  # the resolution of an error at first
MANIFEST = ("files_created", "files_modified", "files_deleted")
CONTEXT = (
    "key_interfaces_introduced",
    "patterns_established",
    "integration_points",
    "assumptions",
    "warnings",
)


@dataclass(frozen=True, slots=True)
class PhaseError:
    """What went wrong in a phase. `id` is that of the event that told it."""

    id: str
    agent: str
    timestamp: str
    type: str
    message: str
    resolution: str = UNANSWERED
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Phase:
    """`id` as it was written (a number or words); `extra` what a foreign record has besides."""

    id: int | float | str
    name: str
    status: str = PENDING
    agents: tuple[str, ...] = ()
    parallel: bool = False
    started: str | None = None
    completed: str | None = None
    blocked_by: tuple[int | float | str, ...] = ()
    files_created: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    files_deleted: tuple[str, ...] = ()
    downstream_context: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    errors: tuple[PhaseError, ...] = ()
    retry_count: int = 0
    files_declared: tuple[str, ...] = ()
    agent_ids: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return str(self.id)

    @property
    def unresolved(self) -> tuple[PhaseError, ...]:
        return tuple(one for one in self.errors if not one.resolved)

    @property
    def files(self) -> tuple[str, ...]:
        """Every path of the manifest."""
        return self.files_created + self.files_modified + self.files_deleted


def after(status: str, action: str) -> str | None:
    """What a phase becomes, None where that is not allowed."""
    return TRANSITIONS.get((status, action))


def refuse_transition(phase: Phase, action: str) -> LedgerError:
    """The error for a transition that is not allowed: both states, and what is allowed."""
    goals = [to for (_, act), to in TRANSITIONS.items() if act == action]
    allowed = [act for (was, act) in TRANSITIONS if was == phase.status]
    hint = f"allowed from '{phase.status}': {', '.join(allowed)}" if allowed else "it has ended"
    return LedgerError(
        f"phase '{phase.key}' is '{phase.status}' and cannot become '{goals[0]}'", hint
    )


def find(phases: Iterable[Phase], key: str) -> Phase | None:
    return next((one for one in phases if one.key == key), None)


def waiting_for(phase: Phase, phases: Sequence[Phase]) -> list[Phase]:
    """The phases that still block this one: neither completed nor skipped."""
    found = [find(phases, str(one)) for one in phase.blocked_by]
    return [one for one in found if one and one.status not in {COMPLETED, SKIPPED}]


def check_phases(phases: Sequence[Phase]) -> None:
    """Raises LedgerError for repeated and unknown ids, cycles, and files with two owners."""
    check_ids(phases, phases)
    _refuse_cycle(phases)
    _refuse_two_owners(phases)


def check_ids(phases: Sequence[Phase], fresh: Sequence[Phase]) -> None:
    """Raises LedgerError where one of the fresh repeats an id or waits for an unknown one."""
    keys = [one.key for one in phases]
    for one in fresh:
        if keys.count(one.key) > 1:
            raise LedgerError(f"two phases have the id '{one.key}'", "give each its own")
        unknown = next((str(b) for b in one.blocked_by if str(b) not in keys), None)
        if unknown is not None:
            raise LedgerError(
                f"phase '{one.key}' is blocked by an unknown phase '{unknown}'",
                f"known: {', '.join(keys)}",
            )


def _refuse_cycle(phases: Sequence[Phase]) -> None:
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter({one.key: [str(b) for b in one.blocked_by] for one in phases}).prepare()
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise LedgerError(
            f"the phases block each other in a circle: {circle}", "take one of the blocks away"
        ) from None


def _refuse_two_owners(phases: Sequence[Phase]) -> None:
    at_once = [one for one in phases if one.parallel and one.files_declared]
    before = {one.key: _before(one.key, phases) for one in at_once}
    for number, one in enumerate(at_once):
        for other in at_once[number + 1 :]:
            if one.key in before[other.key] or other.key in before[one.key]:
                continue
            shared = _shared(one.files_declared, other.files_declared)
            if shared:
                raise LedgerError(
                    f"phases '{one.key}' and '{other.key}' run in parallel and both own '{shared}'",
                    "let one be blocked by the other, or divide the files",
                )


def _before(key: str, phases: Sequence[Phase]) -> set[str]:
    """The keys of all phases that must end before this one starts."""
    blockers = {one.key: [str(b) for b in one.blocked_by] for one in phases}
    found: set[str] = set()
    todo = list(blockers[key])
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += blockers.get(one, [])
    return found


def _shared(ours: Iterable[str], theirs: Iterable[str]) -> str | None:
    """A path that both own; a directory owns what lies below it."""
    others = [one.rstrip("/") for one in theirs]
    for path in (one.rstrip("/") for one in ours):
        for other in others:
            if path == other or other.startswith(path + "/"):
                return other
            if path.startswith(other + "/"):
                return path
    return None


def with_files(phase: Phase, kinds: Mapping[str, Iterable[str]]) -> Phase:
    """The manifest with more paths at its end, each once."""
    grown = {
        kind: tuple(dict.fromkeys((*getattr(phase, kind), *kinds.get(kind, ()))))
        for kind in MANIFEST
    }
    return replace(
        phase,
        files_created=grown["files_created"],
        files_modified=grown["files_modified"],
        files_deleted=grown["files_deleted"],
    )
