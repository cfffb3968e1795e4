"""GSD's history into the ledger and out of it: switched over with one command, and back."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.objects import resolve, write_blob
from gitledger.git.process import data
from gitledger.git.refs import Update
from gitledger.git.worktrees import find as find_worktree
from gitledger.interop import gsd, gsd_out
from gitledger.model.agent import Agent, fold
from gitledger.model.groups import MAX_ENTRIES
from gitledger.model.names import agent_ref
from gitledger.model.note import Note
from gitledger.services.find import archived, current, newest_first
from gitledger.services.lifecycle import prepared
from gitledger.services.live import LiveAgent, View, look
from gitledger.services.snapshots import snapshots
from gitledger.store import logs, pointers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.event import Event

    Facts = list[tuple[str, dict[str, Any]]]

HISTORY = os.path.join(".planning", "agent-history.json")
CURRENT = "current-agent-id.txt"


@dataclass
class Imported:
    """What an import did: the agents that changed, those that did not, what was odd."""

    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    bound: str | None = None
    warnings: list[str] = field(default_factory=list)


def import_file(repo: Repository, path: str) -> Imported:
    """Take a history in, and the current agent's id beside it. Twice changes nothing.

    The whole file is read and understood before the first word is written. Raises
    LedgerError, naming file, place and field.
    """
    history = gsd.read(_content(path), path)
    named = _current(os.path.join(os.path.dirname(path), CURRENT))
    view = prepared(repo)
    done = Imported(warnings=history.warnings)
    put_away = {one.agent.id for one in archived(repo)}
    for agent_id, runs in history.by_agent().items():
        if agent_id in put_away and agent_id not in view.by_id:
            done.unchanged.append(agent_id)
            continue
        wrote = _import(view, agent_id, runs, done)
        (done.changed if wrote else done.unchanged).append(agent_id)
    if named is not None:
        _bind(repo, named, done)
    return done


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise LedgerError(f"cannot read '{path}': {(error.strerror or '').lower()}") from None


def _current(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().strip() or None
    except OSError:
        return None


def _import(view: View, agent_id: str, runs: Sequence[gsd.Run], done: Imported) -> list[Event]:
    known = view.by_id.get(agent_id)
    ours = None if known is None else _ours(view, known)

    def decide(log: logs.Log) -> Facts:
        agent = fold(log.events, agent_id) if log.events else None
        wanted = _missing(log.events, runs, ours)
        if wanted and agent is not None and agent.ended:
            done.warnings.append(f"'{agent_id}' has ended in the ledger: kept as it is there")
            return []
        return wanted

    return logs.append(view.repo, agent_ref(agent_id, "log"), decide)


def _ours(view: View, one: LiveAgent) -> list[dict[str, Any]]:
    """How an agent that the ledger has already would be exported."""
    events = logs.read(view.repo, agent_ref(one.id, "log")).events
    found = gsd_out.entries(one.agent, snapshots(view, [one])[0], events)
    return [entry.body for entry in found]


def _missing(
    events: Sequence[Event], runs: Sequence[gsd.Run], ours: list[dict[str, Any]] | None
) -> Facts:
    """The runs that the log does not tell in the same words, as events."""
    if ours == [run.entry for run in runs]:
        return []
    known = {one.body.get("run"): one.body for one in events if one.kind == "imported"}
    return [
        ("imported", run_body(run, number))
        for number, run in enumerate(runs)
        if known.get(number, {}).get("entry") != run.entry
    ]


def run_body(run: gsd.Run, number: int) -> dict[str, Any]:
    """A run as the body of an event. A later run of an agent began with its resumption."""
    told = dict(run.told)
    if number and "spawned_at" in told:
        told["resumed_at"] = told.pop("spawned_at")
    where = {"from": gsd_out.FORMAT, "id": run.id, "run": number, "place": run.place}
    return {**where, "entry": run.entry, **told}


def _bind(repo: Repository, agent_id: str, done: Imported) -> None:
    """Make the history's current agent the one that works in this worktree."""
    view = look(repo)
    one, tree = view.by_id.get(agent_id), find_worktree(view.worktrees, repo.worktree)
    if one is None or one.agent.ended or tree is None or tree.bare:
        done.warnings.append(f"{CURRENT}: '{agent_id}' is no agent that goes on here")
        return
    holder = view.held_by(tree.name)
    if holder and not holder.agent.ended:
        if holder.id != agent_id:
            done.warnings.append(f"{CURRENT}: '{holder.id}' works in this worktree already")
        return
    place = {"worktree": tree.path, "worktree_id": tree.name}
    body = {**place, "branch": tree.branch} if tree.branch else place
    logs.append(
        repo,
        agent_ref(agent_id, "log"),
        lambda _: [("bound", body)],
        lambda *_: _refs(repo, one.agent, tree.head),
    )
    pointers.point(repo, agent_id, tree.name)
    done.bound = agent_id


def _refs(repo: Repository, agent: Agent, head: str | None) -> list[Update]:
    """What the hooks need to record its next commits."""
    note = write_blob(repo, data(Note(agent.id, agent.iteration).render()))
    wanted = {agent_ref(agent.id, "note"): note, agent_ref(agent.id, "head"): head}
    old = dict(zip(wanted, resolve(repo, list(wanted)), strict=True))
    return [
        Update(ref, oid, found[0] if (found := old[ref]) else None)
        for ref, oid in wanted.items()
        if oid
    ]


@dataclass(frozen=True)
class Exported:
    """The history's text, and the id of the agent that works here, if any."""

    text: str
    current: str | None


def export(repo: Repository) -> Exported:
    """Every agent of the live ledger as GSD keeps it, the oldest first."""
    view = look(repo)
    agents = newest_first(view.agents)[::-1]
    told = dict(zip((one.id for one in agents), snapshots(view, agents), strict=True))
    events = {view.ids[ref]: found for ref, found in view.events.items() if ref in view.ids}
    found = [
        entry
        for one in agents
        for entry in gsd_out.entries(one.agent, told[one.id], events.get(one.id, ()))
    ]
    ordered = [entry.body for entry in sorted(found, key=lambda entry: entry.order)]
    most = repo.config.number("ledger.maxEntries", MAX_ENTRIES)
    return Exported(gsd_out.document(ordered, gsd.VERSIONS[-1], most), current(repo))
