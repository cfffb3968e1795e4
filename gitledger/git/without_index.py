"""The trees of many worktrees with their uncommitted work, as far as no index is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import GitError
from gitledger.git.converting import Place, converts
from gitledger.git.standing import hashed
from gitledger.git.together import together
from gitledger.git.trees import Trees
from gitledger.model.names import object_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitledger.git.packing import Made
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.standing import Edits

Blobs = dict[bytes, bytes]  # path to id


class Looked(NamedTuple):
    """A worktree in which nothing is under way: the commit it stands on, and what it holds."""

    home: Repository
    commit: str
    edits: Edits


def trees_without_index(
    repo: Repository,
    worktrees: Mapping[int, Looked],
    scratch: Scratch,
    name: Callable[[str, bytes], str] | None = None,
) -> tuple[dict[int, str], dict[str, Made]]:
    """The tree of each that can be had so; none of them where a tree of a commit can't be read.

    With them the objects, by id, that are stored nowhere yet. `name` is what git is asked
    for a directory of a commit.
    """
    below = [(one.commit, one.edits.modes) for one in worktrees.values()]
    trees = Trees(repo, below, scratch, name)
    places = {
        n: Place(one.home, one.commit, one.edits.edited, one.edits.modes)
        for n, one in worktrees.items()
    }
    converted = converts(repo, places, trees, scratch)
    by_git = [n for n, yes in converted.items() if yes or worktrees[n].edits.contents is None]
    stored = together(
        lambda n: hashed(worktrees[n].home, worktrees[n].edits.edited, scratch), by_git
    )
    blobs = {n: _held(repo, worktrees[n].edits, trees.made) for n in converted if n not in by_git}
    blobs |= {n: one for n, one in zip(by_git, stored, strict=True) if one is not None}
    try:
        named = {
            n: trees.changed(worktrees[n].commit, worktrees[n].edits.changes(one))
            for n, one in blobs.items()
        }
    except GitError:
        return {}, {}
    return named, trees.made


def _held(repo: Repository, edits: Edits, made: dict[str, Made]) -> Blobs:
    """The held contents as blobs, which are added to `made`."""
    ids: Blobs = {}
    for path, content in (edits.contents or {}).items():
        oid = object_name(repo.hash_name, "blob", content)
        made[oid] = "blob", content
        ids[path] = oid.encode()
    return ids
