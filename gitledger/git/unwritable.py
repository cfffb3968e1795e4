"""Merges that git can't finish, though merge-tree tells how they end.

Where one side put a file or a submodule in the place of a directory, and the other renamed
the directory above it, merge-ort follows the rename with nothing in its hands: an entry
without an object. merge-tree writes that into a tree, may even call it clean, and
`git merge` dies when it writes the index ("cache entry has null sha1"; git 2.39).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.mergetree import Outcome
from gitledger.git.process import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitledger.git.process import Git

_FOLLOWED = "Path updated due to directory rename"  # git's words, without a conflict


def without_unwritable(git: Git, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The same outcomes; no answer, with the reason, where `git merge` would die."""
    return [_checked(git, one) for one in outcomes]


def _checked(git: Git, outcome: Outcome) -> Outcome:
    empty = next(_empty(git, outcome), None)
    if empty is None:
        return outcome
    return Outcome(None, reason=f"git failed: no object for '{empty}', in a renamed directory")


def _empty(git: Git, outcome: Outcome) -> Iterator[str]:
    yield from (one.path for one in outcome.stages if _is_null(one.oid))
    for message in outcome.messages:
        if message.kind == _FOLLOWED and outcome.tree:
            yield from _empty_in(git, outcome.tree, message.paths[0])


def _empty_in(git: Git, tree: str, path: str) -> Iterator[str]:
    """One process: it is a rare setting (merge.directoryRenames) that makes git follow unasked."""
    words = ("ls-tree", "-z", "--full-tree", tree, "--", path)
    for entry in git.run(*words).stdout.split(b"\0")[:-1]:
        meta, _, name = entry.partition(b"\t")
        if _is_null(meta.decode().split(" ")[2]):
            yield text(name)


def _is_null(oid: str) -> bool:
    return not oid.strip("0")
