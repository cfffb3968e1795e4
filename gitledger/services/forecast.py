"""What would collide: each side with the target and with every other, as git would have it.

Source: DESIGN section 4. Unknown is never shown as clean.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitledger.git.attributes import AttributeFiles, Home, home_at, own_settings, seen_from
from gitledger.git.scratch import scratch
from gitledger.git.workplace import runs_programs
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN, Answer, Pair
from gitledger.services.asking import Merge, ask
from gitledger.services.ground import Ground
from gitledger.services.pairing import Asking, begins, ends, places_of, tips_of, ways
from gitledger.services.question import Facts, Forecast, Goal, Question
from gitledger.services.uncommitted import work_of
from gitledger.services.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.services.ground import Tips
    from gitledger.services.siding import Siding
    from gitledger.services.uncommitted import Work

NOTHING_MEETS = Answer(clean=True)


def foresee(repo: Repository, question: Question, watch: Watch | None = None) -> Forecast:
    """The verdicts for a question. Writes nothing to the repository, a cache aside.

    `watch` looks at the worktrees of the question's sides already.
    """
    watch = watch or Watch(repo, question)
    repo = watch.repo
    with scratch(repo) as store:
        places = places_of(question)
        tips = [tips_of(question, *one) for one in places]
        ground = Ground(repo, [*(one for one in tips if one), *ways(question)], begins(question))
        ranges = [_own_range(question, ground, n) for n in range(len(question.sides))]
        ground.survey(ends(question, ranges), store)
        attributes = AttributeFiles(repo, ground.reference, store, ground.shapes)
        if watch.homes:  # there is time
            attributes.prepare()
        works = work_of(ground, question, watch, store)
        ground.survey([one.commit for one in works if one.commit], store)
        told = [_facts(question, ground, works, n, own) for n, own in enumerate(ranges)]
        facts = _with_undone(question, ground, told, [one.commit or one.tip or "" for one in works])
        sight = _Sight(repo, question, ground, facts)
        asked = [Asking.of(*one, works) for one in zip(places, tips, strict=True)]
        merges = sight.merges(asked)
        said = ask(repo, merges.values(), attributes, store, question.terms)
        answers = {key: said[one] for key, one in merges.items()}
        pairs = [sight.verdict(one, answers) for one in asked]
        return Forecast(facts, pairs, _hunks(repo, question, store, zip(asked, pairs, strict=True)))


def _hunks(
    repo: Repository, question: Question, store: Scratch, judged: Iterable[tuple[Asking, Pair]]
) -> dict[tuple[str, str | None], tuple[str, str]]:
    if question.diff is None:
        return {}
    from gitledger.services.patches import Patches

    patches = Patches(repo, store.env, question.diff)
    conflicts = [(one, pair) for one, pair in judged if pair.verdict == CONFLICT]
    # With the target, the target is ours and `b`.
    return {
        (pair.a, pair.b): patches.of(pair, *(one.whole[::-1] if one.b is None else one.whole))
        for one, pair in conflicts
    }


def _own_range(question: Question, ground: Ground, number: int) -> tuple[str | None, str | None]:
    """From the merge base with the target to the tip; from what was recorded, once merged."""
    side, target = question.sides[number], question.goal(number).commit
    if side.tip is None or target is None:
        return side.base, side.tip
    bases = ground.bases.get((target, side.tip), ())
    if side.tip in bases and side.base:
        return side.base, side.tip
    return (bases[0] if bases else side.base), side.tip


def _facts(
    question: Question,
    ground: Ground,
    works: Sequence[Work],
    number: int,
    own: tuple[str | None, str | None],
) -> Facts:
    base, work, side = own[0], works[number], question.sides[number]
    head = work.commit or own[1] or ""
    touched = ground.touched(base, head) if base else None
    target = question.goal(number).commit
    return Facts(
        side,
        base,
        touched.changes if touched else (),
        work.dirty,
        work.note,
        touched,
        ground.touched(base, target) if base and target else None,
        unseen=work.unseen,
        landed=bool(target and side.tip in ground.bases.get((target, side.tip or ""), ())),
        uncommitted=(ground.files(side.tip, work.commit) if work.commit else None) or frozenset(),
    )


def _with_undone(
    question: Question, ground: Ground, facts: Sequence[Facts], heads: Sequence[str]
) -> list[Facts]:
    """With the files that differ from the base and not from where a side began, before it."""
    found = [_undone(ground, *one) for one in zip(facts, heads, strict=True)]
    spans = {
        (one.side.base, one.base)
        for n, (one, files) in enumerate(zip(facts, found, strict=True))
        if files and one.side.base and one.base
        if not ground.lacks(question.goal(n).commit, one.side.base)
    }
    # Who was put on a branch with commits began after the base: those are its own.
    older = ground.in_line(spans)
    return [
        one._replace(undone=files) if (one.side.base, one.base) in older else one
        for one, files in zip(facts, found, strict=True)
    ]


def _undone(ground: Ground, facts: Facts, head: str) -> frozenset[str]:
    began, base = facts.side.base, facts.base
    since_base, since_begin = ground.files(base, head), ground.files(began, head)
    if began in {base, head} or since_base is None or since_begin is None:
        return frozenset()
    return since_base - since_begin


@dataclass(eq=False, repr=False)
class _Sight:
    """Everything that the verdicts are made from, git's answers aside."""

    repo: Repository
    question: Question
    ground: Ground
    facts: Sequence[Facts]

    def merges(self, asked: Sequence[Asking]) -> dict[tuple[Asking, Tips], Merge]:
        """What git must be asked: every pair that may meet, with and without its work."""
        known = [one for one in asked if self._known(one)]
        wanted = [(one, each) for one in known for each in {one.tips, one.whole} if each]
        tips = {each: one.tips for one, each in wanted if one.tips}
        meeting = self.ground.meeting((own, each) for each, own in tips.items())
        trees = self.question.terms.trees
        return {
            (one, each): Merge(*each, self._home(one, each))
            for one, each in wanted
            if each in meeting or (trees and one.b is None)
        }

    def _home(self, one: Asking, commits: Tips) -> Home | None:
        """Where ours is checked out, if that has a say: there the merge would be made."""
        goal = self.question.goal(one.a)
        home = self.goals[goal] if one.b is None else self.homes[one.a]
        if one.tips is None:
            return None
        if self.programs[home if home in self.peculiar else None]:
            bare = Home(self.repo.common_dir, commit=commits[0])
            return (home or bare)._replace(programs=True)
        if self.ground.both_move_a_submodule(one.tips, commits):
            return home or Home(self.repo.common_dir)
        return home if home in self.peculiar else None

    @cached_property
    def programs(self) -> dict[Home | None, bool]:
        """Whether git may run programs: in the peculiar homes, and (None) in any other place."""
        drivers = not self.question.terms.no_drivers
        places = (None, *self.peculiar)
        return {one: runs_programs(seen_from(self.repo, one), drivers=drivers) for one in places}

    @cached_property
    def siding(self) -> Siding:
        from gitledger.services.siding import Siding

        return Siding(self.repo, self.question, self.facts)

    @cached_property
    def homes(self) -> list[Home | None]:
        return [home_at(self.repo, side.worktree) for side in self.question.sides]

    @cached_property
    def goals(self) -> dict[Goal, Home | None]:
        known = {self.question.goal(n) for n in range(len(self.facts))}
        return {one: home_at(self.repo, one.home) for one in known}

    @cached_property
    def peculiar(self) -> set[Home]:
        """Worktrees with configuration of their own for merging."""
        known = {one for one in (*self.homes, *self.goals.values()) if one}
        return {one for one in known if own_settings(self.repo, one)}

    def _known(self, one: Asking) -> bool:
        return one.tips is not None and bool(self.ground.bases.get(one.tips))

    def verdict(self, one: Asking, answers: Mapping[tuple[Asking, Tips], Answer]) -> Pair:
        sides = self.question.sides
        names = sides[one.a].id, None if one.b is None else sides[one.b].id
        if one.tips is None:
            lost = self.question.goal(one.a).lost if one.b is None else None
            return Pair(*names, UNKNOWN, reason=lost or "no commit to merge")
        reason = self.ground.why_unknown(one.tips)
        if reason:
            return Pair(*names, UNKNOWN, reason=reason)
        empty = Pair(*names, CLEAN, self.ground.bases[one.tips])
        committed = self._judged(one, one.tips, answers, empty)
        unseen = self._unseen(one)
        if unseen and committed.verdict != CONFLICT:
            told = committed.verdict
            return empty._replace(verdict=UNKNOWN, reason=unseen, committed=told)
        if one.whole == one.tips:
            return committed._replace(committed=committed.verdict)
        whole = self._judged(one, one.whole, answers, empty)
        return whole._replace(committed=committed.verdict)

    def _unseen(self, one: Asking) -> str | None:
        """Why nobody can tell what stands uncommitted on a side; None where it was read."""
        sides = [self.facts[n] for n in (one.a, one.b) if n is not None]
        return next((f"uncommitted work: {one.note}" for one in sides if one.unseen), None)

    def _judged(
        self, one: Asking, commits: Tips, answers: Mapping[tuple[Asking, Tips], Answer], empty: Pair
    ) -> Pair:
        answer = answers.get((one, commits), NOTHING_MEETS)
        if answer.clean is None:
            return empty._replace(verdict=UNKNOWN, reason=answer.reason)
        if not answer.clean:
            base = self.ground.bases[one.tips or commits][0]
            paths = self.siding.paths((one.a, one.b), base, commits[1], answer.paths)
            return empty._replace(verdict=CONFLICT, paths=paths, tree=answer.tree)
        met = answer is not NOTHING_MEETS and self.ground.both_touch(one.tips or commits, commits)
        return empty._replace(verdict=OVERLAP if met else CLEAN, tree=answer.tree)
