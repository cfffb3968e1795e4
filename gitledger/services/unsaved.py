"""What stands uncommitted in many worktrees, looked at a few at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.merging import standings
from gitledger.git.snapshot import Uncommitted, uncommitted
from gitledger.git.together import together
from gitledger.git.without_index import Looked, trees_without_index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.packing import Made
    from gitledger.git.scratch import Scratch
    from gitledger.services.ground import Ground
    from gitledger.services.watch import Watch


def unsaved(
    ground: Ground, watch: Watch, tips: Mapping[int, str], scratch: Scratch
) -> tuple[dict[int, Uncommitted], dict[str, Made]]:
    """The work in each home, above the commit that its side stands on, if any.

    With it the objects, by id, that its trees consist of and that are stored nowhere yet.
    """
    homes, repo = watch.homes, ground.repo
    named = {n: one.worktree for n, one in homes.items()}
    known = standings(repo, list(named.values()))  # before the statuses are waited for
    told = watch.told()
    calm = {
        n: Looked(homes[n], tip, edits)
        for n, tip in tips.items()
        if (edits := told[n][1]) and told[n][0].head == tip and not known[named[n]].operation
    }
    how = (repo, calm, scratch, ground.directory)
    quick, made = trees_without_index(*how) if calm else ({}, {})

    def take(number: int) -> Uncommitted:
        if number in quick:
            return Uncommitted(dirty=True, tree=quick[number])
        return uncommitted(homes[number], told[number][0], known[named[number]], scratch)

    return dict(zip(homes, together(take, homes), strict=True)), made
