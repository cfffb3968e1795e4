"""An agent's own changes shown by git itself, with its colours and its pager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.services.find import sight
from gitledger.services.work import own_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository


def own_diff(
    repo: Repository, name: str | None, words: Sequence[str], *, uncommitted: bool = False
) -> int:
    """`git diff WORDS… base head` on our own stdout; git's exit status."""
    view, one, _ = sight(repo, name)
    own = own_changes(view, [one])[one.id]
    if own.base is None or own.head is None:
        raise LedgerError(f"'{one.id}' has no changes that can be told: no merge base")
    if not uncommitted:
        return repo.git.hand_over("diff", *_with_ends(words, own.base, own.head))
    tree = one.worktree
    if tree is None or not tree.present:
        raise LedgerError(f"'{one.id}' has no worktree now", "leave out '--uncommitted'")
    from gitledger.git.worktrees import door

    return door(tree).hand_over("diff", *_with_ends(words, own.base))


def _with_ends(words: Sequence[str], *ends: str) -> list[str]:
    """The commits after the options, before paths."""
    given = list(words)
    place = given.index("--") if "--" in given else len(given)
    rest = given[place:] or ["--"]
    return [*given[:place], *ends, *rest]
