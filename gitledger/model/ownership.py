"""Who owns a commit: the rules, as one table from evidence to owner.

Source: DESIGN section 3, "An agent is identified by its id …". A hook's record
outranks what is found later, what a reflog says outranks what is concluded, and
where nothing fits the commit stays unrecorded rather than guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.model.note import Note

HOOK, RECONCILED, INFERRED, TRAILER = "hook", "reconcile", "inferred", "trailer"
_RANK = {"": 0, RECONCILED: 1, INFERRED: 2}


class Evidence(NamedTuple):
    """What is known of one commit before anyone decides.

    `notes` are the notes on it, by worktree. `withheld`: a hook saw it under an
    agent that it did not know, so it is given to nobody. `trailer` is the agent
    that its message names, where `ledger.trailer` is on. `made_by` are the agents
    that held the worktrees in whose reflog it was made; `made_elsewhere`: it was
    made in a worktree without an agent. `twin` is the agent of a recorded commit
    with the same change. `only_on` are the live agents whose branch alone it is on.
    """

    notes: tuple[tuple[str, Note], ...] = ()
    withheld: bool = False
    trailer: str | None = None
    made_by: tuple[str, ...] = ()
    made_elsewhere: bool = False
    twin: str | None = None
    only_on: tuple[str, ...] = ()


class Owner(NamedTuple):
    """The agent of a commit and how that is known: hook, reconcile, inferred or trailer."""

    agent: str
    how: str
    sources: tuple[str, ...] = ()


def owner(evidence: Evidence) -> Owner | None:
    """The owner by the first rule that fits; None: unrecorded."""
    if evidence.trailer:
        return Owner(evidence.trailer, TRAILER)
    if evidence.notes:
        note = best_note(note for _, note in evidence.notes)
        return Owner(note.agent, note.found or HOOK, note.sources)
    return None if evidence.withheld else _concluded(evidence)


def why_nobody(evidence: Evidence) -> str:
    """Why a commit has no owner, in words for a person. Needs one without."""
    if evidence.withheld:
        return "it was made under a GIT_LEDGER_AGENT that the ledger did not know"
    if evidence.made_elsewhere:
        return "it was made in a worktree where no agent works"
    return "no hook saw it, no reflog has it, and it is on no agent's branch alone"


def _concluded(evidence: Evidence) -> Owner | None:
    """The owner of a commit that no hook recorded."""
    if evidence.made_by:
        other = evidence.twin if evidence.twin not in evidence.made_by else None
        return Owner(evidence.made_by[0], RECONCILED, (other,) if other else ())
    if evidence.twin:
        return Owner(evidence.twin, INFERRED)
    alone = evidence.only_on if len(evidence.only_on) == 1 and not evidence.made_elsewhere else ()
    return Owner(alone[0], INFERRED) if alone else None


def best_note(notes: Iterable[Note]) -> Note:
    """What a hook saw before what was found later; then by agent, so that it is settled."""
    return min(notes, key=lambda note: (_RANK.get(note.found, 3), note.agent))
