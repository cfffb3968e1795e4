"""What each kind of event does to an agent's fields: one small rule a kind.

A rule changes a plain dict of fields; what it does not allow it raises as
NotAllowed and leaves the dict as it was. Source: docs/FORMAT.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger.model import fields
from gitledger.model.lifecycle import EVENTS, STATUSES, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitledger.model.event import Event
    from gitledger.model.fields import Rule

    State = dict[str, Any]


class NotAllowed(Exception):
    """An event that the lifecycle does not allow where it stands."""


def note_fault(state: State, event: Event, why: str) -> None:
    state.setdefault("faults", []).append((event.id, why))


def take(state: State, event: Event, rules: Mapping[str, Rule]) -> None:
    """Copy the keys that the rules know; a null takes a field away, a wrong type is named."""
    for name, value in event.body.items():
        if name not in rules:
            continue
        if value is None:
            state.pop(name, None)
        elif rules[name].holds(value):
            state[name] = tuple(value) if isinstance(value, list) else value
        else:
            note_fault(state, event, f"field '{name}' is not {rules[name].words}")


def _move(state: State, event: Event) -> None:
    """Go to the status that the event leads to. Raises NotAllowed."""
    status = state.get("status")
    moves = EVENTS[event.kind]
    if status not in moves:
        raise NotAllowed(f"'{event.kind}' after {status or 'nothing'}")
    state["status"] = moves[status]


def _named(state: State, event: Event) -> None:
    """The id is the first one told."""
    told = event.body.get("id")
    if isinstance(told, str) and told:
        state.setdefault("id", told)
    elif told is not None:
        note_fault(state, event, "field 'id' is not text")


def _queued(state: State, event: Event) -> None:
    _move(state, event)
    _named(state, event)
    take(state, event, fields.SETTABLE)
    state["queued_at"] = event.at


def _spawned(state: State, event: Event) -> None:
    _move(state, event)
    _named(state, event)
    take(state, event, fields.SETTABLE)
    take(state, event, fields.SPAWN)
    since, source = event.body.get("since"), event.body.get("source")
    state["spawned_at"] = since if isinstance(since, str) else event.at
    if isinstance(source, str):
        state["spawn_source"] = source


def _set(state: State, event: Event) -> None:
    runs = state.get("checks")
    take(state, event, fields.SETTABLE)
    if runs and "checks" in state:
        state["checks"] = _joined_checks(state["checks"], runs)


def _joined_checks(wanted: Any, runs: Any) -> tuple[dict[str, Any], ...]:
    """The configured checks, each with what is known of its last run."""
    known = {one["name"]: one for one in runs}
    return tuple({**known.get(one["name"], {}), **one} for one in wanted)


def _add(state: State, event: Event) -> None:
    """Counters are sums of what was reported."""
    told: State = {}
    take(told, event, fields.ADDED)
    for name in fields.COUNTERS:
        if name in told:
            state[name] = state.get(name, 0) + told[name]
    if "usage" in told:
        before, more = state.get("usage", {}), told["usage"]
        state["usage"] = {p: before.get(p, 0) + more.get(p, 0) for p in fields.USAGE}
    for fault in told.get("faults", ()):
        state.setdefault("faults", []).append(fault)


def _reported(state: State, event: Event) -> None:
    _move(state, event)
    state["iteration"] = state.get("iteration", 0) + 1
    state["reported_at"] = event.at
    take(state, event, fields.REPORT)
    _add(state, event)
    runs: State = {}
    take(runs, event, {"checks": fields.SETTABLE["checks"]})
    if "checks" in runs:
        configured = state.get("checks", ())
        names = {one["name"] for one in configured}
        more = [one for one in runs["checks"] if one["name"] not in names]
        by_name = {one["name"]: one for one in runs["checks"]}
        state["checks"] = (*({**c, **by_name.get(c["name"], {})} for c in configured), *more)


def _revised(state: State, event: Event) -> None:
    _move(state, event)
    _keep_text(state, event, "why", "revised_why")
    _owned_anew(state, event)


def _owned_anew(state: State, event: Event) -> None:
    """A new run has a new process, or one that nobody told: the old one proves nothing."""
    state.pop("owner", None)
    take(state, event, {"owner": fields.OBJECT})


def _keep_text(state: State, event: Event, key: str, name: str) -> None:
    value = event.body.get(key)
    if isinstance(value, str):
        state[name] = value


def _interrupted(state: State, event: Event) -> None:
    _move(state, event)
    state["interrupted_at"] = event.at
    _keep_text(state, event, "why", "interrupted_why")
    if "evidence" in event.body:
        state["evidence"] = event.body["evidence"]


def _resumed(state: State, event: Event) -> None:
    _move(state, event)
    state["resumes"] = (*state.get("resumes", ()), event.at)
    take(state, event, fields.BINDING)
    _owned_anew(state, event)


def _bound(state: State, event: Event) -> None:
    take(state, event, fields.BINDING)


def _ended(state: State, event: Event) -> None:
    _move(state, event)
    state["completed_at"] = event.at
    take(state, event, fields.END)


def _imported(state: State, event: Event) -> None:
    """A foreign record as its reader understood it. Its status stands, unless ours has ended."""
    body = event.body
    if state.get("status") in TERMINAL:
        raise NotAllowed(f"'imported' after {state['status']}")
    if body.get("status") not in STATUSES:
        raise NotAllowed(f"unknown status {body.get('status')!r}")
    _named(state, event)
    state["status"] = body["status"]
    take(state, event, fields.SETTABLE)
    take(state, event, fields.REPORT)
    take(state, event, fields.IMPORTED)
    again, resumes = body.get("resumed_at"), state.get("resumes", ())
    if isinstance(again, str) and again not in resumes:
        state["resumes"] = (*resumes, again)
    state["imports"] = (*state.get("imports", ()), (event.id, body))


RULES: dict[str, Callable[[State, Event], None]] = {
    "queued": _queued,
    "spawned": _spawned,
    "set": _set,
    "reported": _reported,
    "revised": _revised,
    "interrupted": _interrupted,
    "resumed": _resumed,
    "completed": _ended,
    "failed": _ended,
    "bound": _bound,
    "usage": _add,
    "imported": _imported,
}
