"""The end after review, and taking away what git still has checked out for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError, Refused
from gitledger.git.process import Git
from gitledger.git.worktrees import list_worktrees
from gitledger.model.lifecycle import INTERRUPTED, QUEUED, RUNNING, check
from gitledger.model.names import MAIN_WORKTREE
from gitledger.services.find import find
from gitledger.services.interruption import evidence
from gitledger.services.lifecycle import Step, end, end_of, prepared
from gitledger.services.work import Own, is_dirty, own_changes

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.services.live import LiveAgent, View


def close(
    repo: Repository,
    name: str | None,
    *,
    accepted: bool,
    message: str | None,
    remove: bool = False,
    unmerged: bool = False,
) -> Step:
    """Complete or fail an agent. Raises Refused before anything is written.

    With `remove` its worktree and branch go: never with uncommitted changes, and
    with work that the target has not only if `unmerged` says so.
    """
    command = "close --accepted" if accepted else "close --rejected"
    view = prepared(repo)
    one = find(view, name)
    check(one.agent.status, command, one.id)
    if remove:
        own = own_changes(view, [one])[one.id]
        refuse_removal(one, own, unmerged=unmerged)
    words = {"how": "command"}
    if message is not None:
        words["summary" if accepted else "error"] = message
    step = end_of(view, one, command, "completed" if accepted else "failed", words)
    if remove:
        remove_worktree(view, one)
    return step


def refuse_removal(one: LiveAgent, own: Own, *, unmerged: bool = False) -> None:
    """Raises Refused (exit 4) where removing would lose something, or surprise somebody."""
    tree = one.worktree
    if tree is None or tree.bare:
        return
    if tree.name == MAIN_WORKTREE:
        raise Refused(f"'{one.id}' works in the main worktree", "leave out '--remove'")
    if is_dirty(tree):
        raise Refused(
            f"'{tree.path}' has uncommitted changes", "commit or discard them, then try again"
        )
    if own.commits and not own.landed and not unmerged:
        goal = own.target.name if own.target else "the target"
        raise Refused(
            f"'{one.branch or one.id}' is not merged into '{goal}'",
            "merge it first, or give --yes: its commits stay in the ledger",
        )


def remove_worktree(view: View, one: LiveAgent) -> None:
    """Remove the agent's worktree and branch by git. Its own refusals are raised as GitError."""
    tree = one.worktree
    outside = Git(view.repo.common_dir, view.repo.common_dir)
    if tree and tree.name != MAIN_WORKTREE:
        if os.path.realpath(os.getcwd()).startswith(os.path.realpath(tree.path)):
            os.chdir(list_worktrees(view.repo)[0].path)
        outside.run("worktree", "remove", tree.path)
    if one.branch:
        outside.run("branch", "-q", "-D", one.branch)


def abandon(repo: Repository, name: str | None, why: str | None) -> Step:
    """Give an agent up, whatever it is doing. Raises LedgerError for one that has ended."""
    told = {"error": why or "abandoned", "how": "abandoned"}
    return end(repo, name, "abandon", "failed", told)


def abandon_group(
    repo: Repository, group: str, why: str | None, *, running: bool = False
) -> list[Step]:
    """Start fresh: give up a group's interrupted and queued agents, running ones if asked.

    Raises LedgerError for an unknown group.
    """
    view = prepared(repo)
    members = [one for one in view.agents if one.agent.group == group]
    if not members:
        raise LedgerError(
            f"no agent is in group '{group}'", "'git ledger list --in-group' shows them"
        )
    statuses = {INTERRUPTED, QUEUED, *(RUNNING if running else ())}
    told = {"error": why or "abandoned", "how": "abandoned"}
    return [
        end_of(view, one, "abandon", "failed", told)
        for one in members
        if one.agent.status in statuses or (one.agent.running and evidence(view, one))
    ]
