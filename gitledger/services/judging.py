"""From the ledger to a question, and from the answer to the document of DESIGN section 5."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.errors import LedgerError
from gitledger.git.objects import resolve
from gitledger.git.versions import dotted, version
from gitledger.model.verdict import CLEAN
from gitledger.services.aim import (
    Aims,
    aims_beside,
    aims_of,
    goal_of,
    is_target,
    side_of,
    target_of,
)
from gitledger.services.find import find
from gitledger.services.question import Facts, Forecast, Question, Side, Terms
from gitledger.services.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.verdict import Pair
    from gitledger.model.warnings import Notice
    from gitledger.services.drift import Drift, Ground
    from gitledger.services.live import LiveAgent, View
    from gitledger.services.squashed import Integrated
    from gitledger.services.target import Target


class Judgement(NamedTuple):
    """Everything that `conflicts` and `check` tell."""

    aims: Aims
    forecast: Forecast
    agents: set[str]  # those of the sides that are agents
    drift: dict[str, list[Drift]]
    warnings: list[Notice]
    integrated: Mapping[str, Integrated] = MappingProxyType({})
    titles: Mapping[str, str] = MappingProxyType({})

    @property
    def target(self) -> Target | None:
        """That of the whole question: of every side that has no other."""
        return self.aims.default

    def into(self, side: str) -> str:
        """The name of what a side is merged into."""
        return self.aims.name(side) or ""

    def already(self, pair: Pair) -> dict[str, Integrated]:
        """The sides of a pair that are in their target as a whole, though git sees them apart."""
        found = {name: self.integrated.get(name) for name in (pair.a, pair.b) if name}
        return {name: one for name, one in found.items() if one and one.whole}


class Asked(NamedTuple):
    """How a command was asked. `onto` is the name of another target.

    `diff` asks for the hunks of each conflict, in the colour that it says; without
    `beside` neither drift nor warnings are looked for.
    """

    onto: str | None = None
    committed_only: bool = False
    others: bool = True
    terms: Terms = Terms()
    diff: str | None = None
    beside: bool = True


def named_side(view: View, name: str) -> tuple[Side, LiveAgent | None]:
    """An agent by id, branch or prefix, else any branch or commit, by its full id."""
    try:
        one = find(view, name)
    except LedgerError:
        found = resolve(view.repo, [f"refs/heads/{name}^0", f"{name}^0"])
        commit = found[0] or found[1]
        if commit is None:
            raise
        branch = name if found[0] else None
        return Side(commit[0], commit[0], branch), None
    return side_of(one), one


def judge_all(view: View, names: Sequence[str], asked: Asked) -> Judgement:
    """The named agents, or every live one, with their targets and with each other."""
    chosen = [find(view, name) for name in names] if names else view.live
    chosen = list({one.id: one for one in chosen}.values())
    aims = aims_of(view, chosen, asked.onto)
    working = [
        one
        for one in chosen
        if not is_target(one, aims.default) and not is_target(one, aims.of(one.id))
    ]
    sides = [side_of(one) for one in sorted(working, key=lambda one: one.id)]
    return _judge(view, aims, sides, asked)


def judge_one(view: View, name: str, asked: Asked) -> Judgement:
    """One agent, branch or commit with its target; with the other live agents too if asked."""
    side, agent = named_side(view, name)
    target = target_of(view, asked.onto, agent)
    if not asked.others:
        return _judge(view, Aims(target), [side], asked, of_first=True)
    others = [one for one in view.live if one.id != side.id and not is_target(one, target)]
    aims = aims_beside(view, target, others, asked.onto)
    sides = [side, *(side_of(one) for one in others)]
    return _judge(view, aims, sides, asked, of_first=True)


def _judge(
    view: View, aims: Aims, sides: Sequence[Side], asked: Asked, *, of_first: bool = False
) -> Judgement:
    question = question_of(view, aims, sides, asked, of_first=of_first)
    watch = Watch(view.repo, question)
    # While git looks into the worktrees, the rest is loaded.
    from gitledger.services.drift import drifts
    from gitledger.services.forecast import foresee
    from gitledger.services.warning import warnings

    forecast = foresee(view.repo, question, watch)
    agents = {one.id for one in sides if one.id in view.by_id}
    grounds = {one.side.id: _ground(view, one, aims) for one in forecast.facts}
    drifted = drifts(view, grounds) if asked.beside else {}
    known = _already(view.repo, aims, forecast)
    titles = {one: title for one in agents if (title := view.by_id[one].agent.title)}
    notices = warnings(view.repo, aims, forecast, known) if asked.beside else []
    return Judgement(aims, forecast, agents, drifted, notices, known, titles)


def _already(repo: Repository, aims: Aims, forecast: Forecast) -> dict[str, Integrated]:
    if all(one.verdict == CLEAN for one in forecast.pairs):
        return {}
    from gitledger.services.squashed import integrated

    return integrated(repo, aims, forecast)


def question_of(
    view: View, aims: Aims, sides: Sequence[Side], asked: Asked, *, of_first: bool
) -> Question:
    """What to foresee of these sides, each with what it is merged into."""
    goals = {target: goal_of(view, target) for target in {aims.of(one.id) for one in sides}}
    aimed = [one._replace(goal=goals[aims.of(one.id)]) for one in sides]
    how = (asked.committed_only, asked.others, asked.terms, of_first)
    return Question(None, aimed, *how, diff=asked.diff)


def _ground(view: View, facts: Facts, aims: Aims) -> Ground:
    from gitledger.services.drift import Ground

    target = aims.of(facts.side.id)
    own = _own(view, facts)
    if facts.met is not None:
        own = own & facts.met.files
    return Ground(facts.base, target.oid if target else None, own)


def no_drift_known(judged: Judgement) -> str | None:
    """Why the drift of the first side can't be told; None where it was looked for."""
    first = judged.forecast.facts[0]
    target = judged.aims.of(first.side.id)
    if first.base and target and target.oid:
        return None
    pair = judged.forecast.of(first.side.id, None)
    return (pair.reason if pair else None) or "no commit to count from"


def _own(view: View, facts: Facts) -> set[str]:
    declared = view.by_id[facts.side.id].agent.files_declared if facts.side.id in view.by_id else ()
    return {path for _, path in facts.files} | set(declared)


def document(judged: Judgement, repo: Repository, *, every_pair: bool) -> dict[str, Any]:
    """The `ledger.conflicts/1` document, without its schema."""
    pairs = judged.forecast.pairs
    told = [one for one in pairs if every_pair or one.verdict != "clean"]
    return {
        "target": target_document(judged.target),
        "git": dotted(version(repo.git)),
        "agents": [_agent(one, judged) for one in judged.forecast.facts],
        "pairs": [
            one.document() | _integrated(one, judged) | _hunks(one, judged)
            for one in sorted(told, key=lambda one: (one.a, one.b or ""))
        ],
        "warnings": [
            {"agent": one.agent, "kind": one.kind, "message": one.message, "paths": list(one.paths)}
            for one in judged.warnings
        ],
        "counts": {"pairs": len(pairs), **Counter(one.verdict for one in pairs)},
    }


def _integrated(pair: Pair, judged: Judgement) -> dict[str, Any]:
    """Of a pair with the target the commit; of two sides that of each which is in its own."""
    found = {name: one.commit for name, one in judged.already(pair).items()}
    if not found:
        return {}
    if pair.b is None:
        return {"integrated": found[pair.a]}
    roles = {"a": pair.a, "b": pair.b}
    return {"integrated": {role: found[name] for role, name in roles.items() if name in found}}


def _hunks(pair: Pair, judged: Judgement) -> dict[str, Any]:
    found = judged.forecast.hunks.get((pair.a, pair.b))
    return {"hunks": {"a": found[0], "b": found[1]}} if found else {}


def target_document(target: Target | None) -> dict[str, str | None] | None:
    return {"ref": target.name, "oid": target.oid} if target else None


def _own_target(side: str, aims: Aims) -> dict[str, Any]:
    """Where it is another than the document's."""
    return {"target": target_document(aims.own[side])} if side in aims.own else {}


def _agent(facts: Facts, judged: Judgement) -> dict[str, Any]:
    side = facts.side
    named = {"id": side.id} if side.id in judged.agents else {}
    title = {"title": judged.titles[side.id]} if side.id in judged.titles else {}
    return {
        **named,
        **title,
        **_own_target(side.id, judged.aims),
        "branch": side.branch,
        "tip": side.tip,
        "base": facts.base,
        "dirty": facts.dirty,
        "files": len(facts.files),
        "drift": [
            {"path": one.path, "by": one.by, "commit": one.commit}
            for one in judged.drift.get(side.id, ())
        ],
    }
