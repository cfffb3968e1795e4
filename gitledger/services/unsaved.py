"""What stands uncommitted in many worktrees, looked at a few at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git.merging import Standing, standings
from gitledger.git.snapshot import Uncommitted, uncommitted
from gitledger.git.standing import standing_changes
from gitledger.git.together import together
from gitledger.git.trees import changed_trees

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.packing import Made
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.status import Status
    from gitledger.services.watch import Watch

CALM = Standing("", None)


def unsaved(
    repo: Repository, watch: Watch, tips: Mapping[int, str], scratch: Scratch
) -> tuple[dict[int, Uncommitted], dict[str, Made]]:
    """The work in each home, above the commit that its side stands on, if any.

    With it the objects, by id, that its trees consist of and that are stored nowhere yet.
    """
    homes, told = watch.homes, watch.told()
    dirty = [homes[n].worktree for n, one in told.items() if one.entries]
    known = standings(repo, dirty) if dirty else {}
    quick, made = _quick(repo, homes, tips, told, known, scratch)

    def take(number: int) -> Uncommitted:
        if number in quick:
            return Uncommitted(dirty=True, tree=quick[number])
        standing = known.get(homes[number].worktree, CALM)
        return uncommitted(homes[number], told[number], standing, scratch)

    return dict(zip(homes, together(take, homes), strict=True)), made


def _quick(
    repo: Repository,
    homes: Mapping[int, Repository],
    tips: Mapping[int, str],
    told: Mapping[int, Status],
    known: Mapping[str, Standing],
    scratch: Scratch,
) -> tuple[dict[int, str], dict[str, Made]]:
    """The trees that can be had without an index; none of them where one can't be read."""
    calm = [
        n
        for n, one in told.items()
        if one.entries and not known[homes[n].worktree].operation and tips.get(n) == one.head
    ]
    changes = together(lambda n: standing_changes(homes[n], told[n], scratch), calm)
    works = {n: (tips[n], one) for n, one in zip(calm, changes, strict=True) if one}
    try:
        trees, made = changed_trees(repo, list(works.values()), scratch)
    except GitError:
        return {}, {}
    return dict(zip(works, trees, strict=True)), made
