"""Keeping the live ledger small: the oldest that ended go to the archive, nothing else.

Source: REQUIREMENTS section 2, "Prune".
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.git.refs import Update, list_refs, retry, update
from gitledger.git.worktrees import at
from gitledger.model.groups import MAX_ENTRIES, to_prune
from gitledger.model.names import agent_ref
from gitledger.services.find import ARCHIVED_AGENTS
from gitledger.services.folded import folded
from gitledger.store import archive, pointers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent
    from gitledger.services.live import View


def over(repo: Repository, most: int | None = None) -> list[Agent]:
    """What would go now, with `ledger.maxEntries` (50) or another bound."""
    bound = repo.config.number("ledger.maxEntries", MAX_ENTRIES) if most is None else most
    if bound < 0:
        raise LedgerError(f"bad bound {bound}", "give a number from 0")
    agents = [one.agent for one in folded(repo).values() if one.agent]
    return to_prune(agents, bound)


def prune(view: View, chosen: Sequence[Agent], *, delete: bool = False) -> None:
    """Move their refs to the archive, or delete them. Every pointer to them goes first."""
    gone = {agent_ref(one.id, "log"): one for one in chosen}
    for tree in view.worktrees:
        if view.pointers.get(tree.name) in gone:
            pointers.clear(at(view.repo, tree))
    for agent in chosen:
        old = agent_ref(agent.id, "")
        if delete:
            _delete(view.repo, old)
        else:
            archive.move(view.repo, old, ARCHIVED_AGENTS + old.rsplit("/", 2)[1] + "/")


def _delete(repo: Repository, prefix: str) -> None:
    def attempt() -> None:
        found = list_refs(repo, prefix)
        if found:
            update(repo, [Update(ref, None, oid) for ref, oid in found.items()])

    retry(f"'{prefix}'", attempt)


def prune_quietly(view: View) -> list[Agent]:
    """What `spawn` does on its way: a ledger that cannot be pruned now is no reason to fail."""
    chosen: list[Agent] = []
    with contextlib.suppress(LedgerError):
        chosen = over(view.repo)
        if chosen:
            prune(view, chosen)
    return chosen
