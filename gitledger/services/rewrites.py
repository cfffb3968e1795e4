"""Which commit a rewrite replaced, as the reflog and the commits themselves tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.commits import patch_ids, rev_list, signatures
from gitledger.model.reflog import amendments, rebases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.reflog import Entry, Rebase


def replaced(repo: Repository, entries: Sequence[Entry]) -> dict[str, tuple[str, ...]]:
    """New commit to the ones that it replaced. Entries of one worktree's HEAD, oldest first.

    An amendment is a fact of the reflog; a rebase is matched by author, time and
    change, and what matches nothing is left out.
    """
    found: dict[str, tuple[str, ...]] = {new: (old,) for new, old in amendments(entries).items()}
    for rebase in rebases(entries):
        if not rebase.aborted:
            found |= _rebased(repo, rebase)
    return found


def _rebased(repo: Repository, rebase: Rebase) -> dict[str, tuple[str, ...]]:
    made = set(rebase.made)
    olds = [one for one in rev_list(repo, [rebase.old_tip], [rebase.onto]) if one not in made]
    old_signed, new_signed = signatures(repo, olds), signatures(repo, rebase.made)
    patches = patch_ids(repo, [*olds, *rebase.made])
    found: dict[str, tuple[str, ...]] = {}
    for new, signature in new_signed.items():
        same = [one for one, other in old_signed.items() if other.author == signature.author]
        exact = [one for one in same if patches.get(one) == patches.get(new)]
        named = [one for one in same if old_signed[one].subject == signature.subject]
        chosen = exact or named or same
        if len(chosen) == 1:
            found[new] = (chosen[0],)
    return found
