"""Worktrees that stood before the ledger, taken into it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.services.live import look, unheld
from gitledger.services.provisional import provisional
from gitledger.services.reconcile import reconcile
from gitledger.services.record import (
    Birth,
    checked_id,
    checked_title,
    record,
    refuse_known_id,
    same_path,
)
from gitledger.store.places import held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree


@dataclass(frozen=True)
class Adopted:
    """One worktree taken in, with how its spawn commit is known."""

    id: str
    path: str
    commit: str | None
    source: str


def adopt(
    repo: Repository,
    names: Sequence[str],
    *,
    agent_id: str | None = None,
    title: str | None = None,
) -> list[Adopted]:
    """Record the named worktrees (path, admin id or branch), or every one without an agent.

    Raises LedgerError for a name that is no worktree, or one that has an agent;
    then nothing is written.
    """
    reconcile(repo, late=False)
    with held(repo, "spawn"):
        view = look(repo)
        if names:
            chosen = [_named(view.worktrees, name) for name in names]
            for tree in chosen:
                _refuse_held(view.held_by(tree.name), tree)
        else:
            chosen = unheld(repo, view.worktrees, view.pointers)
        births = [_given(repo, provisional(repo, tree), agent_id, title) for tree in chosen]
        for birth in births:
            record(repo, birth)
    return [Adopted(one.id, one.worktree.path, one.commit, one.source) for one in births]


def _given(repo: Repository, birth: Birth, agent_id: str | None, title: str | None) -> Birth:
    if agent_id:
        refuse_known_id(repo, checked_id(agent_id))
        birth = replace(birth, id=agent_id)
    return replace(birth, title=checked_title(title)) if title else birth


def _named(worktrees: Sequence[Worktree], name: str) -> Worktree:
    for tree in worktrees:
        if name in {tree.name, tree.name.removeprefix("worktrees/"), tree.branch}:
            return tree
        if tree.present and same_path(tree.path, name):
            return tree
    raise LedgerError(f"'{name}' is not a worktree", "see 'git worktree list'")


def _refuse_held(holder: object, tree: Worktree) -> None:
    agent = getattr(holder, "agent", None)
    if agent is not None and getattr(holder, "recorded", False) and not agent.ended:
        raise LedgerError(
            f"worktree '{tree.path}' has agent '{agent.id}'", "close it first, or leave it out"
        )
