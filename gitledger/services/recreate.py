"""An agent's worktree made again from its branch or its recorded head."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.errors import GitError, LedgerError
from gitledger.git.objects import resolve
from gitledger.git.process import Git
from gitledger.git.worktrees import list_worktrees
from gitledger.model.names import encode
from gitledger.services.record import same_path
from gitledger.services.spawn import QUIET, default_path
from gitledger.store.places import held

if TYPE_CHECKING:
    from gitledger.git.worktrees import Worktree
    from gitledger.services.live import LiveAgent, View


@dataclass(frozen=True)
class Place:
    """Where an agent works again."""

    worktree: str
    worktree_id: str
    branch: str | None

    def body(self) -> dict[str, Any]:
        told = {"worktree": self.worktree, "worktree_id": self.worktree_id, "branch": self.branch}
        return {name: value for name, value in told.items() if value is not None}


def recreate(view: View, one: LiveAgent) -> Place:
    """`git worktree add` at the old place where that is free, with the old branch if it stands.

    Raises LedgerError where no commit of it is left, GitError for what git refuses.
    """
    repo = view.repo
    path = _path(view, one)
    with held(repo, "spawn"):
        words = _words(view, one)
        git = Git(repo.git.directory, repo.git_dir, QUIET)
        # Twice forced: its own registration still stands, and may be locked.
        done = git.try_run("worktree", "add", "-q", "-f", "-f", *words[0], path, *words[1])
        made = next(
            (t for t in list_worktrees(repo) if same_path(t.path, path) and t.present), None
        )
        if made is None:
            raise GitError("worktree add", done.status, done.stderr)
    return Place(made.path, made.name, made.branch)


def _path(view: View, one: LiveAgent) -> str:
    old = one.agent.worktree
    if old and not os.path.lexists(old):
        return old
    fresh = default_path(view.repo, one.id)
    if os.path.lexists(fresh):
        raise LedgerError(f"'{fresh}' exists", "move it away, then resume again")
    return fresh


def _words(view: View, one: LiveAgent) -> tuple[list[str], list[str]]:
    """Options and the commit or branch of `git worktree add`."""
    branch = one.agent.branch or f"agent/{encode(one.id)}"
    taken = {tree.branch for tree in _standing(view)}
    if resolve(view.repo, [f"refs/heads/{branch}"])[0] and branch not in taken and one.branch:
        return [], [branch]
    if one.tip is None:
        raise LedgerError(f"no commit of '{one.id}' is left to start from", "retry it instead")
    if resolve(view.repo, [f"refs/heads/{branch}"])[0]:
        return ["--detach"], [one.tip]  # the name has been given to other work since
    return ["-b", branch], [one.tip]


def _standing(view: View) -> list[Worktree]:
    return [tree for tree in view.worktrees if tree.present]
