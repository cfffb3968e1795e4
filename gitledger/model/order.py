"""The order in which events count: each after those it names, then by time, then by id.

Whatever order they arrive in, and however often, it is the same. Source: docs/FORMAT.md.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.model.event import Event


def in_order(events: Iterable[Event]) -> list[Event]:
    """The events, each once, in the one order that a fold may read them in."""
    given = list(events)
    if _is_chain(given):
        return given
    by_id = {event.id: event for event in given}
    waiting = {one: sum(p in by_id for p in set(e.prev)) for one, e in by_id.items()}
    after: dict[str, list[str]] = {}
    for one, event in by_id.items():
        for before in set(event.prev):
            after.setdefault(before, []).append(one)
    ready = [(by_id[one].at, one) for one, count in waiting.items() if count == 0]
    heapify(ready)
    ordered: list[Event] = []
    while ready:
        _, one = heappop(ready)
        ordered.append(by_id[one])
        for later in after.get(one, ()):
            waiting[later] -= 1
            if waiting[later] == 0:
                heappush(ready, (by_id[later].at, later))
    return ordered


def _is_chain(events: list[Event]) -> bool:
    """Whether each names just the one before it, as in a log that one clone wrote."""
    before: tuple[str, ...] = ()
    for event in events:
        if event.prev != before:
            return False
        before = (event.id,)
    return True
