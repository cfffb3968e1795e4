"""Which pairs a question asks about, and between which commits."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.services.ground import Tips
    from gitledger.services.question import Question
    from gitledger.services.uncommitted import Work

Place = tuple[int, int | None]  # places of the sides in the question; None: the target


class Asking(NamedTuple):
    """One pair: places in the question (`b` None: the target), and commits, ours first.

    `tips` are the committed ones, None where a side has none; `whole` with the
    uncommitted work.
    """

    a: int
    b: int | None
    tips: Tips | None
    whole: Tips

    @classmethod
    def of(cls, place: Place, tips: Tips | None, works: Sequence[Work]) -> Asking:
        a, b = place
        if tips is None:
            return cls(a, b, None, ("", ""))
        mine = works[a].commit
        if b is None:
            return cls(a, b, tips, (tips[0], mine or tips[1]))
        return cls(a, b, tips, (mine or tips[0], works[b].commit or tips[1]))


def places_of(question: Question) -> list[Place]:
    """Each side that is asked about with its target, if there is one, and with the others."""
    numbers = range(len(question.sides))
    asking = numbers[:1] if question.of_first else numbers
    goals = {n: question.goal(n) for n in asking}
    target: list[Place] = [(n, None) for n, goal in goals.items() if goal.commit or goal.lost]
    pairs = combinations(numbers, 2) if question.others else ()
    return target + [(a, b) for a, b in pairs if a in asking]


def ways(question: Question) -> list[Tips]:
    """Each side with what it is merged into: there its own changes begin, asked about or not."""
    found = (tips_of(question, n, None) for n in range(len(question.sides)))
    return [one for one in found if one]


def begins(question: Question) -> list[Tips]:
    """What each side is merged into, and where it began."""
    found = ((question.goal(n).commit, one.base) for n, one in enumerate(question.sides))
    return [(goal, base) for goal, base in found if goal and base]


def tips_of(question: Question, a: int, b: int | None) -> Tips | None:
    """The committed ones of a pair. With the target, the target is ours; of two sides the first."""
    mine = question.sides[a].tip
    other = question.goal(a).commit if b is None else question.sides[b].tip
    if mine is None or other is None:
        return None
    return (other, mine) if b is None else (mine, other)


def ends(question: Question, ranges: Iterable[tuple[str | None, str | None]]) -> list[str]:
    """Every commit that something is counted from or to, uncommitted work aside."""
    found = [end for own in ranges for end in own]
    for n, one in enumerate(question.sides):
        found += one.base, one.tip, question.goal(n).commit
    return [one for one in found if one]
