"""The uncommitted work of every side of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.worktrees import at

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.worktrees import Worktree
    from gitledger.services.question import Question


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
    # Committed work, which the hooks ask about, does without all of this.
    from gitledger.git.snapshot import as_commits
    from gitledger.services.unsaved import unsaved

    tips = {n: tip for n in homes if (tip := sides[n].tip)}
    found = unsaved(repo, homes, tips, scratch)
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


def _to_look_at(question: Question, tree: Worktree) -> bool:
    return not question.committed_only and tree.present and not tree.bare
