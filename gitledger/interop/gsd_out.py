"""Agents as entries of GSD's history: one a run, explicit nulls, foreign fields kept.

What was imported comes out word for word; where the ledger knows better since, only
those fields change. Source: REQUIREMENTS section 6.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.model.agent import fold
from gitledger.model.lifecycle import AWAITING, INTERRUPTED, QUEUED, SPAWNED, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.model.agent import Agent
    from gitledger.model.event import Event
    from gitledger.model.snapshot import Snapshot

FORMAT = "gsd"


@dataclass(frozen=True)
class Entry:
    """One entry; `place` is where it stood in the file that it came from."""

    body: dict[str, Any]
    place: int | None = None

    @property
    def order(self) -> tuple[bool, int, str]:
        """What was imported in its own order, then the others by time."""
        return (self.place is None, self.place or 0, self.body["timestamp"] or "")


def entries(agent: Agent, now: Snapshot, events: Sequence[Event]) -> list[Entry]:
    """The runs of one agent, the oldest first. `now` is its snapshot."""
    runs = _own(agent, now["files_modified"])
    imported = [one for one in events if one.kind == "imported" and _foreign(one)]
    before = fold(imported) if imported else None
    if before is None:
        return [Entry(run) for run in runs]
    kept = [_kept(one) for one in imported if _is_last(one, imported)]
    known = _own(before, sorted(set(before.files_said)))
    grown = [
        Entry(_changed(was.body, *two), was.place)
        for was, *two in zip(kept, known, runs, strict=False)
    ]
    return [*grown, *kept[len(grown) :], *(Entry(run) for run in runs[len(grown) :])]


def _kept(event: Event) -> Entry:
    place = event.body.get("place")
    return Entry(dict(event.body["entry"]), place if isinstance(place, int) else None)


def _foreign(event: Event) -> bool:
    return event.body.get("from") == FORMAT and isinstance(event.body.get("entry"), dict)


def _is_last(event: Event, imported: Sequence[Event]) -> bool:
    """Whether a later import has not told the same run anew."""
    later = imported[imported.index(event) + 1 :]
    return all(one.body.get("run") != event.body.get("run") for one in later)


def _changed(kept: dict[str, Any], known: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """The entry as it came in, with what has changed since."""
    return {**kept, **{name: value for name, value in now.items() if value != known[name]}}


def _own(agent: Agent, files: Sequence[str]) -> list[dict[str, Any]]:
    starts = [agent.queued_at if agent.status == QUEUED else agent.spawned_at, *agent.resumes]
    # A record that began with its resumption knows of no earlier run.
    times = [one for one in starts if one] or [""]
    last = len(times) - 1
    return [_run(agent, seconds(at), files, last=number == last) for number, at in enumerate(times)]


def _run(agent: Agent, at: str, files: Sequence[str], *, last: bool) -> dict[str, Any]:
    ended = last and agent.status in TERMINAL
    return {
        "agent_id": agent.id,
        "task_description": agent.title,
        "phase": agent.phase,
        "plan": agent.plan,
        "segment": agent.segment,
        "timestamp": at or None,
        "status": _status(agent) if last else INTERRUPTED,
        "completion_timestamp": seconds(agent.completed_at or "") or None if ended else None,
        "execution_mode": _mode(agent),
        "parallel_group": agent.group,
        "granularity": agent.granularity or "plan",
        "depends_on": list(agent.depends_on) or None,
        "files_modified": list(files) or None if last else None,
        "checkpoints_skipped": agent.checkpoints_skipped if last else None,
        "task_results": dict(agent.task_results) if last and agent.task_results else None,
    }


def _status(agent: Agent) -> str:
    return SPAWNED if agent.status == AWAITING else agent.status


def _mode(agent: Agent) -> str:
    if agent.execution_mode:
        return agent.execution_mode
    return "parallel" if agent.group or agent.queued_at else "sequential"


def seconds(at: str) -> str:
    """An event's time in whole seconds, as the format has it."""
    return at.split(".", 1)[0] + "Z" if "." in at else at


def document(found: Iterable[dict[str, Any]], version: str, most: int) -> str:
    """The whole file, with a newline at its end."""
    whole = {"version": version, "max_entries": most, "entries": list(found)}
    readable = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
    try:
        readable.encode()
    except UnicodeEncodeError:  # a half of a surrogate pair: only an escape can say it
        return json.dumps(whole, indent=2) + "\n"
    return readable
