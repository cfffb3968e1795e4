"""An agent's life in order: the events of its log and the commits of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from gitledger.git.commits import signatures
from gitledger.model.order import in_order
from gitledger.services.late import late_commits
from gitledger.services.work import commits_of, own_changes
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.model.event import Event
    from gitledger.services.live import LiveAgent, View

_COMMON = ("v", "kind", "at", "prev", "nonce")


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of a life: when, what, in words. `oid` is the event's or the commit's id."""

    at: str
    kind: str
    words: str
    oid: str


def events_of(view: View, ref: str) -> list[dict[str, Any]]:
    """The events of a log in their order, each with its id, as JSON values."""
    ordered = in_order(logs.read(view.repo, ref).events)
    return [{"id": one.id, **one.body, "kind": one.kind, "at": one.at} for one in ordered]


def life(view: View, one: LiveAgent, ref: str) -> list[Moment]:
    """Events in their order, each commit where its time falls among them.

    git counts whole seconds: what a report or an end holds came before it.
    """
    ordered = in_order(logs.read(view.repo, ref).events)
    parts = [[Moment(event.at, event.kind, _words(event), event.id)] for event in ordered]
    before: list[list[Moment]] = [[] for _ in range(len(parts) + 1)]
    own = own_changes(view, [one])[one.id]
    for commit in _commits(view, reversed(commits_of(view.repo, own))):
        later = (n for n, event in enumerate(ordered) if event.at > commit.at)
        holding = (n for n, event in enumerate(ordered) if _holds(event, commit.oid))
        before[min(next(later, len(parts)), next(holding, len(parts)))].append(commit)
    before[-1] += [
        replace(late, words=f"{late.words} (after the end)")
        for late in _commits(view, late_commits(view, one))
    ]
    return [moment for pair in zip(before, [*parts, []], strict=True) for moment in chain(*pair)]


def _holds(event: Event, oid: str) -> bool:
    """Whether a report lists the commit; an end holds all of them."""
    work = event.body.get("work")
    listed = work.get("commits") if isinstance(work, dict) else None
    named = isinstance(listed, list) and any(
        isinstance(one, dict) and one.get("commit") == oid for one in listed
    )
    return named or (event.kind in {"completed", "failed"} and "head" in event.body)


def _commits(view: View, oids: Iterable[str]) -> list[Moment]:
    listed = list(oids)
    told = signatures(view.repo, listed)
    return [
        Moment(_moment(told[oid].time), "commit", told[oid].subject, oid)
        for oid in listed
        if oid in told
    ]


def _moment(seconds: int) -> str:
    """Unix seconds as an event has its time. A commit counts after what fell in its second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.999999Z")


def _words(event: Event) -> str:
    """What an event says beyond its kind, on one line."""
    body, kind = event.body, event.kind
    if kind in {"spawned", "queued"}:
        parts = [str(body.get("title", ""))]
        if isinstance(body.get("branch"), str):
            parts.append(f"on {body['branch']}")
        return " ".join(part for part in parts if part)
    told = [body[name] for name in _TELLING.get(kind, ()) if isinstance(body.get(name), str)]
    return told[0] if told else _fields(body) if kind in _FIELDS else ""


_TELLING = {
    "reported": ("summary", "outcome", "result"),
    "revised": ("why",),
    "interrupted": ("why",),
    "completed": ("summary", "result", "how"),
    "failed": ("error", "how"),
    "resumed": ("worktree",),
    "bound": ("worktree",),
    "imported": ("from",),
    "checked": ("verdict",),
}
_FIELDS = frozenset({"set", "usage"})


def _fields(body: dict[str, Any]) -> str:
    """`key=value` of what a `set` or a `usage` says."""
    told = {name: value for name, value in body.items() if name not in _COMMON}
    return " ".join(f"{name}={_short(value)}" for name, value in told.items())


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}:{one}" for name, one in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
