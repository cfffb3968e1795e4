"""From one status to the next: each step checked where it is written, inside the swap.

A command that writes first records what no hook saw. Source: REQUIREMENTS section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.git.objects import resolve, write_blob
from gitledger.git.process import data
from gitledger.git.refs import Update
from gitledger.model.agent import Agent, fold
from gitledger.model.lifecycle import INTERRUPTED, check
from gitledger.model.names import agent_ref
from gitledger.model.note import Note
from gitledger.services import hook_state
from gitledger.services.find import find
from gitledger.services.live import LiveAgent, View, look
from gitledger.services.reconcile import reconcile
from gitledger.services.work import document, frozen, own_changes
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.git.repository import Repository
    from gitledger.model.event import Event

Body = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """What was written: the agent before it, and the events."""

    agent: Agent
    events: list[Event]

    @property
    def id(self) -> str:
        return self.agent.id


def prepared(repo: Repository) -> View:
    """Everything as it is, once what no hook saw is on record."""
    reconcile(repo)
    return look(repo)


def write(
    repo: Repository,
    one: LiveAgent,
    decide: Callable[[Agent], list[tuple[str, Body]]],
    also: Callable[[Agent], list[Update]] = lambda _: [],
) -> Step:
    """Append what `decide` says of the agent as its log has it, together with `also`'s refs.

    Asked again after every lost race; what it raises stops everything.
    """
    seen: list[Agent] = []

    def from_log(log: logs.Log) -> list[tuple[str, Body]]:
        seen.append(fold(log.events, one.id) or one.agent)
        return decide(seen[-1])

    ref = agent_ref(one.id, "log")
    events = logs.append(repo, ref, from_log, lambda *_: also(seen[-1]))
    if seen[-1].session and any(event.kind in {"completed", "failed"} for event in events):
        hook_state.clear(repo, one.id)
    return Step(seen[-1], events)


def _told(**fields: Any) -> Body:
    return {name: value for name, value in fields.items() if value is not None}


def end(repo: Repository, name: str | None, command: str, kind: str, told: Body) -> Step:
    """Complete or fail an agent, its base, head and files frozen. Raises LedgerError."""
    view = prepared(repo)
    one = find(view, name)
    check(one.agent.status, command, one.id)
    return end_of(view, one, command, kind, told)


def end_of(view: View, one: LiveAgent, command: str, kind: str, told: Body) -> Step:
    """As `end`, for an agent that was found already."""
    kept = {**told, **frozen(own_changes(view, [one])[one.id])}

    def decide(agent: Agent) -> list[tuple[str, Body]]:
        check(agent.status, command, agent.id)
        return [(kind, kept)]

    step = write(view.repo, one, decide, lambda _: _head(view.repo, one.id, one.tip))
    hook_state.clear(view.repo, one.id)
    return step


def _head(repo: Repository, agent_id: str, tip: str | None) -> list[Update]:
    """The head ref at the tip: the work stays reachable after worktree and branch are gone."""
    ref = agent_ref(agent_id, "head")
    found = resolve(repo, [ref])[0]
    old = found[0] if found else None
    return [Update(ref, tip, old)] if tip and tip != old else []


def complete(
    repo: Repository,
    name: str | None,
    *,
    summary: str | None = None,
    result: str | None = None,
    command: str = "complete",
) -> Step:
    told = _told(summary=summary, result=result, how="command")
    return end(repo, name, command, "completed", told)


def fail(repo: Repository, name: str | None, error: str | None, command: str = "fail") -> Step:
    return end(repo, name, command, "failed", _told(error=error, how="command"))


def report(repo: Repository, name: str | None, told: Body) -> Step:
    """Hand the work in: iteration +1, and what git says of it. An interrupted one is resumed."""
    view = prepared(repo)
    one = find(view, name)
    check(one.agent.status, "report", one.id)
    return report_of(view, one, told)


def report_of(view: View, one: LiveAgent, told: Body) -> Step:
    """As `report`, for an agent that was found already."""
    work = document(view, one, own_changes(view, [one])[one.id])

    def decide(agent: Agent) -> list[tuple[str, Body]]:
        check(agent.status, "report", agent.id)
        first: list[tuple[str, Body]] = [("resumed", {})] if agent.status == INTERRUPTED else []
        return [*first, ("reported", {**told, "work": work})]

    return write(view.repo, one, decide, lambda agent: _note(view.repo, agent))


def _note(repo: Repository, agent: Agent) -> list[Update]:
    """The note that the hook attaches from now on: with the next iteration."""
    ref = agent_ref(agent.id, "note")
    found = resolve(repo, [ref])[0]
    if found is None:
        return []  # a queued or imported agent: no hook has anything to attach
    note = Note(agent.id, agent.iteration + 1)
    return [Update(ref, write_blob(repo, data(note.render())), found[0])]


def revise(repo: Repository, name: str | None, why: str, owner: Body | None = None) -> Step:
    """Send the work back, saying why. `owner` is the process that runs it from now on."""
    return _simple(repo, name, "revise", "revised", _told(why=why, owner=owner))


def interrupt(repo: Repository, name: str | None, why: str | None) -> Step:
    return _simple(repo, name, "interrupt", "interrupted", _told(why=why, evidence=["by command"]))


def _simple(repo: Repository, name: str | None, command: str, kind: str, body: Body) -> Step:
    one = find(prepared(repo), name)

    def decide(agent: Agent) -> list[tuple[str, Body]]:
        check(agent.status, command, agent.id)
        return [(kind, body)]

    return write(repo, one, decide)


def add_usage(repo: Repository, name: str | None, told: Body) -> Step:
    """Add to the agent's counters and tokens."""
    return write(repo, find(prepared(repo), name), lambda _: [("usage", told)])
