"""Agents that wait, and those that are begun again: queue, start, retry."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError, Refused
from gitledger.model.agent import Agent, fold
from gitledger.model.groups import check_dependencies, group_name, unfinished
from gitledger.model.lifecycle import check
from gitledger.model.names import agent_ref
from gitledger.services import sessions_membership
from gitledger.services.find import find, find_any
from gitledger.services.folded import folded
from gitledger.services.lifecycle import prepared
from gitledger.services.record import checked_id, checked_title, new_id, refuse_known_id
from gitledger.services.spawn import Order, Spawned, make, spawn
from gitledger.store import logs
from gitledger.store.places import held

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

# What a retry takes over from the agent that it tries again.
_KEPT = (
    *("role", "parent", "target", "phase", "plan", "segment", "group", "granularity"),
    *("execution_mode", "is_background", "max_turns", "session", "session_phase"),
)


@dataclass(frozen=True)
class Queued:
    """An agent that waits for others."""

    id: str


def known(repo: Repository) -> dict[str, Agent]:
    """Every agent of the live ledger by its id."""
    return {one.agent.id: one.agent for one in folded(repo).values() if one.agent}


def settled(repo: Repository, order: Order) -> Order:
    """The order with its group named and its dependencies checked. Raises LedgerError."""
    fields = dict(order.fields)
    group, references = fields.get("group"), fields.get("depends_on")
    if group is None and not references:
        return order
    agents = known(repo)
    if references:
        check_dependencies(order.id or "", references, agents)
    if group is not None:
        fields["group"] = group_name(group, agents.values(), fields, now=int(time.time()))
    return replace(order, fields=fields)


def queue(repo: Repository, order: Order) -> Queued:
    """Record an agent that is to start later. Raises LedgerError without group or dependency."""
    if not order.fields.get("depends_on") and not order.fields.get("group"):
        raise LedgerError("nothing to wait for", "'--queue' goes with '--depends-on' or '--group'")
    title = checked_title(order.title)
    agent_id = checked_id(order.id or new_id(title))
    fields = sessions_membership.with_session(repo, order.fields)
    wanted = settled(repo, replace(order, id=agent_id, title=title, fields=fields))
    refuse_known_id(repo, agent_id)

    def decide(log: logs.Log) -> list[tuple[str, dict[str, Any]]]:
        if log.events:
            raise LedgerError(f"agent '{agent_id}' exists")
        return [("queued", {"id": agent_id, "title": title, **wanted.fields})]

    logs.append(repo, agent_ref(agent_id, "log"), decide)
    return Queued(agent_id)


def start(repo: Repository, name: str | None, order: Order, *, yes: bool = False) -> Spawned:
    """Give a queued agent its worktree. Of the order branch, path, start and fields count.

    Raises Refused while what it depends on is unfinished, unless `yes`.
    """
    one = find(prepared(repo), name)
    check(one.agent.status, "start", one.id)
    waiting = unfinished(one.agent, known(repo))
    if waiting and not yes:
        raise Refused(
            f"'{one.id}' depends on what is unfinished: {', '.join(waiting)}",
            "wait for it, or give --yes to start now",
        )

    def allow(log: logs.Log) -> None:
        agent = fold(log.events, one.id)
        check(agent.status if agent else "", "start", one.id)

    fields = sessions_membership.with_session(repo, order.fields)
    with held(repo, "spawn"):
        made = make(repo, replace(order, id=one.id, title=one.agent.title, fields=fields), allow)
    sessions_membership.spawned(repo, one.id, fields)
    return made


def retry(repo: Repository, name: str | None, order: Order) -> Spawned:
    """A new agent for the task of one that has ended. What the order says comes first."""
    one, _ = find_any(prepared(repo), name)
    old = one.agent
    check(old.status, "retry", old.id)
    kept = {field: getattr(old, field) for field in _KEPT}
    kept |= {field: list(getattr(old, field)) for field in ("depends_on", "files_declared")}
    kept["checks"] = [{"name": c["name"], "command": c.get("command", "")} for c in old.checks]
    told = {field: value for field, value in kept.items() if value}
    fields = {**told, "retry_of": old.id, **order.fields}
    return spawn(repo, replace(order, title=order.title or old.title, fields=fields))
