"""The uncommitted work of every side of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git.merging import Standing, standings
from gitledger.git.snapshot import Uncommitted, as_commits, uncommitted
from gitledger.git.standing import standing_changes
from gitledger.git.status import status
from gitledger.git.together import together
from gitledger.git.trees import changed_trees
from gitledger.git.worktrees import at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.status import Status
    from gitledger.git.worktrees import Worktree
    from gitledger.services.question import Question

CALM = Standing("", None)


@dataclass(frozen=True, slots=True)
class Work:
    """Where a side stands: its last commit, and one with the uncommitted work on top, if any."""

    tip: str | None
    commit: str | None = None
    dirty: bool = False
    note: str | None = None
    unseen: bool = False


def work_of(repo: Repository, question: Question, scratch: Scratch) -> list[Work]:
    """The work of every side, a few worktrees at a time."""
    sides = question.sides
    wanted = {n: one.worktree for n, one in enumerate(sides) if one.worktree}
    homes = {n: at(repo, tree) for n, tree in wanted.items() if _to_look_at(question, tree)}
    if not homes:
        return [Work(one.tip) for one in sides]
    tips = {n: tip for n in homes if (tip := sides[n].tip)}
    found = _uncommitted(repo, homes, tips, scratch)
    trees = {n: one.tree for n, one in found.items() if one.tree}
    above = {n: [tip] if (tip := sides[n].tip) else [] for n in trees}
    made = as_commits(repo, [(tree, above[n]) for n, tree in trees.items()], scratch)
    commits = dict(zip(trees, made, strict=True))
    return [
        Work(one.tip, commits.get(n), found[n].dirty, found[n].note, found[n].unseen)
        if n in found
        else Work(one.tip)
        for n, one in enumerate(sides)
    ]


def _uncommitted(
    repo: Repository, homes: Mapping[int, Repository], tips: Mapping[int, str], scratch: Scratch
) -> dict[int, Uncommitted]:
    told = dict(zip(homes, together(status, homes.values()), strict=True))
    dirty = [homes[n].worktree for n, one in told.items() if one.entries]
    known = standings(repo, dirty) if dirty else {}
    quick = _quick(repo, homes, tips, told, known, scratch)

    def take(number: int) -> Uncommitted:
        if number in quick:
            return Uncommitted(dirty=True, tree=quick[number])
        standing = known.get(homes[number].worktree, CALM)
        return uncommitted(homes[number], told[number], standing, scratch)

    return dict(zip(homes, together(take, homes), strict=True))


def _quick(
    repo: Repository,
    homes: Mapping[int, Repository],
    tips: Mapping[int, str],
    told: Mapping[int, Status],
    known: Mapping[str, Standing],
    scratch: Scratch,
) -> dict[int, str]:
    """The trees that can be had without an index; none of them where one can't be read."""
    calm = [
        n
        for n, one in told.items()
        if one.entries and not known[homes[n].worktree].operation and tips.get(n) == one.head
    ]
    changes = together(lambda n: standing_changes(homes[n], told[n], scratch), calm)
    works = {n: (tips[n], one) for n, one in zip(calm, changes, strict=True) if one}
    try:
        return dict(zip(works, changed_trees(repo, list(works.values()), scratch), strict=True))
    except GitError:
        return {}


def _to_look_at(question: Question, tree: Worktree) -> bool:
    return not question.committed_only and tree.present and not tree.bare
