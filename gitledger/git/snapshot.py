"""What stands in a worktree uncommitted, as a commit that nobody but us sees.

A tree is written through a copy of the index, never the index itself, into a
scratch object store. git does it, so filters, ignores and sparse checkouts hold.
Measured on 31 worktrees of 5,000 files: plumbing 0.56 s, libgit2's status 0.50 s
before it has written anything.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.merging import operation

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "git-ledger"), ("EMAIL", "git-ledger"), ("DATE", "@0 +0000"))
}


@dataclass(frozen=True, slots=True)
class Uncommitted:
    """`commit` holds the work on top of the last commit; None where there is none to hold.

    `note` says why uncommitted work could not be, or was not, taken in.
    """

    dirty: bool
    commit: str | None = None
    tree: str | None = None
    note: str | None = None


def uncommitted(repo: Repository, tip: str | None, scratch: Scratch, number: int) -> Uncommitted:
    """The staged, unstaged and untracked work in this worktree on top of `tip`."""
    status = ("status", "--porcelain=v1", "-z", "-unormal", "--ignore-submodules=dirty")
    asked = repo.git.try_run(*status)
    if asked.status:
        return Uncommitted(dirty=True, note=f"git status: {asked.stderr.strip()}")
    if not asked.stdout:
        return Uncommitted(dirty=False)
    under_way = operation(repo)
    if under_way:
        return Uncommitted(
            dirty=True, note=f"in the middle of a {under_way}: compared by its last commit"
        )
    return _taken(repo, tip, scratch, number)


def _taken(repo: Repository, tip: str | None, scratch: Scratch, number: int) -> Uncommitted:
    index = scratch.path(f"index-{number}")
    if os.path.exists(real := repo.path("index")):
        shutil.copy2(real, index)  # as old as it is: git looks again at files no older
    env = {**scratch.env, **_IDENTITY, "GIT_INDEX_FILE": index}
    options = ("-c", "advice.addEmbeddedRepo=false", "-c", "core.safecrlf=false")
    added = repo.git.try_run(*options, "add", "-A", "--", ":/", env=env)
    if added.status:
        return Uncommitted(dirty=True, note=f"git add: {added.stderr.strip().splitlines()[0]}")
    tree = repo.git.run("write-tree", env=env).line
    parents = ("-p", tip) if tip else ()
    commit = repo.git.run("commit-tree", *parents, "-m", "uncommitted", tree, env=env).line
    return Uncommitted(dirty=True, commit=commit, tree=tree)
