"""The uncommitted work of every side of a question."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.snapshot import Uncommitted, as_commits, uncommitted
from gitledger.git.worktrees import at

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.services.question import Question, Side


@dataclass(frozen=True, slots=True)
class Work:
    """Where a side stands: its last commit, and one with the uncommitted work on top, if any."""

    tip: str | None
    commit: str | None = None
    dirty: bool = False
    note: str | None = None


def work_of(repo: Repository, question: Question, scratch: Scratch) -> list[Work]:
    """The work of every side, a few worktrees at a time."""
    sides = question.sides
    wanted = {n: one for n, one in enumerate(sides) if _to_look_at(question, one)}
    if not wanted:
        return [Work(one.tip) for one in sides]

    def look(number: int) -> Uncommitted:
        tree = wanted[number].worktree
        return uncommitted(at(repo, tree), scratch, number) if tree else Uncommitted(dirty=False)

    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(wanted, pool.map(look, wanted), strict=True))
    trees = {n: one.tree for n, one in found.items() if one.tree}
    made = as_commits(repo, [(tree, sides[n].tip) for n, tree in trees.items()], scratch)
    commits = dict(zip(trees, made, strict=True))
    return [
        Work(one.tip, commits.get(n), found[n].dirty, found[n].note)
        if n in found
        else Work(one.tip)
        for n, one in enumerate(sides)
    ]


def _to_look_at(question: Question, side: Side) -> bool:
    tree = side.worktree
    return not question.committed_only and tree is not None and tree.present and not tree.bare
