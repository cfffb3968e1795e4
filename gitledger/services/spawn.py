"""A new agent: branch and worktree made by git, and recorded. All of it or nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gitledger.errors import GitError, LedgerError
from gitledger.git.objects import resolve
from gitledger.git.process import Git
from gitledger.git.worktrees import Worktree, find, list_worktrees
from gitledger.model.names import encode
from gitledger.services import sessions_membership
from gitledger.services.live import current_agent
from gitledger.services.reconcile import reconcile
from gitledger.services.record import (
    Birth,
    checked_id,
    checked_title,
    must_be_new,
    new_id,
    record,
    refuse_known_id,
    same_path,
)
from gitledger.store.places import held

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.git.repository import Repository
    from gitledger.store.logs import Log

# The recorders see this and leave the spawn to us.
QUIET = {"GIT_LEDGER_NO_SPAWN": "1"}


@dataclass(frozen=True)
class Order:
    """What the user asked for; what is None is chosen here."""

    title: str
    id: str | None = None
    branch: str | None = None
    path: str | None = None
    start: str = "HEAD"
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Spawned:
    """What was made. `warning` is what git said when a user's own hook failed on the way."""

    id: str
    path: str
    branch: str | None
    commit: str
    warning: str | None = None


def spawn(repo: Repository, order: Order) -> Spawned:
    """Make branch and worktree, record the agent, or leave everything as it was.

    Raises LedgerError for what exists already or does not resolve, GitError for
    what git refuses. Spawns wait for each other: git's own `worktree add` races.
    """
    title = checked_title(order.title)
    agent_id = checked_id(order.id or new_id(title))
    reconcile(repo)
    fields = sessions_membership.with_session(repo, order.fields)
    with held(repo, "spawn"):
        refuse_known_id(repo, agent_id)
        made = make(repo, replace(order, id=agent_id, title=title, fields=fields))
    sessions_membership.spawned(repo, agent_id, fields)
    return made


def make(repo: Repository, order: Order, allow: Callable[[Log], None] = must_be_new) -> Spawned:
    """Branch, worktree and record of an order with an id, all or nothing; under the lock.

    `allow` looks at the log inside the compare-and-swap and raises to refuse.
    """
    agent_id = order.id or new_id(order.title)
    commit = _start(repo, order.start)
    branch = _free_branch(repo, order.branch or f"agent/{encode(agent_id)}")
    path = _free_path(order.path or default_path(repo, agent_id))
    warning = _add_worktree(repo, path, branch, commit)
    try:
        worktree = _made(repo, path)
        birth = Birth(agent_id, order.title, worktree, commit, "command", fields=order.fields)
        record(repo, birth, allow)
    except BaseException:
        _undo(repo, path, branch)
        raise
    return Spawned(agent_id, worktree.path, branch, commit, warning)


def _start(repo: Repository, name: str) -> str:
    found = resolve(repo, [f"{name}^{{commit}}"])[0]
    if found:
        return found[0]
    if name == "HEAD":
        raise LedgerError("no commit yet to start from", "make a first commit, then spawn")
    raise LedgerError(f"'{name}' is not a commit", "name a branch, a tag or a commit to start from")


def _free_branch(repo: Repository, branch: str) -> str:
    if repo.git.try_run("check-ref-format", "--branch", branch).status:
        raise LedgerError(f"'{branch}' is not a valid branch name", "choose one with '--branch'")
    if resolve(repo, [f"refs/heads/{branch}"])[0]:
        raise LedgerError(f"a branch named '{branch}' exists", "choose another with '--branch'")
    return branch


def default_path(repo: Repository, agent_id: str) -> str:
    """`ledger.worktreeDir`, else beside the main worktree: `<repository>-<id>`."""
    main = list_worktrees(repo)[0].path
    name = encode(agent_id)
    chosen = repo.config.get("ledger.worktreeDir")
    if chosen:
        return os.path.join(main, os.path.expanduser(chosen), name)
    parent, own = os.path.split(main)
    own = own.removesuffix(".git").strip(".")
    if own in {"", "bare"}:
        return os.path.join(parent, name)
    return os.path.join(parent, f"{own}-{name}")


def _free_path(path: str) -> str:
    whole = os.path.abspath(path)
    if os.path.isdir(whole) and not os.listdir(whole):
        return whole  # git takes an empty directory too
    if os.path.lexists(whole):
        raise LedgerError(f"'{whole}' exists", "choose another place with '--path'")
    return whole


def _add_worktree(repo: Repository, path: str, branch: str, commit: str) -> str | None:
    """`git worktree add`, and what it said where only a hook of the user's failed.

    A failing post-checkout makes it report failure although everything is made.
    """
    git = Git(repo.git.directory, repo.git_dir, QUIET)
    done = git.try_run("worktree", "add", "-q", "-b", branch, path, commit)
    if done.status == 0:
        return None
    if _found(repo, path) is None:
        repo.git.try_run("branch", "-q", "-D", branch)
        raise GitError("worktree add", done.status, done.stderr)
    return done.stderr.strip() or f"git worktree add: exit status {done.status}"


def _found(repo: Repository, path: str) -> Worktree | None:
    trees = list_worktrees(repo)
    return next((tree for tree in trees if tree.present and same_path(tree.path, path)), None)


def _made(repo: Repository, path: str) -> Worktree:
    worktree = _found(repo, path)
    if worktree is None:
        raise GitError("worktree add", 0, f"made no worktree at '{path}'")
    return worktree


def _undo(repo: Repository, path: str, branch: str) -> None:
    repo.git.try_run("worktree", "remove", "--force", path)
    repo.git.try_run("branch", "-q", "-D", branch)


def spawn_here(repo: Repository, order: Order) -> Spawned:
    """Record an agent in the worktree that stands already.

    Raises LedgerError where there is none, or where another agent is at work in it.
    """
    title = checked_title(order.title)
    agent_id = checked_id(order.id or new_id(title))
    worktree = find(list_worktrees(repo), repo.worktree)
    if worktree is None or worktree.bare:
        raise LedgerError("no worktree here", "run it inside a worktree, or without '--here'")
    refuse_known_id(repo, agent_id)
    reconcile(repo, late=False)
    there = current_agent(repo)
    if there:
        raise LedgerError(
            f"agent '{there.id}' is at work in this worktree",
            f"end it first, or run under it: GIT_LEDGER_AGENT={there.id}",
        )
    commit = _start(repo, "HEAD")
    fields = sessions_membership.with_session(repo, order.fields)
    record(repo, Birth(agent_id, title, worktree, commit, "command", fields=fields))
    sessions_membership.spawned(repo, agent_id, fields)
    return Spawned(agent_id, worktree.path, worktree.branch, commit)
