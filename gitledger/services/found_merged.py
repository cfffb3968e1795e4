"""Agents whose work was merged by somebody, and whose worktree is gone: completed.

Source: REQUIREMENTS section 2, "found merged". While the worktree stands the agent goes
on, with `merged` in its snapshot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger.model.agent import fold
from gitledger.model.lifecycle import TRANSITIONS
from gitledger.model.names import agent_ref
from gitledger.services.snapshots import landed
from gitledger.services.work import frozen, own_changes
from gitledger.store import logs

if TYPE_CHECKING:
    from gitledger.services.live import LiveAgent, View


def complete_merged(view: View) -> list[str]:
    """Complete every agent that is found merged; their ids.

    Merged is: at least one commit is its own by the notes, and its head is reachable
    from its target.
    """
    gone = [one for one in view.live if one.recorded and _worktree_is_gone(one)]
    owned = own_changes(view, gone) if gone else {}
    found = []
    for one in gone:
        own = owned[one.id]
        merged = landed(view.repo, one, own) if own.landed else None
        if merged and _complete(view, one, {**frozen(own), "merged": merged}):
            found.append(one.id)
    return found


def _worktree_is_gone(one: LiveAgent) -> bool:
    standing = one.worktree is not None and one.worktree.present
    return one.agent.worktree_id is not None and not standing


def _complete(view: View, one: LiveAgent, told: dict[str, Any]) -> bool:
    def decide(log: logs.Log) -> logs.Facts:
        agent = fold(log.events, one.id)
        if agent is None or agent.status not in TRANSITIONS["merge"]:
            return []
        return [("completed", {**told, "how": "found-merged"})]

    return bool(logs.append(view.repo, agent_ref(one.id, "log"), decide))
