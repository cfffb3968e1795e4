"""What is true now: every agent with its worktree, branch and tip, as git has them.

Reads only. Source of the rules: DESIGN section 3, "An agent is identified by its
id, bound to a worktree's admin id, never by path or branch name".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.refs import list_refs
from gitledger.git.worktrees import Worktree, find, list_worktrees
from gitledger.model.names import AGENTS, MAIN_WORKTREE, agent_ref
from gitledger.services.folded import folded_at, folded_one
from gitledger.store import logs, pointers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent
    from gitledger.model.event import Broken, Event


class LiveAgent(NamedTuple):
    """An agent as the log has it, and where git has it now.

    `worktree` is the one whose pointer names it; None when that is gone, or held
    by another agent since. `tip` is what `git merge` would merge. `recorded` is
    False for a worktree that stands without a record.
    """

    agent: Agent
    worktree: Worktree | None
    tip: str | None
    branch: str | None
    recorded: bool = True

    @property
    def id(self) -> str:
        return self.agent.id


@dataclass(eq=False, repr=False)
class View:
    """The whole ledger at one moment. `broken` are the lines that no event could be read from."""

    repo: Repository
    worktrees: list[Worktree]
    agents: list[LiveAgent]
    pointers: dict[str, str]  # worktree name to log ref
    ids: dict[str, str]  # log ref to agent id
    broken: dict[str, tuple[Broken, ...]] = field(default_factory=dict)

    @cached_property
    def events(self) -> dict[str, list[Event]]:
        """Log ref to events: read again, and only when asked for."""
        return {ref: log.events for ref, log in logs.read_all(self.repo).items()}

    @cached_property
    def by_id(self) -> dict[str, LiveAgent]:
        return {one.id: one for one in self.agents}

    def held_by(self, worktree: str) -> LiveAgent | None:
        """The agent that works in a worktree, also one that ended there or is not recorded."""
        found = self.by_id.get(self.ids.get(self.pointers.get(worktree, ""), ""))
        return found or self._unrecorded.get(worktree)

    @cached_property
    def _unrecorded(self) -> dict[str, LiveAgent]:
        return {one.worktree.name: one for one in self.agents if one.worktree and not one.recorded}

    @property
    def live(self) -> list[LiveAgent]:
        return [one for one in self.agents if not one.agent.ended]


def look(repo: Repository, only: str | None = None) -> View:
    """Everything, in a handful of processes whatever the number of agents.

    With `only`, a log's ref, of the agents that one alone: for a question about it.
    """
    worktrees = list_worktrees(repo)
    refs = list_refs(repo, "refs/heads/", only.removesuffix("log") if only else AGENTS)
    read = folded_at(repo, refs)
    held = pointers.read_pointers(
        repo,
        _bound_to(repo, read[only].agent) if only in read else [tree.name for tree in worktrees],
        {ref: one.oid for ref, one in read.items()},
    )
    places = _Places(repo, worktrees, held, refs)
    agents = [places.locate(ref, one.agent) for ref, one in read.items() if one.agent]
    return View(
        repo,
        worktrees,
        agents + ([] if only else _unrecorded(repo, worktrees, held)),
        held,
        {ref: one.agent.id for ref, one in read.items() if one.agent},
        {ref: one.broken for ref, one in read.items() if one.broken},
    )


def _bound_to(repo: Repository, agent: Agent | None) -> list[str]:
    """Where one agent can be: the worktree on record, and this one."""
    names = [agent.worktree_id if agent else None, repo.worktree]
    return list(dict.fromkeys(name for name in names if name))


class _Places(NamedTuple):
    repo: Repository
    worktrees: Sequence[Worktree]
    held: Mapping[str, str]
    refs: Mapping[str, str]

    def locate(self, log_ref: str, agent: Agent) -> LiveAgent:
        worktree = self._worktree(log_ref, agent)
        head = self.refs.get(agent_ref(agent.id, "head")) or agent.head or agent.spawn_commit
        if worktree and not agent.ended:
            return LiveAgent(agent, worktree, tip_of(self.repo, worktree) or head, worktree.branch)
        if agent.ended:
            return LiveAgent(agent, worktree, agent.head or head, agent.branch)
        branch = self._branch_left(agent)
        tip = self.refs.get(f"refs/heads/{branch}") if branch else None
        if tip and head and tip != head and not self._holds(tip, head):
            tip, branch = None, None  # the name has been given to other work since
        return LiveAgent(agent, worktree, tip or head, branch)

    def _holds(self, tip: str, commit: str) -> bool:
        from gitledger.git.commits import is_ancestor

        return is_ancestor(self.repo, commit, tip)

    def _worktree(self, log_ref: str, agent: Agent) -> Worktree | None:
        """The worktree that points at the agent; the one it was bound to, of several."""
        mine = [name for name, ref in self.held.items() if ref == log_ref]
        name = agent.worktree_id if agent.worktree_id in mine else next(iter(mine), None)
        return find(self.worktrees, name) if name else None

    def _branch_left(self, agent: Agent) -> str | None:
        """The branch that a removed worktree left behind, unless it is checked out elsewhere."""
        taken = {tree.branch for tree in self.worktrees}
        exists = agent.branch and f"refs/heads/{agent.branch}" in self.refs
        return agent.branch if exists and agent.branch not in taken else None


def tip_of(repo: Repository, tree: Worktree) -> str | None:
    """Where a worktree's HEAD is; the last it was at, where its branch was deleted."""
    if tree.head:
        return tree.head
    from gitledger.git.reflogs import last_commit

    return last_commit(repo, tree.head_ref())


def unheld(
    repo: Repository, worktrees: Sequence[Worktree], held: Mapping[str, str]
) -> list[Worktree]:
    """Linked worktrees that stand without a pointer, and were not cleared on purpose.

    One that holds the target's branch (of a bare repository with worktrees) is
    where work is merged, not where an agent works.
    """
    bare_of_agents = [
        tree
        for tree in worktrees
        if tree.name != MAIN_WORKTREE and tree.present and tree.name not in held
    ]
    if not bare_of_agents:
        return []
    from gitledger.services.provisional import main_branch

    target = main_branch(repo)
    return [
        tree
        for tree in bare_of_agents
        if tree.branch is None or f"refs/heads/{tree.branch}" != target
        if not pointers.cleared(repo, tree.name)
    ]


def _unrecorded(
    repo: Repository, worktrees: Sequence[Worktree], held: Mapping[str, str]
) -> list[LiveAgent]:
    bare = unheld(repo, worktrees, held)
    if not bare:
        return []
    from gitledger.services.provisional import as_agent, provisional

    found = [(tree, provisional(repo, tree)) for tree in bare]
    return [
        LiveAgent(agent, tree, tip_of(repo, tree), tree.branch, recorded=False)
        for tree, birth in found
        if (agent := as_agent(birth))
    ]


def current_agent(repo: Repository) -> Agent | None:
    """The agent that works in this worktree and has not ended. Cheap: one log is read."""
    ref = pointers.current(repo)
    agent = folded_one(repo, ref).agent if ref else None
    return agent if agent and not agent.ended else None
