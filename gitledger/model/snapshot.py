"""The public snapshot of an agent: what other programs may build on, by value.

Source: REQUIREMENTS section 3. A field is admitted only when it is JSON by value,
settled rather than momentary, of use outside this package and stable in meaning.
What fails is declined as a live object, momentary activity, internal bookkeeping or
a display snapshot. Adding a field is minor, removing or narrowing one is major.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, cast

from gitledger.model.fields import USAGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.model.agent import Agent

VERSION = "1.0"
CHURN_THRESHOLD = 4  # reports: from this one on the task was probably cut wrong


class Merged(TypedDict):
    """Where the agent's work is: the branch (short name) and the commit it had then."""

    into: str
    commit: str


class Usage(TypedDict):
    """Tokens, as sums of what was reported."""

    input: int
    output: int
    cached: int


class Check(TypedDict):
    """A configured check; the last three once it has run."""

    name: str
    command: str
    exit_code: NotRequired[int]
    at: NotRequired[str]
    commit: NotRequired[str]


class TaskResult(TypedDict, total=False):
    """How one task of a group ended: `completed`, `failed` or `skipped`."""

    status: str
    files: list[str]
    deviations: Any


class Snapshot(TypedDict):
    r"""An agent at one moment. Produced here, never built by a consumer.

    Times are UTC, ISO 8601 with `Z`; object ids are whole; branches short names;
    paths of files are relative to the top of the repository. Bytes that are not
    UTF-8 are `\udcXX`. An optional field is absent, never null.
    """

    snapshot_version: str
    id: str
    title: str
    slug: str
    status: str
    state: str
    iteration: int
    execution_mode: str
    is_background: bool
    checks: list[Check]
    usage: Usage
    tool_uses: int
    turn_count: int
    compaction_count: int
    files_modified: list[str]

    role: NotRequired[str]
    parent: NotRequired[str]
    branch: NotRequired[str]
    worktree: NotRequired[str]
    spawn_commit: NotRequired[str]
    head: NotRequired[str]
    target: NotRequired[str]
    phase: NotRequired[str]
    plan: NotRequired[str]
    segment: NotRequired[int]
    group: NotRequired[str]
    granularity: NotRequired[str]
    depends_on: NotRequired[list[str]]
    files_declared: NotRequired[list[str]]
    session: NotRequired[str]
    session_phase: NotRequired[str]
    queued_at: NotRequired[str]
    spawned_at: NotRequired[str]
    completed_at: NotRequired[str]
    resumes: NotRequired[list[str]]
    retry_of: NotRequired[str]
    max_turns: NotRequired[int]
    output_file: NotRequired[str]
    outcome: NotRequired[str]
    result: NotRequired[str]
    error: NotRequired[str]
    summary: NotRequired[str]
    checkpoints_skipped: NotRequired[int]
    task_results: NotRequired[dict[str, TaskResult]]
    merged: NotRequired[Merged]
    churn: NotRequired[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What git says of an agent now. None: git has no such thing.

    `files` are the paths of its committed own changes. `dirty` is for a person who
    looks now; it is momentary, and no part of the snapshot.
    """

    branch: str | None = None
    worktree: str | None = None
    head: str | None = None
    target: str | None = None
    files: Sequence[str] | None = None
    merged: Mapping[str, str] | None = None
    dirty: bool = False
    churn_threshold: int = CHURN_THRESHOLD


NOTHING = Facts()

# Texts and numbers, taken from the record under their own names where they were told.
_FROM_RECORD = (
    *("role", "parent", "spawn_commit", "phase", "plan", "segment", "group"),
    *("session", "session_phase", "queued_at", "spawned_at", "completed_at", "retry_of"),
    *("max_turns", "output_file", "outcome", "result", "error", "summary"),
    "checkpoints_skipped",
)
_LISTS = ("depends_on", "files_declared", "resumes")  # absent when empty
_CHECK = ("name", "command", "exit_code", "at", "commit")
_TASK = ("status", "files", "deviations")


def snapshot(agent: Agent, facts: Facts = NOTHING) -> Snapshot:
    """The agent by value: no later change reaches it, and changing it changes nothing."""
    found: dict[str, Any] = _required(agent, facts)
    for name in _FROM_RECORD:
        value = getattr(agent, name)
        if value is not None:
            found[name] = value
    for name in _LISTS:
        value = getattr(agent, name)
        if value:
            found[name] = list(value)
    found |= {name: value for name, value in _from_git(agent, facts).items() if value is not None}
    if agent.task_results is not None:
        found["task_results"] = _tasks(agent.task_results)
    return cast("Snapshot", {name: found[name] for name in _ORDER if name in found})


_ORDER = tuple(Snapshot.__annotations__)


def _required(agent: Agent, facts: Facts) -> dict[str, Any]:
    files = facts.files if facts.files is not None else _recorded_files(agent)
    return {
        "snapshot_version": VERSION,
        "id": agent.id,
        "title": agent.title,
        "slug": agent.slug,
        "status": agent.status,
        "state": agent.state,
        "iteration": agent.iteration,
        "execution_mode": execution_mode(agent),
        "is_background": agent.is_background,
        "checks": [{name: one[name] for name in _CHECK if name in one} for one in agent.checks],
        "usage": {part: agent.usage.get(part, 0) for part in USAGE},
        "tool_uses": agent.tool_uses,
        "turn_count": agent.turn_count,
        "compaction_count": agent.compaction_count,
        "files_modified": sorted(set(files)),
    }


def execution_mode(agent: Agent) -> str:
    """`parallel` with a group or a queue, unless told."""
    apart = agent.group is not None or agent.queued_at is not None
    return agent.execution_mode or ("parallel" if apart else "sequential")


def _recorded_files(agent: Agent) -> Sequence[str]:
    if agent.files is not None:
        return [path for _, path in agent.files]
    return agent.files_said


def _from_git(agent: Agent, facts: Facts) -> dict[str, Any]:
    merged = facts.merged or agent.merged
    named = {name: merged[name] for name in ("into", "commit") if name in merged} if merged else {}
    return {
        "branch": facts.branch,
        "worktree": facts.worktree,
        "head": facts.head or agent.head,
        "target": agent.target or facts.target,
        "merged": named or None,
        "granularity": _granularity(agent),
        "churn": agent.iteration >= facts.churn_threshold or None,
    }


def _granularity(agent: Agent) -> str | None:
    """`plan` by default, for an agent that has a phase, a plan or a group."""
    if agent.granularity:
        return agent.granularity
    return "plan" if agent.phase or agent.plan or agent.group else None


def _tasks(results: Mapping[str, Any]) -> dict[str, Any]:
    return {
        task: {name: _copy(one[name]) for name in _TASK if name in one}
        for task, one in results.items()
    }


def _copy(value: Any) -> Any:
    """JSON values, copied all the way down."""
    if isinstance(value, dict):
        return {name: _copy(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(one) for one in value]
    return value
