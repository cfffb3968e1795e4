"""Where a session's documents may be: relative, below the state directory, inside the worktree.

Source: REQUIREMENTS section 5, "Paths".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError, NotUsable
from gitledger.git.worktrees import at, find, list_worktrees
from gitledger.model.event import event_id
from gitledger.model.names import has_control

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

DEFAULT_STATE = "docs/maestro"


def state_dir(repo: Repository) -> str:
    """`ledger.stateDir`, relative to the top of the worktree."""
    return checked(repo.config.get("ledger.stateDir", DEFAULT_STATE) or DEFAULT_STATE)


def plans_dir(repo: Repository) -> str:
    return f"{state_dir(repo)}/plans"


def checked(path: str) -> str:
    """The path in its plain form. Raises LedgerError for an absolute or climbing one."""
    parts = [one for one in path.split("/") if one not in {"", "."}]
    if os.path.isabs(path) or ".." in parts or not parts or has_control(path):
        raise LedgerError(f"bad path '{path}'", "give it relative to the worktree, without '..'")
    return "/".join(parts)


def inside(top: str, path: str) -> str:
    """The absolute path. Raises LedgerError where a symbolic link leads out of the worktree."""
    whole = os.path.join(top, checked(path))
    real, root = os.path.realpath(whole), os.path.realpath(top)
    if os.path.commonpath([real, root]) != root:
        raise LedgerError(f"'{path}' leads out of the worktree", "remove the symbolic link")
    return whole


def is_plan(repo: Repository, path: str) -> bool:
    """Whether a path is a document that an archive may move."""
    try:
        plain = checked(path)
    except LedgerError:
        return False
    plans = plans_dir(repo) + "/"
    return plain.startswith(plans) and not plain.startswith(plans + "archive/")


def refuse_other_places(repo: Repository, top: str, path: str) -> str:
    """The checked path of a document that exists. Raises LedgerError otherwise."""
    plain = checked(path)
    if not is_plan(repo, plain):
        raise LedgerError(
            f"'{path}' is not below '{plans_dir(repo)}'",
            "move it there, or set ledger.stateDir",
        )
    if not os.path.isfile(inside(top, plain)):
        raise LedgerError(f"no such file '{path}'", f"it is looked for in '{top}'")
    return plain


def top_of(repo: Repository, worktree: str | None) -> str:
    """The directory of the worktree that a session's paths are relative to.

    The one it was started in while that stands, else this one. Raises NotUsable
    where there is neither.
    """
    if worktree and worktree != repo.worktree:
        found = find(list_worktrees(repo), worktree)
        if found and found.present and not found.bare:
            return at(repo, found).work_tree or found.path
    if repo.work_tree is None:
        raise NotUsable("no worktree here", "go to one with 'cd' or 'git -C'")
    return repo.work_tree


def blob_of(repo: Repository, path: str) -> str | None:
    """The id that git would give the file's content; None where there is none to read."""
    try:
        with open(path, "rb") as file:
            return event_id(file.read(), repo.hash_name)
    except OSError:
        return None
