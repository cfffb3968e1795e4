"""The uncommitted work of every side of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.merging import Standing, standings
from gitledger.git.snapshot import Uncommitted, as_commits, status, uncommitted
from gitledger.git.worktrees import at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
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
    found = _uncommitted(repo, homes, scratch)
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
    repo: Repository, homes: Mapping[int, Repository], scratch: Scratch
) -> dict[int, Uncommitted]:
    from concurrent.futures import ThreadPoolExecutor  # 4 ms that committed work does without

    with ThreadPoolExecutor(4) as pool:
        told = dict(zip(homes, pool.map(status, homes.values()), strict=True))
        dirty = [homes[n].worktree for n, one in told.items() if one.paths]
        known = standings(repo, dirty) if dirty else {}

        def take(number: int) -> Uncommitted:
            standing = known.get(homes[number].worktree, CALM)
            return uncommitted(homes[number], told[number], standing, scratch)

        return dict(zip(homes, pool.map(take, homes), strict=True))


def _to_look_at(question: Question, tree: Worktree) -> bool:
    return not question.committed_only and tree.present and not tree.bare
