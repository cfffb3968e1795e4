"""The fields that an agent's events may carry, and what each may hold.

An event may have been written by another program: a value of a wrong type is
passed over and named, never trusted. Source: REQUIREMENTS section 1, docs/FORMAT.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

USAGE = ("input", "output", "cached")
COUNTERS = ("tool_uses", "turn_count", "compaction_count")
MODES = ("sequential", "parallel")
GRANULARITIES = ("plan", "task_group")
TASK_STATUSES = ("completed", "failed", "skipped")


class Rule(NamedTuple):
    """`holds` tells a good value, `words` says what one is."""

    holds: Callable[[Any], bool]
    words: str


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_checks(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and _is_text(one.get("name")) and _is_text(one.get("command", ""))
        for one in value
    )


def _is_changes(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == len("mp") and _is_texts(one) for one in value
    )


def _is_usage(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_count(value.get(part, 0)) for part in USAGE)


def _is_tasks(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, dict) for one in value.values())


TEXT = Rule(_is_text, "text")
COUNT = Rule(_is_count, "a whole number from 0")
TEXTS = Rule(_is_texts, "a list of texts")
FLAG = Rule(lambda value: isinstance(value, bool), "true or false")
OBJECT = Rule(lambda value: isinstance(value, dict), "an object")


def _one_of(*words: str) -> Rule:
    return Rule(lambda value: value in words, " or ".join(words))


SETTABLE: dict[str, Rule] = {
    "title": TEXT,
    "role": TEXT,
    "parent": TEXT,
    "target": TEXT,
    "group": TEXT,
    "granularity": _one_of(*GRANULARITIES),
    "phase": TEXT,
    "plan": TEXT,
    "segment": COUNT,
    "depends_on": TEXTS,
    "files_declared": TEXTS,
    "execution_mode": _one_of(*MODES),
    "is_background": FLAG,
    "max_turns": COUNT,
    "output_file": TEXT,
    "session": TEXT,
    "session_phase": TEXT,
    "checks": Rule(_is_checks, "a list of objects with name and command"),
    "owner": OBJECT,
    "retry_of": TEXT,
}
BINDING: dict[str, Rule] = {"worktree": TEXT, "worktree_id": TEXT, "branch": TEXT}
SPAWN: dict[str, Rule] = {**BINDING, "spawn_commit": TEXT, "late": FLAG}
REPORT: dict[str, Rule] = {
    "summary": TEXT,
    "result": TEXT,
    "outcome": TEXT,
    "work": OBJECT,
    "task_results": Rule(_is_tasks, "an object of objects"),
    "checkpoints_skipped": COUNT,
    "output_file": TEXT,
}
END: dict[str, Rule] = {
    "summary": TEXT,
    "result": TEXT,
    "error": TEXT,
    "target": TEXT,
    "base": TEXT,
    "head": TEXT,
    "files": Rule(_is_changes, "a list of [change, path]"),
    "merged": OBJECT,
    "how": TEXT,
}
ADDED: dict[str, Rule] = {
    "usage": Rule(_is_usage, "an object of input, output, cached"),
    **dict.fromkeys(COUNTERS, COUNT),
}
IMPORTED: dict[str, Rule] = {
    **dict.fromkeys(("queued_at", "spawned_at", "completed_at", "error"), TEXT),
    "files_said": TEXTS,
}
