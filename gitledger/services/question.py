"""What may be asked of the forecast, and what it answers: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.candidates import Changes, Touched
    from gitledger.model.verdict import Pair


class Terms(NamedTuple):
    """How to ask. With `trees` the tree that each merge with the target makes is told too.

    `fresh`: git itself, whatever it said before.
    """

    no_drivers: bool = False
    no_fetch: bool = False
    trees: bool = False
    fresh: bool = False

    def applied_to(self, repo: Repository) -> Repository:
        """The repository as it is asked: configured as no worktree in particular."""
        found = repo.impartial()
        return found.without_fetching() if self.no_fetch else found


class Goal(NamedTuple):
    """What work is merged into: a commit, and the worktree where that is checked out, if one is.

    `lost` says why there is no commit although one was named.
    """

    commit: str | None = None
    home: Worktree | None = None
    lost: str | None = None


class Side(NamedTuple):
    """One branch of work. `base` is where its own changes begin once it has been merged.

    `goal` is its own, where it has another than the question.
    """

    id: str
    tip: str | None
    branch: str | None = None
    worktree: Worktree | None = None
    base: str | None = None
    goal: Goal | None = None


class Facts(NamedTuple):
    """What a side has changed itself; `note` says what could not be looked at.

    `own` and `met` are what the side and the target changed since the base; `undone`
    what the side has as it was when it began, though it took in a target that had moved on.
    `unseen`: git failed to tell what stands uncommitted. `landed`: the target has the tip.
    `uncommitted` are the files that are not as the tip has them.
    """

    side: Side
    base: str | None
    files: Changes
    dirty: bool
    note: str | None = None
    own: Touched | None = None
    met: Touched | None = None
    undone: frozenset[str] = frozenset()
    unseen: bool = False
    landed: bool = False
    uncommitted: frozenset[str] = frozenset()


class Question(NamedTuple):
    """What to foresee. `target` is a commit, of the sides that have no goal of their own.

    `others` asks about pairs of sides too.
    `of_first`: only about the first side's pairs; the rest are there to be met by it.
    With `diff`, git's word for its colour, both sides' hunks of each conflict are told.
    `target_home` is the worktree where the target is checked out, if one is.
    """

    target: str | None
    sides: Sequence[Side]
    committed_only: bool = False
    others: bool = True
    terms: Terms = Terms()
    of_first: bool = False
    target_home: Worktree | None = None
    diff: str | None = None

    def goal(self, number: int) -> Goal:
        """What a side is merged into."""
        return self.sides[number].goal or Goal(self.target, self.target_home)


@dataclass(eq=False, repr=False)
class Forecast:
    """The answer: every pair that was asked about, whatever its verdict.

    `hunks` are those of `a` and of `b` of a conflict, where they were asked for.
    """

    facts: list[Facts]
    pairs: list[Pair]
    hunks: dict[tuple[str, str | None], tuple[str, str]] = field(default_factory=dict)

    @cached_property
    def _by_names(self) -> dict[tuple[str, str | None], Pair]:
        return {(one.a, one.b): one for one in self.pairs}

    def of(self, a: str, b: str | None) -> Pair | None:
        return self._by_names.get((a, b))
