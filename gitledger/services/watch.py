"""`git status` in the worktrees of a question: what takes longest is begun first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gitledger.git.worktrees import at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.standing import Edits
    from gitledger.git.status import Status
    from gitledger.git.worktrees import Worktree
    from gitledger.services.question import Question


class Watch:
    """A look at the worktree of every side, under way while the caller does other things.

    `repo` is the repository under the terms of the question.
    """

    def __init__(self, repo: Repository, question: Question) -> None:
        self.repo = question.terms.applied_to(repo)
        wanted = {n: one.worktree for n, one in enumerate(question.sides) if one.worktree}
        self.homes = {
            n: at(self.repo, one) for n, one in wanted.items() if _to_look_at(question, one)
        }
        self._results = _begun(list(self.homes.values()))

    def told(self) -> dict[int, tuple[Status, Edits | None]]:
        """What git said of each, by the place of its side, and the files that it named."""
        return dict(zip(self.homes, self._results(), strict=True))


def _begun(homes: Sequence[Repository]) -> Callable[[], list[tuple[Status, Edits | None]]]:
    """Committed work, which the hooks ask about, does without all of this."""
    if not homes:
        return list
    from gitledger.git.standing import standing
    from gitledger.git.together import Begun

    return Begun(partial(standing, crowded=len(homes) > 1), homes).results


def _to_look_at(question: Question, tree: Worktree) -> bool:
    return not question.committed_only and tree.present and not tree.bare
