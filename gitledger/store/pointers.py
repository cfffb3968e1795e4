"""Which agent works in which worktree: per-worktree symbolic refs.

They go with the worktree; nothing durable lives there. Written last and safe to
write again, since git 2.39 has no compare-and-swap for symbolic refs.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gitledger.git.objects import resolve
from gitledger.git.refs import (
    Moved,
    Update,
    delete_symbolic,
    read_symbolic,
    set_symbolic,
    update,
)
from gitledger.model.names import (
    AGENTS,
    POINTER_AGENT,
    POINTER_CLAIM,
    POINTER_NOTE,
    POINTER_NOTES,
    agent_ref,
)
from gitledger.store.notes import founded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository


def is_pointer(target: str | None) -> bool:
    """A pointer counts only if it names `refs/ledger/agents/*/log`."""
    if not target or not target.startswith(AGENTS) or not target.endswith("/log"):
        return False
    return target.count("/") == AGENTS.count("/") + 1


def current(repo: Repository) -> str | None:
    """The log ref of the agent of this worktree, None where there is no pointer."""
    target = read_symbolic(repo, POINTER_AGENT)
    return target if is_pointer(target) else None


def cleared(repo: Repository, worktree: str) -> bool:
    """Whether the pointer was taken away on purpose: no late spawn."""
    if is_pointer(read_symbolic(repo, f"{worktree}/{POINTER_AGENT}")):
        return False
    return read_symbolic(repo, f"{worktree}/{POINTER_NOTES}") is not None


def read_pointers(
    repo: Repository, worktrees: Sequence[str], logs: Mapping[str, str | None]
) -> dict[str, str]:
    """Worktree name to log ref, for the worktrees that have a pointer.

    One process for all: no two logs are one blob, so the id that a pointer
    leads to tells its log. `logs` are the log refs with the ids just read;
    a log that has grown since is asked for by name.
    """
    by_id = {oid: ref for ref, oid in logs.items() if oid}
    ids = resolve(repo, [f"{name}/{POINTER_AGENT}" for name in worktrees])
    found: dict[str, str] = {}
    for name, one in zip(worktrees, ids, strict=True):
        if one is None:
            continue
        target = by_id.get(one[0]) or read_symbolic(repo, f"{name}/{POINTER_AGENT}")
        if target and is_pointer(target):
            found[name] = target
    return found


def point(repo: Repository, agent_id: str, worktree: str) -> None:
    """Make an agent the one that works in a worktree.

    `agent` comes first: `notes` alone would mean "cleared on purpose".
    """
    notes_ref = founded(repo, worktree)
    set_symbolic(repo, f"{worktree}/{POINTER_AGENT}", agent_ref(agent_id, "log"))
    set_symbolic(repo, f"{worktree}/{POINTER_NOTE}", agent_ref(agent_id, "note"))
    set_symbolic(repo, f"{worktree}/{POINTER_NOTES}", notes_ref)


def drop_claim(repo: Repository) -> None:
    """Take away this worktree's claim of a spawn that is finished. Nothing where none is."""
    found = resolve(repo, [POINTER_CLAIM])[0]
    if found:
        with contextlib.suppress(Moved):
            update(repo, [Update(POINTER_CLAIM, None, found[0])])


def clear(repo: Repository) -> None:
    """Take this worktree's pointer away, on purpose.

    From inside it: git refuses to delete `worktrees/<id>/refs/…` from elsewhere.
    `notes` stays (and is made where missing), so that no hook spawns late.
    """
    set_symbolic(repo, POINTER_NOTES, founded(repo, repo.worktree))
    delete_symbolic(repo, POINTER_AGENT)
    delete_symbolic(repo, POINTER_NOTE)
