"""What the agents of a session have done, from their logs and from git."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.model.agent import Agent, fold
from gitledger.model.names import AGENTS, ARCHIVE
from gitledger.model.session import Share, Usage
from gitledger.model.session_history import membership
from gitledger.services.live import look
from gitledger.services.reconcile import reconcile
from gitledger.services.work import own_changes
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.services.sessions import Kept
    from gitledger.services.work import Own

_KINDS = {"A": "files_created", "D": "files_deleted"}


def agents_of(repo: Repository, kept: Kept) -> list[Agent]:
    """The session's agents, archived ones too, in the order in which they were spawned.

    Those that say so, and those that no command spawned while it went on: the
    hooks do not look for a session.
    """
    read = {**logs.read_all(repo, f"{ARCHIVE}agents/"), **logs.read_all(repo, AGENTS)}
    found = {one.id: one for log in read.values() if (one := _member(kept, log))}
    return sorted(found.values(), key=lambda one: (one.spawned_at or "", one.id))


def _member(kept: Kept, log: logs.Log) -> Agent | None:
    agent = fold(log.events)
    return claimed(kept, agent) if agent else None


def claimed(kept: Kept, agent: Agent) -> Agent | None:
    """The agent as a member of the session, None where it is not."""
    if agent.session is not None:
        return agent if agent.session == kept.session.session_id else None
    if agent.spawned_at is None or agent.spawned_at[:19] < kept.session.created[:19]:
        return None
    belongs, phase = membership(kept.log.events, agent.spawned_at)
    known = agent._replace(session=kept.session.session_id, session_phase=phase)
    return known if belongs else None


def claim(repo: Repository, kept: Kept) -> list[str]:
    """Write down who belongs to the session, where their own logs do not say so; their refs.

    Worktrees that no hook saw are put on record first.
    """
    reconcile(repo)
    wanted = [ref for ref, log in logs.read_all(repo, AGENTS).items() if _claiming(kept, log)]
    for ref in wanted:
        logs.append(repo, ref, lambda log: _claiming(kept, log))
    return wanted


def _claiming(kept: Kept, log: logs.Log) -> logs.Facts:
    agent = fold(log.events)
    member = claimed(kept, agent) if agent and agent.session is None else None
    if member is None:
        return []
    told = {"session": member.session, "session_phase": member.session_phase}
    return [("set", {name: value for name, value in told.items() if value is not None})]


def shares(repo: Repository, kept: Kept) -> list[Share]:
    """What each agent of a session adds to it."""
    members = agents_of(repo, kept)
    if not members:
        return []
    view = look(repo)
    own = own_changes(view, [view.by_id[one.id] for one in members if one.id in view.by_id])
    return [share_of(one, own.get(one.id)) for one in members]


def share_of(agent: Agent, own: Own | None) -> Share:
    """`own` is None for an agent in the archive: its end froze what it changed."""
    changed = agent.files or () if own is None else [(f.kind, f.path) for f in own.files or ()]
    return Share(
        id=agent.id,
        name=agent.role or agent.id,
        phase=agent.session_phase,
        status=agent.status,
        summary=agent.summary or agent.result or agent.error or "",
        usage=Usage(*(agent.usage.get(part, 0) for part in ("input", "output", "cached"))),
        files=by_kind(changed),
        checks=tuple(agent.checks),
    )


def by_kind(changes: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Paths by the list of a manifest that they belong in."""
    found: dict[str, list[str]] = {}
    for change, path in changes:
        kind = _KINDS.get(change[:1], "files_modified")
        found.setdefault(kind, []).append(path)
    return {kind: tuple(sorted(paths)) for kind, paths in found.items()}
