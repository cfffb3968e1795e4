"""The JSON Schema of the snapshot, from its types: what docs/SNAPSHOT.md publishes."""

from __future__ import annotations

import json
from typing import Any, NotRequired, get_args, get_origin, get_type_hints

from gitledger.model.fields import GRANULARITIES, MODES, TASK_STATUSES
from gitledger.model.lifecycle import STATES, STATUSES
from gitledger.model.snapshot import VERSION, Check, Merged, Snapshot, TaskResult, Usage

_SIMPLE = {str: {"type": "string"}, int: {"type": "integer"}, bool: {"type": "boolean"}}
_WORDS = {
    "status": STATUSES,
    "state": STATES,
    "execution_mode": MODES,
    "granularity": GRANULARITIES,
}
# Field to what it means, in the order of the types.
MEANING = {
    "snapshot_version": "this page's version: the first number goes up when a field is removed, renamed or narrowed, the second when one is added",
    "id": "word for word as it was given",
    "title": "the task in a line",
    "slug": "the title in lower case, joined by hyphens",
    "status": "where it is in its life",
    "state": "derived from the status: `running` is spawned or resumed, `closed` completed or failed",
    "iteration": "how often it has reported",
    "execution_mode": "`parallel` with a group or a queue, unless it was told",
    "is_background": "whether it was started in the background",
    "checks": "its configured checks, each with the exit code, time and commit of its last run",
    "usage": "tokens, as sums of what was reported",
    "tool_uses": "a sum of what was reported",
    "turn_count": "a sum of what was reported",
    "compaction_count": "a sum of what was reported",
    "files_modified": "sorted paths of its committed own changes, by git",
    "role": "the kind of agent",
    "parent": "the id of the agent that spawned it",
    "branch": "short name; absent when detached or not begun",
    "worktree": "absolute path, while it stands",
    "spawn_commit": "the commit that it started from",
    "head": "the last commit of its work",
    "target": "the branch that its work is merged into",
    "phase": "free text, as in `02.1`",
    "plan": "free text",
    "segment": "of a plan in segments",
    "group": "the batch that it belongs to",
    "granularity": "what it carries out; for an agent with phase, plan or group",
    "depends_on": "ids or plan references",
    "files_declared": "paths that it is expected to touch",
    "session": "the orchestration session",
    "session_phase": "its phase in that session",
    "queued_at": "when it was queued",
    "spawned_at": "when it began",
    "completed_at": "when it was completed or failed",
    "resumes": "when it was resumed, each time",
    "retry_of": "the id of the agent whose task it tries again",
    "max_turns": "how many turns it may take",
    "output_file": "where its transcript is",
    "outcome": "what its completion marker said at the last report",
    "result": "its own words",
    "error": "why it failed",
    "summary": "its own words, apart from what git says",
    "checkpoints_skipped": "how many were skipped",
    "task_results": "by task, for a group of tasks",
    "merged": "where the target holds its work already",
    "churn": "true from the fourth report on (`ledger.churnThreshold`); never false",
}


def schema() -> dict[str, Any]:
    """JSON Schema, draft 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"git-ledger agent snapshot {VERSION}",
        **_object(Snapshot),
        "$defs": {one.__name__: _object(one) for one in (Usage, Check, TaskResult, Merged)},
    }


def _object(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    total = kind.__total__
    required = [
        name for name, hint in hints.items() if total and get_origin(hint) is not NotRequired
    ]
    known = {name: _typed(name, hint) for name, hint in hints.items()}
    if kind is TaskResult:
        known["status"]["enum"] = list(TASK_STATUSES)
    found: dict[str, Any] = {"type": "object", "properties": known, "additionalProperties": False}
    return {**found, "required": required} if required else found


def _typed(name: str, hint: Any) -> dict[str, Any]:
    if get_origin(hint) is NotRequired:
        return _typed(name, get_args(hint)[0])
    if hint is Any:
        return {}
    if hint in _SIMPLE:
        known = _WORDS.get(name)
        return {**_SIMPLE[hint], "enum": list(known)} if known else dict(_SIMPLE[hint])
    if get_origin(hint) is list:
        return {"type": "array", "items": _typed("", get_args(hint)[0])}
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": _typed("", get_args(hint)[1])}
    return {"$ref": f"#/$defs/{hint.__name__}"}


def required() -> list[str]:
    return list(schema()["required"])


def table() -> str:
    """Every field, its type and what it means."""
    always = set(required())
    rows = ["| field | | meaning |", "|---|---|---|"]
    for name, words in MEANING.items():
        rows.append(f"| `{name}` | {'' if name in always else 'optional'} | {words} |")
    return "\n".join(rows) + "\n"


def block() -> str:
    return f"```json\n{json.dumps(schema(), indent=2)}\n```\n"
