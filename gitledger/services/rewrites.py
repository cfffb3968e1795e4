"""Which commit a rewrite replaced, as the reflog and the commits themselves tell it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitledger.git.commits import patch_ids, range_patch_ids, rev_list, signatures
from gitledger.model.reflog import amendments, rebases
from gitledger.model.succession import LONGEST, Step, folded_in, joined, one_to_one, runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.commits import Signature
    from gitledger.git.repository import Repository
    from gitledger.model.reflog import Entry, Rebase


@dataclass
class Succession:
    """Old commit to the one that replaced it; `guessed` are the olds that no reflog tells."""

    after: dict[str, str] = field(default_factory=dict)
    guessed: set[str] = field(default_factory=set)

    def conclude(self, found: dict[str, str]) -> None:
        """What is known already stays."""
        fresh = {old: new for old, new in found.items() if old not in self.after}
        self.after |= fresh
        self.guessed |= set(fresh)

    def olds(self, live: set[str]) -> dict[str, tuple[str, ...]]:
        """Live commit to all that it replaced, those in between included."""
        found: dict[str, tuple[str, ...]] = {}
        for old in self.after:
            new, seen = old, {old}
            while new in self.after and self.after[new] not in seen:
                new = self.after[new]
                seen.add(new)
            if new in live and old not in live:
                found[new] = (*found.get(new, ()), old)
        return found


def told(repo: Repository, entries: Sequence[Entry]) -> Succession:
    """What the reflog of one worktree's HEAD tells. Entries oldest first.

    An amendment is a fact of it; a rebase's commits are matched by author, time and
    change, and what matches nothing is left out.
    """
    known = Succession({old: new for new, old in amendments(entries).items()})
    for rebase in rebases(entries):
        if not rebase.aborted:
            for old, new in _rebased(repo, rebase).items():
                known.after.setdefault(old, new)
    return known


def _rebased(repo: Repository, rebase: Rebase) -> dict[str, str]:
    made = set(rebase.made)
    before = rev_list(repo, [rebase.old_tip], [rebase.onto], topological=True)
    olds = [one for one in reversed(before) if one not in made]
    return matched(repo, olds, rebase.made, by_author=True)


def phantoms(entries: Sequence[Entry]) -> set[str]:
    """What aborted rebases made: never part of a branch, replaced by nothing."""
    return {one for rebase in rebases(entries) if rebase.aborted for one in rebase.made}


def matched(
    repo: Repository, olds: Sequence[str], news: Sequence[str], *, by_author: bool = False
) -> dict[str, str]:
    """Old to new, both oldest first, by what the commits say and do."""
    if not olds or not news:
        return {}
    old_steps, new_steps = steps(repo, olds), steps(repo, news)
    found = one_to_one(old_steps, new_steps, by_author=by_author)
    if all(one.oid in found for one in old_steps):
        return found
    found = folded_in(old_steps, new_steps) | joined(old_steps, new_steps) | found
    left = [one for one in old_steps if one.oid not in found]
    return found if not left else _moved_on(repo, old_steps, new_steps, left) | found


def _moved_on(
    repo: Repository, olds: Sequence[Step], news: Sequence[Step], left: Iterable[Step]
) -> dict[str, str]:
    """As `joined`, where the base is another: by the patch id of the run."""
    missing = {one.oid for one in left}
    by_patch = {one.patch: one.oid for one in news if one.patch}
    found: dict[str, str] = {}
    starting: dict[str, list[Sequence[Step]]] = {}  # by the commit before them
    for run in runs(olds[-LONGEST:]):
        if run[0].parent and missing.intersection(one.oid for one in run):
            starting.setdefault(run[0].parent, []).append(run)
    spans = [(base, run[-1].oid) for base, started in starting.items() for run in started]
    patches = range_patch_ids(repo, spans)
    for base, started in starting.items():
        for run in started:
            new = by_patch.get(patches.get((base, run[-1].oid), ""))
            found |= {one.oid: new for one in run} if new else {}
    return found


def steps(repo: Repository, commits: Sequence[str]) -> list[Step]:
    """Each commit as a step from its first parent. Four processes for all."""
    signed = signatures(repo, commits)
    parents = sorted({_first(one) for one in signed.values()} - {""})
    before = {oid: one.tree for oid, one in signatures(repo, parents).items()}
    patches = patch_ids(repo, list(signed))
    return [
        Step(
            oid,
            one.author,
            one.subject,
            before.get(_first(one), ""),
            one.tree,
            _first(one),
            patches.get(oid),
        )
        for oid, one in signed.items()
    ]


def _first(one: Signature) -> str:
    return one.parents[0] if one.parents else ""
