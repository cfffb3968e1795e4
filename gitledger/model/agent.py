"""An agent: what its events say it is. Pure, whatever order they came in.

Source: REQUIREMENTS section 1; the kinds of events are listed in docs/FORMAT.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.model.agent_rules import RULES, NotAllowed, note_fault
from gitledger.model.lifecycle import RUNNING, SPAWNED, TERMINAL, state
from gitledger.model.names import slug
from gitledger.model.order import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.model.event import Event


_NONE_YET: Mapping[str, int] = {}


class Agent(NamedTuple):
    """What is on record of an agent. None is: never told, or not happened yet.

    `worktree`, `worktree_id` and `branch` are the latest that were recorded; where
    the agent is now is git's to say. `base`, `head` and `files` (each `[change, path]`)
    are frozen by the event that ended it. `usage` and the counters are sums.
    `imports` are foreign records, each with its event's id. `faults` are events and
    fields that the rules do not allow, by event id and why: kept, and without effect.
    """

    id: str
    title: str
    status: str
    iteration: int = 0

    role: str | None = None
    parent: str | None = None
    target: str | None = None
    owner: Mapping[str, Any] | None = None
    retry_of: str | None = None
    session: str | None = None
    session_phase: str | None = None
    phase: str | None = None
    plan: str | None = None
    segment: int | None = None
    group: str | None = None
    granularity: str | None = None
    execution_mode: str | None = None
    depends_on: tuple[str, ...] = ()
    files_declared: tuple[str, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    is_background: bool = False
    max_turns: int | None = None
    output_file: str | None = None

    worktree: str | None = None
    worktree_id: str | None = None
    branch: str | None = None
    spawn_commit: str | None = None
    spawn_source: str | None = None
    late: bool = False

    queued_at: str | None = None
    spawned_at: str | None = None
    reported_at: str | None = None
    interrupted_at: str | None = None
    completed_at: str | None = None
    resumes: tuple[str, ...] = ()
    last_event_at: str | None = None

    outcome: str | None = None
    summary: str | None = None
    result: str | None = None
    error: str | None = None
    work: Mapping[str, Any] | None = None
    task_results: Mapping[str, Any] | None = None
    checkpoints_skipped: int | None = None
    usage: Mapping[str, int] = _NONE_YET
    tool_uses: int = 0
    turn_count: int = 0
    compaction_count: int = 0

    revised_why: str | None = None
    interrupted_why: str | None = None
    evidence: Any = None
    base: str | None = None
    head: str | None = None
    files: tuple[tuple[str, str], ...] | None = None
    files_said: tuple[str, ...] = ()
    merged: Mapping[str, str] | None = None
    how: str | None = None

    imports: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def slug(self) -> str:
        return slug(self.title)

    @property
    def state(self) -> str:
        return state(self.status)

    @property
    def ended(self) -> bool:
        """Completed or failed: nothing leads out of it."""
        return self.status in TERMINAL

    @property
    def running(self) -> bool:
        """Spawned or resumed, as far as the record knows."""
        return self.status in RUNNING


def fold(events: Iterable[Event], name: str | None = None) -> Agent | None:
    """The agent that the events make; None where there is none in them.

    Independent of the order of arrival and of repeats. `name` is the id that the ref
    gives, for a log whose first line can't be read: then it counts as spawned.
    """
    found: dict[str, Any] = {}
    ordered = in_order(events)
    if name and ordered and not any(one.kind in _BEGINS for one in ordered):
        found = {"id": name, "status": SPAWNED}
        note_fault(found, ordered[0], "the beginning of the log is missing")
    for event in ordered:
        _apply(found, event)
    return _built(found) if "id" in found and "status" in found else None


_BEGINS = frozenset({"queued", "spawned", "imported"})


def _apply(found: dict[str, Any], event: Event) -> None:
    rule = RULES.get(event.kind)
    at = event.at
    if at[:4].isdigit() and at > found.get("last_event_at", ""):
        found["last_event_at"] = at
    if rule is None:
        return
    try:
        rule(found, event)
    except NotAllowed as error:
        note_fault(found, event, str(error))


def _built(found: dict[str, Any]) -> Agent:
    found.setdefault("title", found["id"])
    found["faults"] = tuple(found.get("faults", ()))
    if "files" in found:
        found["files"] = tuple((change, path) for change, path in found["files"])
    return Agent(**found)
