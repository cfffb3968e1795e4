"""From the ledger to a question, and from the answer to the document of DESIGN section 5."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.objects import resolve
from gitledger.git.versions import version
from gitledger.services.asking import Terms
from gitledger.services.drift import Drift, drift, witness_of
from gitledger.services.find import find
from gitledger.services.forecast import foresee
from gitledger.services.question import Facts, Forecast, Question, Side
from gitledger.services.squashed import squash_commits
from gitledger.services.target import Target, default_name, targets
from gitledger.services.warning import warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.warnings import Notice
    from gitledger.services.evidence import Witness
    from gitledger.services.live import LiveAgent, View


@dataclass(frozen=True)
class Judgement:
    """Everything that `conflicts` and `check` tell."""

    target: Target | None
    forecast: Forecast
    agents: set[str]  # those of the sides that are agents
    drift: dict[str, list[Drift]]
    warnings: list[Notice]
    integrated: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """How a command was asked. `onto` is the name of another target."""

    onto: str | None = None
    committed_only: bool = False
    others: bool = True
    terms: Terms = field(default_factory=Terms)


def target_of(repo: Repository, onto: str | None, agent: LiveAgent | None = None) -> Target:
    """`--onto`, else the agent's, else `ledger.target`, else the main worktree's branch.

    Raises LedgerError where the name is no commit, or there is none.
    """
    name = onto or (agent.agent.target if agent else None) or default_name(repo)
    if name is None:
        raise LedgerError("no branch to merge into", "name one with '--onto'")
    found = targets(repo, [name])[name]
    if found.oid is None:
        raise LedgerError(f"'{name}' is not a commit", "name a branch or a commit with '--onto'")
    return found


def side_of(one: LiveAgent) -> Side:
    return Side(one.id, one.tip, one.branch, one.worktree, one.agent.spawn_commit)


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
    """The named agents, or every live one, with the target and with each other."""
    chosen = [find(view, name) for name in names] if names else view.live
    chosen = list({one.id: one for one in chosen}.values())
    target = _target_if_any(view.repo, asked.onto)
    sides = [side_of(one) for one in chosen if not _is_target(one, target)]
    return _judge(view, target, sorted(sides, key=lambda one: one.id), asked)


def _is_target(one: LiveAgent, target: Target | None) -> bool:
    """A worktree that holds the target's branch is where work is merged."""
    return target is not None and one.branch == target.name


def home_of(view: View, target: Target | None) -> Worktree | None:
    """The worktree where the target is checked out: there it is merged into."""
    name = target.name if target else None
    return next((one for one in view.worktrees if name in {one.branch, one.head_ref()}), None)


def _target_if_any(repo: Repository, onto: str | None) -> Target | None:
    """The target; None where none was named and the default one has no commit yet."""
    name = onto or default_name(repo)
    if name is None or (onto is None and targets(repo, [name])[name].oid is None):
        return None
    return target_of(repo, onto)


def judge_one(view: View, name: str, asked: Asked) -> Judgement:
    """One agent, branch or commit with the target; with the other live agents too if asked."""
    side, agent = named_side(view, name)
    target = target_of(view.repo, asked.onto, agent)
    others = [
        side_of(one) for one in view.live if one.id != side.id and not _is_target(one, target)
    ]
    sides = [side, *others] if asked.others else [side]
    return _judge(view, target, sides, asked, of_first=True)


def _judge(
    view: View,
    target: Target | None,
    sides: Sequence[Side],
    asked: Asked,
    *,
    of_first: bool = False,
) -> Judgement:
    oid = target.oid if target else None
    question = Question(
        oid,
        sides,
        asked.committed_only,
        asked.others,
        asked.terms,
        of_first,
        home_of(view, target),
    )
    forecast = foresee(view.repo, question)
    agents = {one.id for one in sides if one.id in view.by_id}
    witness = cache(partial(witness_of, view))
    drifted = {one.side.id: _drift(view, one, oid, witness) for one in forecast.facts}
    integrated = squash_commits(view.repo, oid, forecast)
    titles = {one: title for one in agents if (title := view.by_id[one].agent.title)}
    notices = warnings(view.repo, target, forecast, integrated)
    return Judgement(target, forecast, agents, drifted, notices, integrated, titles)


def _drift(
    view: View, facts: Facts, target: str | None, witness: Callable[[], Witness]
) -> list[Drift]:
    own = _own(view, facts)
    if facts.met is not None:
        own = own & facts.met.files
    return drift(view, facts.base, target, own, witness)


def _own(view: View, facts: Facts) -> set[str]:
    declared = view.by_id[facts.side.id].agent.files_declared if facts.side.id in view.by_id else ()
    return {path for _, path in facts.files} | set(declared)


def document(judged: Judgement, repo: Repository, *, every_pair: bool) -> dict[str, Any]:
    """The `ledger.conflicts/1` document, without its schema."""
    pairs = judged.forecast.pairs
    told = [one for one in pairs if every_pair or one.verdict != "clean"]
    return {
        "target": _target(judged.target),
        "git": ".".join(str(part) for part in version(repo.git)),
        "agents": [_agent(one, judged) for one in judged.forecast.facts],
        "pairs": [
            one.document() | _integrated(one.a, one.b, judged)
            for one in sorted(told, key=lambda one: (one.a, one.b or ""))
        ],
        "warnings": [
            {"agent": one.agent, "kind": one.kind, "message": one.message, "paths": list(one.paths)}
            for one in judged.warnings
        ],
        "counts": {"pairs": len(pairs), **Counter(one.verdict for one in pairs)},
    }


def _integrated(a: str, b: str | None, judged: Judgement) -> dict[str, str]:
    known = b is None and a in judged.integrated
    return {"integrated": judged.integrated[a]} if known else {}


def _target(target: Target | None) -> dict[str, str | None] | None:
    return {"ref": target.name, "oid": target.oid} if target else None


def _agent(facts: Facts, judged: Judgement) -> dict[str, Any]:
    side = facts.side
    named = {"id": side.id} if side.id in judged.agents else {}
    title = {"title": judged.titles[side.id]} if side.id in judged.titles else {}
    return {
        **named,
        **title,
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
