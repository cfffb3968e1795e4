"""The public snapshot of agents as they are now: the record, joined with what git says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.ranges import landing
from gitledger.model.snapshot import CHURN_THRESHOLD, Facts, Snapshot, snapshot
from gitledger.services.work import Own, own_changes
from gitledger.store import notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent
    from gitledger.services.live import LiveAgent, View


def churn_threshold(repo: Repository) -> int:
    """`ledger.churnThreshold`, 4."""
    return repo.config.number("ledger.churnThreshold", CHURN_THRESHOLD)


def snapshots(view: View, agents: Sequence[LiveAgent]) -> list[Snapshot]:
    """Of each agent, in the order given."""
    owned = own_changes(view, [one for one in agents if not one.agent.ended])
    threshold = churn_threshold(view.repo)
    return [snapshot(one.agent, _facts(view, one, owned.get(one.id), threshold)) for one in agents]


def archived_snapshot(agent: Agent, threshold: int) -> Snapshot:
    """Of an agent that is in the archive: what its end froze."""
    return snapshot(agent, Facts(head=agent.head, branch=agent.branch, churn_threshold=threshold))


def _facts(view: View, one: LiveAgent, own: Own | None, threshold: int) -> Facts:
    """What git says now; without `own`, of an agent whose end froze the rest."""
    standing = one.worktree if one.worktree and one.worktree.present else None
    target = own.target if own else None
    return Facts(
        branch=one.branch,
        worktree=standing.path if standing else None,
        head=one.tip,
        target=target.name if target else None,
        files=own.paths if own else None,
        merged=landed(view.repo, one, own) if own and own.landed else None,
        churn_threshold=threshold,
    )


def landed(repo: Repository, one: LiveAgent, own: Own) -> dict[str, str] | None:
    """Where the work is that the target holds already; None without a commit of its own."""
    target = own.target
    if target is None or target.oid is None or one.tip is None or not _made_any(repo, one, own):
        return None
    return {"into": target.name, "commit": landing(repo, one.tip, target.oid)}


def _made_any(repo: Repository, one: LiveAgent, own: Own) -> bool:
    """Whether any commit since the base is the agent's own, by the notes."""
    found = notes.lookup(repo, own.commits)
    return any(note.agent == one.id for places in found.values() for note in places.values())
