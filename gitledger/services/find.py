"""From what a user types to the agent that is meant. Source: DESIGN section 5."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import LedgerError
from gitledger.model.names import ARCHIVE, agent_ref
from gitledger.services.folded import folded, folded_one
from gitledger.services.live import LiveAgent, current_agent, look
from gitledger.store import pointers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent
    from gitledger.services.live import View

ARCHIVED_AGENTS = f"{ARCHIVE}agents/"
VARIABLE = "GIT_LEDGER_AGENT"
_RECENT = 5


class Archived(NamedTuple):
    """An agent that prune or archive moved out, and where its log is now."""

    agent: Agent
    ref: str


def started(agent: Agent) -> str:
    """When an agent came into the ledger: what `most recent` goes by."""
    return agent.spawned_at or agent.queued_at or agent.last_event_at or ""


def newest_first(agents: Iterable[LiveAgent]) -> list[LiveAgent]:
    return sorted(agents, key=lambda one: (started(one.agent), one.id), reverse=True)


def find(view: View, name: str | None) -> LiveAgent:
    """By exact id, then branch, then unique prefix; left out, the current worktree's.

    Raises LedgerError for an unknown one, with the most recent, or an ambiguous one.
    """
    if name is None:
        return here(view)
    if name in view.by_id:
        return view.by_id[name]
    for meant in (_by_branch(view, name), _by_prefix(view, name)):
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise ambiguous(name, [one.id for one in meant])
    raise unknown(name, view.agents)


def here(view: View) -> LiveAgent:
    """The agent that the environment names, else the one that works in this worktree."""
    named = os.environ.get(VARIABLE)
    if named:
        found = view.by_id.get(named)
        if found is None:
            raise LedgerError(f"unknown agent '{named}' in {VARIABLE}", "unset it, or correct it")
        return found
    found = view.held_by(view.repo.worktree)
    if found is None:
        raise LedgerError(
            "no agent works in this worktree", "name one: 'git ledger list' shows them"
        )
    return found


def current(repo: Repository) -> str | None:
    """The id of the agent that works here and has not ended: the environment's, else the worktree's."""
    named = os.environ.get(VARIABLE)
    if named:
        agent = folded_one(repo, agent_ref(named, "log")).agent
        return agent.id if agent and not agent.ended else None
    found = current_agent(repo)
    if found is None and repo.linked and pointers.current(repo) is None:
        unrecorded = look(repo).held_by(repo.worktree)
        return unrecorded.id if unrecorded else None
    return found.id if found else None


def _by_branch(view: View, name: str) -> list[LiveAgent]:
    """Those on that branch now; of several the ones that have not ended."""
    short = name.removeprefix("refs/heads/")
    meant = [one for one in view.agents if one.branch == short]
    return [one for one in meant if not one.agent.ended] or meant


def _by_prefix(view: View, name: str) -> list[LiveAgent]:
    return [one for one in view.agents if name and one.id.startswith(name)]


def ambiguous(name: str, ids: Sequence[str]) -> LedgerError:
    return LedgerError(
        f"'{name}' could be any of {len(ids)} agents", f"one of: {', '.join(sorted(ids))}"
    )


def unknown(name: str, agents: Iterable[LiveAgent]) -> LedgerError:
    recent = [one.id for one in newest_first(agents)[:_RECENT]]
    hint = f"the most recent: {', '.join(recent)}" if recent else "no agent is on record"
    return LedgerError(f"unknown agent '{name}'", hint)


def archived(repo: Repository) -> list[Archived]:
    """Every agent in the archive, the last that came into the ledger first."""
    read = folded(repo, ARCHIVED_AGENTS)
    found = [Archived(one.agent, ref) for ref, one in read.items() if one.agent]
    return sorted(found, key=lambda one: (started(one.agent), one.agent.id), reverse=True)


def find_archived(repo: Repository, name: str) -> Archived | None:
    """By exact id, then unique prefix; None where the archive has no such agent."""
    there = archived(repo)
    exact = [one for one in there if one.agent.id == name]
    meant = exact or [one for one in there if name and one.agent.id.startswith(name)]
    if len(meant) > 1 and not exact:
        raise ambiguous(name, [one.agent.id for one in meant])
    return meant[0] if meant else None


def find_any(view: View, name: str | None) -> tuple[LiveAgent, str]:
    """As `find`, the archive too; with the ref of its log. Raises LedgerError."""
    try:
        one = find(view, name)
    except LedgerError:
        kept = find_archived(view.repo, name) if name else None
        if kept is None:
            raise
        agent = kept.agent
        return LiveAgent(agent, None, agent.head, agent.branch), kept.ref
    return one, agent_ref(one.id, "log")


def sight(repo: Repository, name: str | None) -> tuple[View, LiveAgent, str]:
    """As `find_any`, with the view it was found in: of that agent alone where that is enough."""
    ref = _told_exactly(repo, name)
    if ref is not None:
        view = look(repo, only=ref)
        if view.agents:
            return view, view.agents[0], ref
    view = look(repo)
    return view, *find_any(view, name)


def _told_exactly(repo: Repository, name: str | None) -> str | None:
    """The ref of the log that an exact id, or none at all, would mean."""
    named = name or os.environ.get(VARIABLE)
    return agent_ref(named, "log") if named else pointers.current(repo)
