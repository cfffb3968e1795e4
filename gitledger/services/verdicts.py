"""Every verdict on record derived again, by git itself and nothing that was kept.

Source: docs/FORMAT.md, "Verdicts that can be derived again".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.git.objects import resolve
from gitledger.git.worktrees import list_worktrees
from gitledger.model.names import AGENTS, ARCHIVE
from gitledger.model.rederived import NOT_DERIVABLE, Rederived
from gitledger.model.verdict import UNKNOWN
from gitledger.services.decided import CHECKED
from gitledger.services.deriving import Deriving
from gitledger.services.folded import id_in
from gitledger.store.logs import line_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.event import Event
    from gitledger.store.logs import Log

_PLACES = (AGENTS, f"{ARCHIVE}agents/")
_OID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Recorded:
    """A verdict on record: where it stands, `line` counted from 1, and whose it is."""

    ref: str
    line: int
    event: Event
    agent: str


@dataclass(frozen=True)
class Verdict:
    """A verdict on record, and how it came out."""

    recorded: Recorded
    found: Rederived


def derive_again(
    repo: Repository, read: Mapping[str, Log], tell: Callable[[int, int], None]
) -> list[Verdict]:
    """Every verdict in these logs, as they stand there. `tell` hears how far it is.

    Fetches nothing, and writes nothing but what is gone at the end.
    """
    repo = repo.without_fetching()
    found = [one for ref, log in read.items() if ref.startswith(_PLACES) for one in _in(ref, log)]
    faults = _why_not(repo, found)
    asked = [one for one, why in zip(found, faults, strict=True) if why is None]
    asked.sort(key=lambda one: one.event.at)  # near in time is near in history
    here = {tree.name: tree for tree in list_worktrees(repo) if tree.present}
    derived = Deriving(repo, here, tell).compared([one.event for one in asked])
    return [
        Verdict(one, Rederived(NOT_DERIVABLE, reason=why) if why else derived[one.event.id])
        for one, why in zip(found, faults, strict=True)
    ]


def _in(ref: str, log: Log) -> Iterator[Recorded]:
    numbers = line_numbers(log)
    named = (one.body["id"] for one in log.events if isinstance(one.body.get("id"), str))
    agent = id_in(ref) or next(named, "")
    for event in log.events:
        if event.kind == CHECKED:
            yield Recorded(ref, numbers[event.id], event, agent)


def _why_not(repo: Repository, found: Sequence[Recorded]) -> list[str | None]:
    """For each why it can't be asked about; None where both commits are there."""
    sides = [_sides(one.event.body) for one in found]
    wanted = sorted({oid for pair in sides for oid in pair if oid})
    kinds = dict(zip(wanted, resolve(repo, wanted), strict=True))
    return [_why(one.event.body, kinds) for one in found]


def _sides(body: Mapping[str, Any]) -> list[str | None]:
    return [oid if _is_oid(oid) else None for oid in (body.get("ours"), body.get("theirs"))]


def _is_oid(value: Any) -> bool:
    return isinstance(value, str) and _OID.fullmatch(value) is not None


def _why(body: Mapping[str, Any], kinds: Mapping[str, tuple[str, str] | None]) -> str | None:
    if not isinstance(body.get("verdict"), str):
        return "no verdict is on record"
    for name, oid in zip(("ours", "theirs"), _sides(body), strict=True):
        if oid is None and name not in body and body["verdict"] == UNKNOWN:
            return f"it was unknown: {body.get('reason', 'why is not on record')}"
        if oid is None:
            return f"'{name}' is no commit's id"
        kind = kinds[oid]
        if kind is None:
            return f"commit {oid} ({name}) is missing"
        if kind[1] != "commit":
            return f"{oid} ({name}) is a {kind[1]}, no commit"
    return None
