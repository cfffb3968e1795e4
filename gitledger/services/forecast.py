"""What would collide: each side with the target and with every other, as git would have it.

Source: DESIGN section 4. Unknown is never shown as clean.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from gitledger.git.changes import Changes, changed_paths
from gitledger.git.graph import bases_of, is_shallow
from gitledger.git.objects import resolve
from gitledger.git.scratch import Scratch, scratch
from gitledger.git.snapshot import Uncommitted, uncommitted
from gitledger.git.worktrees import at
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN, Pair, PathConflict
from gitledger.services.asking import ask, conflicts
from gitledger.services.question import Facts, Forecast, Question

if TYPE_CHECKING:
    from gitledger.git.mergetree import Outcome
    from gitledger.git.repository import Repository


def foresee(repo: Repository, question: Question) -> Forecast:
    """The verdicts for a question. Writes nothing to the repository."""
    with scratch(repo) as store:
        return _Look(repo, question, store).answer()


@dataclass(frozen=True)
class _Asked:
    """One pair by its sides' places in the question; None is the target."""

    a: int
    b: int | None


@dataclass
class _Look:
    repo: Repository
    question: Question
    store: Scratch

    def answer(self) -> Forecast:
        sides = self.question.sides
        self.dirt = self._dirt()
        asked = self._asked()
        self.bases = bases_of(self.repo, [pair for one in asked if (pair := self._tips(one))])
        self.trees = self._trees()
        wanted = [one for one in asked if self._known(one)]
        plain = {one: self._commits(one, dirty=False) for one in wanted}
        with_work = {one: self._commits(one, dirty=True) for one in wanted}
        pairs = list(dict.fromkeys([*plain.values(), *with_work.values()]))
        terms = replace(self.question.terms, homes=self._homes())
        outcomes = ask(self.repo, pairs, self.store, terms) if pairs else {}
        self.touched = self._touched(plain, with_work)
        facts = [self._facts(number) for number in range(len(sides))]
        found = []
        for one in asked:
            if one not in plain:
                found.append(self._unknown(one))
                continue
            committed = self._judged(one, plain[one], outcomes[plain[one]], facts)
            whole = self._judged(one, with_work[one], outcomes[with_work[one]], facts)
            found.append(replace(whole, committed=committed.verdict))
        return Forecast(facts, found)

    def _dirt(self) -> list[Uncommitted]:
        """Uncommitted work of every side, a few worktrees at a time."""
        sides = self.question.sides

        def look(number: int) -> Uncommitted:
            tree = sides[number].worktree
            if self.question.committed_only or tree is None or not tree.present or tree.bare:
                return Uncommitted(dirty=False)
            return uncommitted(at(self.repo, tree), sides[number].tip, self.store, number)

        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(look, range(len(sides))))

    def _asked(self) -> list[_Asked]:
        numbers = range(len(self.question.sides))
        asking = numbers[:1] if self.question.of_first else numbers
        target = [_Asked(n, None) for n in asking] if self.question.target else []
        pairs = combinations(numbers, 2) if self.question.others else ()
        return target + [_Asked(a, b) for a, b in pairs if a in asking]

    def _tips(self, one: _Asked) -> tuple[str, str] | None:
        """The committed tips, ours first: with the target, the target is ours."""
        a = self.question.sides[one.a].tip
        b = self.question.target if one.b is None else self.question.sides[one.b].tip
        if a is None or b is None:
            return None
        return (b, a) if one.b is None else (a, b)

    def _known(self, one: _Asked) -> bool:
        tips = self._tips(one)
        return tips is not None and bool(self.bases.get(tips))

    def _commits(self, one: _Asked, *, dirty: bool) -> tuple[str, str]:
        ours, theirs = self._tips(one) or ("", "")
        mine = self.dirt[one.a].commit if dirty else None
        if one.b is None:
            return ours, mine or theirs
        other = self.dirt[one.b].commit if dirty else None
        return mine or ours, other or theirs

    def _homes(self) -> dict[str, str]:
        """Where each commit is checked out: there the merge would be made."""
        found = {}
        for side, dirt in zip(self.question.sides, self.dirt, strict=True):
            if side.worktree and side.worktree.present:
                for commit in (side.tip, dirt.commit):
                    if commit:
                        found[commit] = side.worktree.path
        return {**found, **self._target_home()}

    def _target_home(self) -> dict[str, str]:
        if self.question.target and self.repo.work_tree and not self.repo.linked:
            return {self.question.target: self.repo.work_tree}
        return {}

    def _trees(self) -> dict[str, str]:
        commits = {one for pair in self.bases for one in pair}
        commits |= {base for bases in self.bases.values() for base in bases}
        commits |= {one.base for one in self.question.sides if one.base}
        commits |= {dirt.commit for dirt in self.dirt if dirt.commit}
        names = sorted(commits)
        found = resolve(self.repo, [f"{one}^{{tree}}" for one in names], self.store.env)
        return {one: tree[0] for one, tree in zip(names, found, strict=True) if tree}

    def _touched(
        self,
        plain: dict[_Asked, tuple[str, str]],
        with_work: dict[_Asked, tuple[str, str]],
    ) -> dict[tuple[str, str], Changes]:
        wanted = []
        for one, committed in plain.items():
            tips = self._tips(one) or ("", "")
            for commits in (committed, with_work[one]):
                wanted += [(base, commit) for base in self.bases[tips] for commit in commits]
        for number in range(len(self.question.sides)):
            base, tip = self._own_range(number)
            if base and tip:
                wanted += [(base, tip), (base, self.dirt[number].commit or tip)]
        trees = [
            (self.trees[a], self.trees[b]) for a, b in wanted if a in self.trees and b in self.trees
        ]
        return changed_paths(self.repo, trees, self.store.env)

    def _own_range(self, number: int) -> tuple[str | None, str | None]:
        """From the merge base with the target to the tip; from what was recorded, once merged."""
        side = self.question.sides[number]
        if side.tip is None or self.question.target is None:
            return side.base, side.tip
        bases = self.bases.get((self.question.target, side.tip), ())
        if side.tip in bases and side.base:
            return side.base, side.tip
        return (bases[0] if bases else side.base), side.tip

    def _changes(self, old: str, new: str) -> Changes:
        trees = (self.trees.get(old), self.trees.get(new))
        return self.touched.get((trees[0] or "", trees[1] or ""), ())

    def _facts(self, number: int) -> Facts:
        base, tip = self._own_range(number)
        dirt = self.dirt[number]
        files = self._changes(base, dirt.commit or tip) if base and tip else ()
        return Facts(self.question.sides[number], base, files, dirt.dirty, dirt.note)

    def _unknown(self, one: _Asked) -> Pair:
        if self._tips(one) is None:
            reason = "no commit to merge"
        elif is_shallow(self.repo):
            reason = "no merge base: the history is shallow"
        else:
            reason = "no merge base: unrelated histories"
        return Pair(*self._names(one), UNKNOWN, reason=reason)

    def _names(self, one: _Asked) -> tuple[str, str | None]:
        sides = self.question.sides
        return sides[one.a].id, None if one.b is None else sides[one.b].id

    def _judged(
        self, one: _Asked, commits: tuple[str, str], outcome: Outcome, facts: list[Facts]
    ) -> Pair:
        bases = self.bases[self._tips(one) or ("", "")]
        a, b = self._names(one)
        if outcome.clean is None:
            return Pair(a, b, UNKNOWN, bases, reason=outcome.reason)
        if not outcome.clean:
            paths = conflicts(self.repo, outcome, self.store)
            return Pair(a, b, CONFLICT, bases, self._sided(one, paths, facts), tree=outcome.tree)
        met = any(self._both_touch(base, commits) for base in bases)
        return Pair(a, b, OVERLAP if met else CLEAN, bases, tree=outcome.tree)

    def _both_touch(self, base: str, commits: tuple[str, str]) -> bool:
        ours, theirs = (self._changes(base, commit) for commit in commits)
        return not {path for _, path in ours}.isdisjoint(path for _, path in theirs)

    def _sided(
        self, one: _Asked, paths: list[PathConflict], facts: list[Facts]
    ) -> tuple[PathConflict, ...]:
        """From the pair's point of view: `a` is theirs where the target is ours."""
        if one.b is None:
            return tuple(replace(p, a_lines=p.b_lines, b_lines=p.a_lines) for p in paths)
        if facts[one.a].base == facts[one.b].base:
            return tuple(paths)
        own = {p for _, p in facts[one.a].files} & {p for _, p in facts[one.b].files}
        return tuple(p if p.path in own else replace(p, via="target") for p in paths)
