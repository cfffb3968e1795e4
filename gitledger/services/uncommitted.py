"""The uncommitted work of every side of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gitledger.git.scratch import Scratch
    from gitledger.services.ground import Ground
    from gitledger.services.question import Question
    from gitledger.services.watch import Watch


class Work(NamedTuple):
    """Where a side stands: its last commit, and one with the uncommitted work on top, if any."""

    tip: str | None
    commit: str | None = None
    dirty: bool = False
    note: str | None = None
    unseen: bool = False


def work_of(ground: Ground, question: Question, watch: Watch, scratch: Scratch) -> list[Work]:
    """The work of every side, a few worktrees at a time."""
    sides = question.sides
    if not watch.homes:
        return [Work(one.tip) for one in sides]
    # Committed work, which the hooks ask about, does without all of this.
    from gitledger.git.snapshot import as_commits
    from gitledger.services.unsaved import unsaved

    tips = {n: tip for n in watch.homes if (tip := sides[n].tip)}
    found, unstored = unsaved(ground, watch, tips, scratch)
    trees = {n: one.tree for n, one in found.items() if one.tree}
    above = {n: [tip] if (tip := sides[n].tip) else [] for n in trees}
    wanted = [(tree, above[n]) for n, tree in trees.items()]
    made = as_commits(ground.repo, wanted, scratch, unstored)
    commits = dict(zip(trees, made, strict=True))
    return [
        Work(one.tip, commits.get(n), found[n].dirty, found[n].note, found[n].unseen)
        if n in found
        else Work(one.tip)
        for n, one in enumerate(sides)
    ]
