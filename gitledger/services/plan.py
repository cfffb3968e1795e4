"""The order in which the most branches merge, found by merging them, without a trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.attributes import AttributeFiles, Home, home_at, own_settings, seen_from
from gitledger.git.scratch import scratch
from gitledger.git.snapshot import as_commits
from gitledger.git.workplace import runs_programs
from gitledger.model.plan import best_order, largest
from gitledger.model.verdict import CONFLICT, OVERLAP, UNKNOWN, Answer
from gitledger.services.aim import home_of
from gitledger.services.asking import Merge, ask_afresh
from gitledger.services.judging import target_document
from gitledger.services.question import Forecast

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.worktrees import Worktree
    from gitledger.model.plan import Against
    from gitledger.model.verdict import Pair, PathConflict
    from gitledger.services.judging import Judgement
    from gitledger.services.live import View
    from gitledger.services.question import Facts, Terms


@dataclass(frozen=True)
class LeftOut:
    """A branch that stops after the others: over what, and with which of them.

    `instead` are those that merge, as far as pairs tell, if this one must be among them;
    none where it stops at the target alone.
    """

    id: str
    paths: tuple[PathConflict, ...]
    against: tuple[Pair, ...]
    reason: str | None
    instead: tuple[str, ...]


@dataclass(frozen=True)
class Planned:
    """Ids in the order to merge, and those that are left out.

    `elsewhere` are those that are merged into another target: no part of this order.
    """

    order: tuple[str, ...]
    left: tuple[LeftOut, ...]
    elsewhere: tuple[str, ...] = ()


def plan(view: View, judged: Judgement, terms: Terms) -> Planned:
    """The order for the sides of a judgement, which must have a target.

    Raises LedgerError where there is none.
    """
    target = judged.target.oid if judged.target else None
    if target is None:
        raise LedgerError("no target to merge into", "name one with '--onto'")
    elsewhere = {one.side.id for one in judged.forecast.facts if one.side.id in judged.aims.own}
    judged = judged._replace(forecast=_without(judged.forecast, elsewhere))
    facts = {one.side.id: one for one in judged.forecast.facts if one.side.tip}
    names = _preferred(judged, list(facts))
    against = _against(judged, names)
    repo = terms.applied_to(view.repo)
    with scratch(repo) as store:
        home = _home(repo, home_of(view, judged.target), target, terms)
        merger = Merger(repo, target, _tips(facts), store, terms, home)
        merger.take(one for one in judged.forecast.pairs if one.b is None)
        found = best_order(names, against, target, merger.merge)
        rest = [one for one in names if one not in found.merged]
        answers = merger.answers([(found.state, one) for one in rest])
        stuck = {one.a for one in judged.forecast.pairs if one.b is None and _stops(one)}
        ways = {
            one: () if one in stuck else tuple(largest(names, against, must=one)) for one in rest
        }
    left = [_left(judged, one, said, ways[one]) for one, said in zip(rest, answers, strict=True)]
    return Planned(found.merged, tuple(left), tuple(sorted(elsewhere)))


def _without(forecast: Forecast, ids: Collection[str]) -> Forecast:
    """What is foreseen of the other sides among themselves."""
    facts = [one for one in forecast.facts if one.side.id not in ids]
    return Forecast(facts, [one for one in forecast.pairs if not {one.a, one.b} & set(ids)])


def _stops(pair: Pair) -> bool:
    return pair.verdict in {CONFLICT, UNKNOWN}


def _through_the_target(pair: Pair) -> bool:
    """A conflict with the target, met again in everybody who started later."""
    return bool(pair.paths) and all(one.via for one in pair.paths)


def _tips(facts: dict[str, Facts]) -> dict[str, str]:
    return {name: one.side.tip for name, one in facts.items() if one.side.tip}


def _home(repo: Repository, tree: Worktree | None, target: str, terms: Terms) -> Home | None:
    """Where the target is checked out, if what lies there has a say: submodules, programs."""
    home = home_at(repo, tree)
    programs = runs_programs(seen_from(repo, home), drivers=not terms.no_drivers)
    linked = any(name.startswith("submodule.") for name in repo.config.values)
    if home is None:
        return Home(repo.common_dir, None, programs, target) if programs else None
    peculiar = linked or programs or own_settings(repo, home)
    return home._replace(programs=programs) if peculiar else None


def _preferred(judged: Judgement, names: Sequence[str]) -> list[str]:
    """Those that meet the fewest others first; then those that changed the least."""
    pairs = judged.forecast.pairs
    met = dict.fromkeys(names, 0)
    for one in pairs:
        for name in (one.a, one.b):
            if name in met and one.verdict in {OVERLAP, CONFLICT, UNKNOWN}:
                met[name] += 1
    sizes = {one.side.id: len(one.files) for one in judged.forecast.facts}
    return sorted(names, key=lambda name: (met[name], sizes[name], name))


def _against(judged: Judgement, names: Sequence[str]) -> Against:
    """Who conflicts with whom; one that conflicts with the target, with everybody."""
    found: Against = {name: set() for name in names}
    for one in judged.forecast.pairs:
        if not _stops(one) or one.a not in found:
            continue
        others = [one.b] if one.b else [name for name in names if name != one.a]
        for other in others:
            if other in found:
                found[one.a].add(other)
                found[other].add(one.a)
    return found


@dataclass
class Merger:
    """Merges in a scratch store. A state is a commit of what was merged, in whatever order."""

    repo: Repository
    target: str
    tips: dict[str, str]
    store: Scratch
    terms: Terms
    home: Home | None = None
    known: dict[str, frozenset[str]] = field(default_factory=dict)
    said: dict[Merge, Answer] = field(default_factory=dict)

    def take(self, pairs: Iterable[Pair]) -> None:
        """What is foreseen already of those that stop at the target: no tree is needed of it."""
        for one in pairs:
            if _stops(one) and one.a in self.tips:
                merge = Merge(self.target, self.tips[one.a], self.home)
                clean = False if one.verdict == CONFLICT else None
                self.said[merge] = Answer(clean, paths=one.paths, reason=one.reason)

    def merge(self, steps: Sequence[tuple[str, str]]) -> list[str | None]:
        answers = self.answers(steps)
        done = [
            (n, said.tree, self.known.get(state, frozenset()) | {self.tips[name]})
            for n, ((state, name), said) in enumerate(zip(steps, answers, strict=True))
            if said.clean and said.tree
        ]
        above = [(tree, (self.target, *sorted(tips))) for _, tree, tips in done]
        found: list[str | None] = [None] * len(steps)
        made = as_commits(self.repo, above, self.store)
        for (n, _, tips), commit in zip(done, made, strict=True):
            found[n] = commit
            self.known[commit] = tips
        return found

    @cached_property
    def attributes(self) -> AttributeFiles:
        return AttributeFiles(self.repo, self.target, self.store)

    def answers(self, steps: Sequence[tuple[str, str]]) -> list[Answer]:
        merges = [Merge(state, self.tips[name], self.home) for state, name in steps]
        fresh = [one for one in dict.fromkeys(merges) if one not in self.said]
        self.said |= ask_afresh(self.repo, fresh, self.attributes, self.store, self.terms)
        return [self.said[one] for one in merges]


def _left(judged: Judgement, name: str, said: Answer, instead: tuple[str, ...]) -> LeftOut:
    met = [one for one in judged.forecast.pairs if name in {one.a, one.b} and _stops(one)]
    pairs = [one for one in met if not _through_the_target(one)]
    return LeftOut(name, said.paths, tuple(pairs), said.reason, instead)


def document(planned: Planned, judged: Judgement) -> dict[str, Any]:
    """The `ledger.plan/1` document, without its schema."""
    facts = {one.side.id: one for one in judged.forecast.facts}
    return {
        "target": target_document(judged.target),
        "order": [_entry(facts[one]) for one in planned.order],
        "left": [_left_document(facts[one.id], one, judged) for one in planned.left],
        "elsewhere": [
            {**_entry(facts[one]), "target": target_document(judged.aims.of(one))}
            for one in planned.elsewhere
        ],
        "counts": {
            "merges": len(planned.order),
            "left": len(planned.left),
            "elsewhere": len(planned.elsewhere),
        },
    }


def _entry(facts: Facts) -> dict[str, Any]:
    side = facts.side
    return {"id": side.id, "branch": side.branch, "tip": side.tip, "files": len(facts.files)}


def _left_document(facts: Facts, one: LeftOut, judged: Judgement) -> dict[str, Any]:
    reason = {"reason": one.reason} if one.reason else {}
    known = judged.integrated.get(one.id)
    return {
        **_entry(facts),
        **reason,
        **({"integrated": known.commit} if known and known.whole else {}),
        "paths": [{"path": path.path, "kind": path.kind} for path in one.paths],
        "with": [pair.document() for pair in one.against],
        "instead": {"merges": len(one.instead), "order": list(one.instead)},
    }
