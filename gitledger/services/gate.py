"""The gates: what git is about to do, judged as `git ledger check` judges it.

Source: DESIGN section 3. They judge commits, fetch nothing, and record what they decide.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.errors import LedgerError, NotUsable
from gitledger.git.process import MERGING
from gitledger.model.names import agent_ref
from gitledger.model.verdict import CONFLICT, UNKNOWN, Pair
from gitledger.services.aim import aims_beside, home_of, side_of
from gitledger.services.forecast import foresee
from gitledger.services.gate_subjects import Call, Subject, subjects
from gitledger.services.judging import Asked, Judgement, question_of
from gitledger.services.live import View, look
from gitledger.services.question import Forecast, Terms
from gitledger.store import logs

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

EARLY = ("pre-commit", "manual")
MODES = ("warn", "block", "off")


class Decision(NamedTuple):
    """The pairs worth telling, by what was judged, and whether git is to stop."""

    judged: list[Judgement]
    blocked: bool


def mode_of(repo: Repository, hook: str) -> str:
    """`ledger.<hook>.gate`, else `ledger.gate`, else `warn`. Raises NotUsable for another word."""
    for key in (f"ledger.{hook}.gate", "ledger.gate"):
        mode = repo.config.get(key)
        if mode in MODES:
            return str(mode)
        if mode is not None:
            raise NotUsable(f"bad value '{mode}' for '{key}'", "use warn, block or off")
    return MODES[0]


def decide(repo: Repository, call: Call) -> Decision:
    """Judge what the hook is about, and record that. In mode `off` nothing is done.

    Nor for the merge that `git ledger merge` is making: that one was judged, and is recorded.
    """
    mode = mode_of(repo, call.hook)
    made_by_us = call.hook == "pre-merge-commit" and not MERGING.keys().isdisjoint(os.environ)
    if mode == "off" or made_by_us:
        return Decision([], blocked=False)
    view = look(repo)
    found = [(one, _judge(view, call.hook, one)) for one in subjects(view, call)]
    blocked = mode == "block" and any(_with_target(judged) for _, judged in found)
    for subject, judged in found:
        _record(view, call.hook, subject, judged, blocked=blocked)
    return Decision([_worth_telling(judged) for _, judged in found], blocked)


def _judge(view: View, hook: str, subject: Subject) -> Judgement:
    """The tree of a merge that is clean is only there to be recorded."""
    aims = aims_beside(view, subject.target, subject.others, None)
    sides = [subject.side, *(side_of(one) for one in subject.others)]
    terms = Terms(no_fetch=True, trees=hook not in EARLY)
    asked = Asked(committed_only=True, others=bool(subject.others), terms=terms)
    question = question_of(view, aims, sides, asked, of_first=True)
    return Judgement(aims, foresee(view.repo, question), set(), {}, [])


def _with_target(judged: Judgement) -> list[Pair]:
    """What may stop git: another agent's conflict is a warning, one of the two merges first."""
    pairs = judged.forecast.pairs
    return [one for one in pairs if one.b is None and one.verdict in {CONFLICT, UNKNOWN}]


def _worth_telling(judged: Judgement) -> Judgement:
    others = [one for one in judged.forecast.pairs if one.b and one.verdict == CONFLICT]
    told = Forecast(judged.forecast.facts, _with_target(judged) + others)
    return Judgement(judged.aims, told, set(), {}, [])


def _record(view: View, hook: str, subject: Subject, judged: Judgement, *, blocked: bool) -> None:
    """Once for each verdict on the same two commits; where it can't be written git goes on.

    An early warning that had nothing to say is no event: a log does not grow by commits.
    """
    stops = bool(_with_target(judged))
    if subject.agent is None or not subject.agent.recorded or (hook in EARLY and not stops):
        return
    from gitledger.services.decided import CHECKED, body  # a quiet pre-commit needs none

    decision = "blocked" if blocked and stops else "warned" if stops else "passed"
    pair = next(one for one in judged.forecast.pairs if one.b is None)
    commits, home = (subject.target.oid, subject.side.tip), home_of(view, subject.target)

    def unless_known(log: logs.Log) -> list[tuple[str, dict[str, Any]]]:
        before = [one.body for one in log.events if one.kind == CHECKED]
        known = bool(before) and all(before[-1].get(key) == value for key, value in told.items())
        return [] if known else [(CHECKED, told)]

    with contextlib.suppress(LedgerError):
        told = body(view.repo, pair, commits, home, by=hook, decision=decision)
        logs.append(view.repo, agent_ref(subject.agent.id, "log"), unless_known)
        _tell_sessions(view, judged)


def _tell_sessions(view: View, judged: Judgement) -> None:
    if any(one.agent.session for one in view.agents):
        from gitledger.services.session_trouble import record_conflicts  # most have no session

        record_conflicts(view, judged.forecast.pairs, judged.aims)
