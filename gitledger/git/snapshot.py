"""What stands in a worktree uncommitted, as a commit that nobody but us sees.

A tree is written through a copy of the index, never the index itself, into a
scratch object store. git does it, so filters, ignores and sparse checkouts hold.
Only what `git status` names is added: the worktree is looked through once.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.packing import put
from gitledger.git.process import data
from gitledger.model.names import object_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.merging import Standing
    from gitledger.git.packing import Made
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.status import Status

_ADD = ("--add", "--remove", "--replace", "-z", "--stdin")


class Uncommitted(NamedTuple):
    """`tree` holds the work on top of the last commit; None where there is none to hold.

    `note` says why uncommitted work could not be, or was not, taken in; `unseen` is
    true where git failed, so that nobody can tell what is there.
    """

    dirty: bool
    tree: str | None = None
    note: str | None = None
    unseen: bool = False


def uncommitted(
    repo: Repository, found: Status, standing: Standing, scratch: Scratch
) -> Uncommitted:
    """The staged, unstaged and untracked work in this worktree."""
    if not found.entries:
        failed = found.entries is None
        return Uncommitted(failed, note=found.why, unseen=failed)
    if standing.operation:
        why = f"in the middle of a {standing.operation}: compared by its last commit"
        return Uncommitted(dirty=True, note=why)
    return _taken(repo, found.paths, standing.index_file, scratch)


def _is_gone(top: bytes, path: bytes) -> bool:
    """Whether a directory stands there, or a link in the place of one above: git won't look."""
    whole = os.path.join(top, path)
    if os.path.isdir(whole) and not os.path.islink(whole):
        return True
    names = path.split(b"/")
    return any(os.path.islink(os.path.join(top, *names[:n])) for n in range(1, len(names)))


def _taken(repo: Repository, paths: Sequence[bytes], real: str, scratch: Scratch) -> Uncommitted:
    index = scratch.path(f"index-{repo.worktree.replace('/', '-')}")
    if os.path.exists(real):
        shutil.copy2(real, index)  # as old as it is: git looks again at files no older
    env = {**scratch.env, "GIT_INDEX_FILE": index}
    top = data(repo.git.directory)
    gone = {path for path in paths if _is_gone(top, path)}
    if gone:
        entries = b"".join(b"0 %s\t%s\0" % (repo.zero.encode(), path) for path in sorted(gone))
        repo.git.run("update-index", "-z", "--index-info", stdin=entries, env=env)
    named = b"".join(path + b"\0" for path in paths if path not in gone)
    words = ("-c", "core.safecrlf=false", "update-index", *_ADD)
    added = repo.git.try_run(*words, stdin=named, env=env)
    if added.status:
        why = f"git add: {added.stderr.strip().splitlines()[0]}"
        return Uncommitted(dirty=True, note=why, unseen=True)
    return Uncommitted(dirty=True, tree=repo.git.run("write-tree", env=env).line)


def as_commits(
    repo: Repository,
    trees: Sequence[tuple[str, Sequence[str]]],
    scratch: Scratch,
    unstored: Mapping[str, Made] | None = None,
) -> list[str]:
    """A commit for each tree and its parents, the same whenever it is made. One process.

    `unstored` objects (by id), of which such trees may consist, are stored with them.
    """
    made = [("commit", _commit(tree, parents)) for tree, parents in trees]
    names = [object_name(repo.hash_name, *one) for one in made]
    put(repo, {**(unstored or {}), **dict(zip(names, made, strict=True))}, scratch)
    return names


def _commit(tree: str, parents: Sequence[str]) -> bytes:
    above = "".join(f"parent {one}\n" for one in parents)
    who = "git-ledger <git-ledger> 0 +0000"
    return f"tree {tree}\n{above}author {who}\ncommitter {who}\n\nuncommitted\n".encode()
