"""A session taken up again: where it stands, what is in the way, and going on.

The steps of REQUIREMENTS section 5: read, find the position, show errors and
conflicts, summarise, let the user decide, go on, write down that it went on.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.model.phase import FAILED, IN_PROGRESS, PENDING, UNANSWERED, Phase, PhaseError
from gitledger.model.session import Position, Session, position
from gitledger.services import session_paths as paths
from gitledger.services import sessions
from gitledger.services.aim import Aims
from gitledger.services.judging import Asked, judge_all
from gitledger.services.live import look
from gitledger.services.session_conflicts import Conflict, conflicts
from gitledger.services.session_phases import Step, check_step, head_of, refuse_ended
from gitledger.services.session_shares import agents_of, claim
from gitledger.services.session_trouble import record_conflicts, settle_conflicts
from gitledger.services.session_work import manifest, with_agents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository

    Facts = list[tuple[str, dict[str, Any]]]

GO_ON, RETRY, SKIP, ABORT, ADJUST = "go-on", "retry", "skip", "abort", "adjust"


@dataclass(frozen=True)
class Survey:
    """What is to be known before going on. `session` has its agents' work in it."""

    session: Session
    position: Position
    conflicts: list[Conflict]

    @property
    def errors(self) -> list[tuple[Phase, PhaseError]]:
        return [(phase, one) for phase in self.session.phases for one in phase.unresolved]

    @property
    def needs_decision(self) -> bool:
        """Whether the user has to say how to go on."""
        unanswered = any(one.resolution == UNANSWERED for _, one in self.errors)
        return bool(self.position.failed or unanswered or self.conflicts)


def survey(repo: Repository, name: str | None) -> Survey:
    """Look at a session. Raises LedgerError for one that has ended.

    Conflicts that git foresees for its agents are put on record on the way.
    """
    kept = sessions.named(repo, name)
    if not kept.live:
        words = f"session '{kept.session.session_id}' is archived"
        raise LedgerError(words, "begin a new one with 'git ledger session start TOPIC'")
    refuse_ended(kept.session)
    kept = _with_foreseen(repo, kept)
    session = with_agents(repo, kept)
    return Survey(session, position(session), conflicts(repo, kept, session))


def _with_foreseen(repo: Repository, kept: sessions.Kept) -> sessions.Kept:
    """The session after git was asked about each of its agents that goes on."""
    claim(repo, kept)
    view = look(repo)
    going_on = [one.id for one in agents_of(repo, kept) if not one.ended]
    names = [one for one in going_on if one in view.by_id]
    judged = judge_all(view, names, Asked()) if names else None
    pairs = judged.forecast.pairs if judged else []
    aims = judged.aims if judged else Aims(None)
    record_conflicts(view, pairs, aims)
    settle_conflicts(view, pairs, aims, kept.session.session_id)
    return sessions.named(repo, kept.session.session_id)


def go_on(repo: Repository, found: Survey, action: str, *, override: bool = False) -> Session:
    """Do what was decided, in one step; the session afterwards.

    go-on takes the next phase up, retry a failed one, skip leaves failed ones behind,
    abort ends the session, adjust changes nothing. Raises LedgerError and Refused.
    """
    if action == ADJUST:
        return found.session
    extra = {**head_of(repo)}
    grown = _manifests(found)
    plan = _plan_now(repo, found.session)

    def decide(session: Session) -> Facts:
        refuse_ended(session)
        facts = _ABILITIES[action](session, override)
        return [*grown, *plan, *((kind, {**body, **extra}) for kind, body in facts)]

    return sessions.change(repo, found.session.session_id, decide)


def _manifests(found: Survey) -> Facts:
    """What the agents of begun phases have changed so far, for the record."""
    running = [one.key for one in found.session.phases if one.status == IN_PROGRESS]
    parts = [(key, manifest(found.session.shares, key)) for key in running]
    return [("manifest", {"phase": key, **files}) for key, files in parts if files]


def _plan_now(repo: Repository, session: Session) -> Facts:
    """A plan that changed is shown once, and known from then on."""
    path = session.implementation_plan
    if not path or not paths.is_plan(repo, path):
        return []
    whole = os.path.join(paths.top_of(repo, session.worktree), path)
    blob = paths.blob_of(repo, whole)
    return [("session-set", {"plan_blob": blob})] if blob != session.plan_blob else []


def _take_up(session: Session, _override: bool) -> Facts:
    phase = position(session).next
    if phase is None:
        return [("session-resumed", {"action": GO_ON})]
    if phase.status == FAILED:
        raise LedgerError(f"phase '{phase.key}' has failed", "give --retry, --skip or --abort")
    return [*_started(session, phase), _resumed(GO_ON, phase)]


def _started(session: Session, phase: Phase) -> Facts:
    if phase.status != PENDING:
        return []
    check_step(session, Step("start", phase.key))
    return [("phase-started", {"phase": phase.key})]


def _resumed(action: str, phase: Phase) -> tuple[str, dict[str, Any]]:
    return "session-resumed", {"action": action, "phase": phase.key}


def _retry(session: Session, override: bool) -> Facts:
    failed = _failed(session)
    if not failed:
        return _take_up(session, override)
    phase = failed[0]
    check_step(session, Step(RETRY, phase.key, override=override))
    return [("phase-retried", {"phase": phase.key}), _resumed(RETRY, phase)]


def _skip(session: Session, _override: bool) -> Facts:
    """Failed phases stay failed, their errors answered; the next free phase is taken up."""
    answered: Facts = [
        ("error-resolved", {"phase": one.key, "error": error.id, "resolution": "skipped"})
        for one in _failed(session)
        for error in one.unresolved
    ]
    waiting = [one for one in session.phases if one.status in {IN_PROGRESS, PENDING}]
    free = [one for one in waiting if _is_free(session, one)]
    if not free:
        return [*answered, ("session-resumed", {"action": SKIP})]
    return [*answered, *_started(session, free[0]), _resumed(SKIP, free[0])]


def _is_free(session: Session, phase: Phase) -> bool:
    try:
        return phase.status == IN_PROGRESS or bool(_started(session, phase))
    except LedgerError:
        return False


def _abort(_session: Session, _override: bool) -> Facts:
    return [("session-aborted", {"why": "by the user"})]


def _failed(session: Session) -> Sequence[Phase]:
    return [one for one in session.phases if one.status == FAILED]


_ABILITIES = {GO_ON: _take_up, RETRY: _retry, SKIP: _skip, ABORT: _abort}
