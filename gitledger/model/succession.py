"""Which commits replaced which, told by what they do: pure, from plain facts.

Where git left no mapping. Each replaced commit gets one successor or none; where two
fit, none does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# As in REQUIREMENTS a line's work is tens of commits; runs are tried in pairs.
LONGEST = 40


@dataclass(frozen=True, slots=True)
class Step:
    """A commit as a step: who wrote it and when, and what it made of which tree."""

    oid: str
    author: str
    subject: str
    before: str  # tree of the first parent
    after: str
    parent: str = ""
    patch: str | None = None


def one_to_one(
    olds: Sequence[Step], news: Sequence[Step], *, by_author: bool = False
) -> dict[str, str]:
    """Old to new where both say the same: author and change, else author and subject.

    `by_author`: a rebase made the new ones, so author and time alone tell a pair apart.
    """
    rules: list[Callable[[Step], object]] = [
        lambda one: (one.author, one.patch or one.oid),
        lambda one: (one.author, one.subject),
    ]
    if by_author:
        rules.append(lambda one: one.author)
    found: dict[str, str] = {}
    for rule in rules:
        free = set(found.values())
        left = _single((one for one in olds if one.oid not in found), rule)
        right = _single((one for one in news if one.oid not in free), rule)
        found |= {old.oid: right[key].oid for key, old in left.items() if key in right}
    return found


def _single(steps: Iterable[Step], rule: Callable[[Step], object]) -> dict[object, Step]:
    """Key to the only step that has it."""
    by_key: dict[object, list[Step]] = {}
    for one in steps:
        by_key.setdefault(rule(one), []).append(one)
    return {key: found[0] for key, found in by_key.items() if len(found) == 1}


def folded_in(olds: Sequence[Step], news: Sequence[Step]) -> dict[str, str]:
    """Old to new for what `commit --fixup` and `--squash` made, by the subject it names."""
    by_subject = _single(news, lambda one: one.subject)
    found = {}
    for old in olds:
        mark, _, meant = old.subject.partition("! ")
        if mark in {"fixup", "squash", "amend"} and meant in by_subject:
            found[old.oid] = by_subject[meant].oid
    return found


def runs(steps: Sequence[Step]) -> list[Sequence[Step]]:
    """Every run of steps that changes something, each taking up where the last one stopped."""
    found = []
    for first in range(len(steps)):
        last = first + 1
        while last - first <= LONGEST:
            if steps[first].before != steps[last - 1].after:
                found.append(steps[first:last])
            if last == len(steps) or steps[last].before != steps[last - 1].after:
                break
            last += 1
    return found


def joined(olds: Sequence[Step], news: Sequence[Step]) -> dict[str, str]:
    """Old to new where one commit does what a run did: squashed into one, or split."""
    found: dict[str, str] = {}
    whole = {(one.before, one.after): one.oid for one in news}
    for run in sorted(runs(olds), key=len):
        new = whole.get((run[0].before, run[-1].after))
        if new:
            found |= {one.oid: new for one in run}
    single = {(one.before, one.after): one.oid for one in olds}
    for run in sorted(runs(news), key=len):
        old = single.get((run[0].before, run[-1].after))
        if old:
            found.setdefault(old, run[-1].oid)
    return found
