"""Merges that git can't finish, though merge-tree tells how they end.

Where one side put a file or a submodule in the place of a directory, and the other renamed
the directory above it, merge-ort follows the rename with nothing in its hands: an entry
without an object. merge-tree writes that into a tree, may even call it clean, and
`git merge` dies when it writes the index ("cache entry has null sha1"; git 2.39).

The other way round, where a renamed directory would take a new file along into a place
that a file has taken, merge-tree names a conflict in a path that its tree has no room for,
and `git merge` dies of that ("nothing in basic working tree or index").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.mergetree import Outcome
from gitledger.git.process import LITERAL, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitledger.git.process import Git

_FOLLOWED = "Path updated due to directory rename"  # git's words, without a conflict
_SUGGESTED = "CONFLICT (directory rename suggested)"  # where git says that it should follow
_BASE = 1
_MANY = 1000  # paths: more may not fit into a command line


def without_unwritable(git: Git, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The same outcomes; no answer, with the reason, where `git merge` would die."""
    return [_checked(git, one) for one in outcomes]


def _checked(git: Git, outcome: Outcome) -> Outcome:
    why = next(_faults(git, outcome), None)
    if why is None:
        return outcome
    return Outcome(None, reason=f"git failed: {why}, in a renamed directory")


def _faults(git: Git, outcome: Outcome) -> Iterator[str]:
    yield from (f"no object for '{path}'" for path in _empty(git, outcome))
    yield from (f"no room for '{path}'" for path in _roomless(git, outcome))


def _roomless(git: Git, outcome: Outcome) -> Iterator[str]:
    """Paths that are in conflict, not by the base alone, and that the tree has not."""
    moved = {one.paths[0] for one in outcome.messages if one.kind == _SUGGESTED}
    wanted = {one.path for one in outcome.stages if one.path in moved and one.number != _BASE}
    if wanted and outcome.tree:
        yield from sorted(wanted - set(_names_in(git, outcome.tree, sorted(wanted))))


def _names_in(git: Git, tree: str, paths: Sequence[str]) -> Iterator[str]:
    asked = ("-r", tree) if len(paths) > _MANY else (tree, "--", *paths)
    words = ("ls-tree", "-z", "--full-tree", "--name-only", *asked)
    return map(text, git.run(*words, env=LITERAL).records)


def _empty(git: Git, outcome: Outcome) -> Iterator[str]:
    yield from (one.path for one in outcome.stages if _is_null(one.oid))
    for message in outcome.messages:
        if message.kind == _FOLLOWED and outcome.tree:
            yield from _empty_in(git, outcome.tree, message.paths[0])


def _empty_in(git: Git, tree: str, path: str) -> Iterator[str]:
    """One process: it is a rare setting (merge.directoryRenames) that makes git follow unasked."""
    words = ("ls-tree", "-z", "--full-tree", tree, "--", path)
    for entry in git.run(*words, env=LITERAL).records:
        meta, _, name = entry.partition(b"\t")
        if _is_null(meta.decode().split(" ")[2]):
            yield text(name)


def _is_null(oid: str) -> bool:
    return not oid.strip("0")
