"""Writing down that an agent works in a worktree: log, refs, then the pointer."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.objects import resolve, write_blob
from gitledger.git.refs import Update, list_refs
from gitledger.model.names import ARCHIVE, agent_ref, encode, has_control, slug
from gitledger.model.note import Note
from gitledger.store import logs, pointers

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.event import Event


@dataclass(frozen=True)
class Birth:
    """What is known of an agent when it is recorded. `source` tells how `commit` is known.

    `since` is when it began, in an event's form, where that was before the recording.
    """

    id: str
    title: str
    worktree: Worktree
    commit: str | None
    source: str
    late: bool = False
    since: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = {"id": self.id, "title": self.title, "source": self.source}
        if self.commit:
            found["spawn_commit"] = self.commit
        found |= {"worktree": self.worktree.path, "worktree_id": self.worktree.name}
        if self.worktree.branch:
            found["branch"] = self.worktree.branch
        if self.late:
            found["late"] = True
        if self.since:
            found["since"] = self.since
        return {**found, **self.fields}


def checked_id(name: str) -> str:
    """An id that can be recorded. Raises LedgerError for an empty one or control characters."""
    if not name or has_control(name):
        raise LedgerError(f"bad agent id {name!r}", "an id is one line without control characters")
    return name


def checked_title(title: str) -> str:
    """A title on one line. Raises LedgerError for an empty one or control characters."""
    if not title.strip() or has_control(title):
        raise LedgerError(f"bad title {title!r}", "a title is one line without control characters")
    return title


def new_id(title: str) -> str:
    """`<slug>-<6 hex>`, as the hooks make it from a branch."""
    from secrets import token_hex  # readers do without

    return f"{slug(title)}-{token_hex(3)}"


def refuse_known_id(repo: Repository, agent_id: str) -> None:
    """Raises LedgerError when a live or an archived agent has this id."""
    archived = f"{ARCHIVE}agents/{encode(agent_id)}/log"
    if list_refs(repo, agent_ref(agent_id, "log"), archived):
        raise LedgerError(
            f"agent '{agent_id}' exists", "choose another id with '--id', or leave it out"
        )


def must_be_new(log: logs.Log) -> None:
    if log.events:
        raise LedgerError(f"agent '{log.events[0].body.get('id', log.ref)}' exists")


def record(
    repo: Repository, birth: Birth, allow: Callable[[logs.Log], None] = must_be_new
) -> list[Event]:
    """Write the spawn: event, spawn, head and note refs in one step, then the pointer.

    `allow` looks at the log inside the compare-and-swap and raises to refuse.
    """

    def decide(log: logs.Log) -> logs.Facts:
        allow(log)
        return [("spawned", birth.body())]

    events = logs.append(repo, agent_ref(birth.id, "log"), decide, lambda *_: _refs(repo, birth))
    pointers.point(repo, birth.id, birth.worktree.name)
    return events


def _refs(repo: Repository, birth: Birth) -> list[Update]:
    wanted = {"note": write_blob(repo, Note(birth.id).render().encode("utf-8", "surrogateescape"))}
    if birth.commit:
        wanted |= {"spawn": birth.commit, "head": birth.commit}
    names = {agent_ref(birth.id, leaf): oid for leaf, oid in wanted.items()}
    old = dict(zip(names, resolve(repo, list(names)), strict=True))
    return [
        Update(ref, oid, found[0] if (found := old[ref]) else None) for ref, oid in names.items()
    ]


def same_path(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
