"""Which agents a list shows, and who spawned whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.model.snapshot import Snapshot

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True)
class Filter:
    """What an agent must be to be listed; what is empty or None does not matter.

    `since` is an event's time: those that came into the ledger then or later.
    """

    statuses: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    in_group: bool = False
    churn: bool = False
    since: str | None = None

    def takes(self, one: Snapshot) -> bool:
        wanted = (
            (self.statuses, "status"),
            (self.states, "state"),
            (self.groups, "group"),
            (self.roles, "role"),
            (self.phases, "phase"),
            (self.plans, "plan"),
            (self.parents, "parent"),
        )
        if any(values and one.get(name) not in values for values, name in wanted):
            return False
        if (self.in_group and "group" not in one) or (self.churn and "churn" not in one):
            return False
        return self.since is None or begun(one) >= self.since


def begun(one: Snapshot) -> str:
    """When an agent came into the ledger."""
    return one.get("spawned_at") or one.get("queued_at") or ""


def since(words: str, now: datetime | None = None) -> str:
    """`2h`, `3d`, `2026-01-15`, `2026-01-15T14:00:00Z` as an event's time. Raises LedgerError."""
    number, unit = words[:-1], words[-1:]
    if number.isdigit() and unit in _UNITS:
        moment = (now or datetime.now(UTC)) - timedelta(**{_UNITS[unit]: int(number)})
    else:
        moment = _parsed(words)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _parsed(words: str) -> datetime:
    try:
        return datetime.fromisoformat(words)
    except ValueError:
        raise LedgerError(
            f"'{words}' is no time", "write it as 30m, 2h, 3d, 2026-01-15 or 2026-01-15T14:00:00Z"
        ) from None


def tree(agents: Sequence[Snapshot]) -> list[tuple[int, Snapshot]]:
    """Each agent below the one that spawned it, with its depth; nobody twice, nobody lost."""
    ids = {one["id"] for one in agents}
    children: dict[str | None, list[Snapshot]] = {}
    for one in agents:
        parent = one.get("parent")
        known = parent if parent in ids and parent != one["id"] else None
        children.setdefault(known, []).append(one)
    placed: list[tuple[int, Snapshot]] = []
    seen: set[str] = set()
    for top in [*children.get(None, ()), *agents]:  # the latter for what goes in a circle
        _place(top, 0, children, placed, seen)
    return placed


def _place(
    one: Snapshot,
    depth: int,
    children: dict[str | None, list[Snapshot]],
    placed: list[tuple[int, Snapshot]],
    seen: set[str],
) -> None:
    waiting = [(depth, one)]
    while waiting:
        level, agent = waiting.pop()
        if agent["id"] in seen:
            continue
        seen.add(agent["id"])
        placed.append((level, agent))
        waiting += [(level + 1, child) for child in reversed(children.get(agent["id"], []))]
