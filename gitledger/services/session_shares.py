"""What the agents of a session have done, from their logs and from git."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.git.refs import list_refs, read_symbolic
from gitledger.model.agent import Agent, fold
from gitledger.model.names import AGENTS, ARCHIVE, MAIN_WORKTREE, agent_ref
from gitledger.model.session import Share, Usage
from gitledger.model.session_history import membership
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.services.sessions import Kept

_KINDS = {"A": "files_created", "M": "files_modified", "T": "files_modified", "D": "files_deleted"}


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
    if agent.spawned_at is None:
        return None
    belongs, phase = membership(kept.log.events, agent.spawned_at)
    known = replace(agent, session=kept.session.session_id, session_phase=phase)
    return known if belongs else None


def claim(repo: Repository, kept: Kept) -> list[str]:
    """Write down who belongs to the session, where their own logs do not say so; their refs."""
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
    agents = agents_of(repo, kept)
    refs = list_refs(repo, "refs/heads/", AGENTS) if agents else {}
    return [share_of(repo, one, refs) for one in agents]


def share_of(repo: Repository, agent: Agent, refs: dict[str, str]) -> Share:
    return Share(
        id=agent.id,
        name=agent.role or agent.id,
        phase=agent.session_phase,
        status=agent.status,
        summary=agent.summary or agent.result or agent.error or "",
        usage=Usage(*(agent.usage.get(part, 0) for part in ("input", "output", "cached"))),
        files=by_kind(_own_changes(repo, agent, refs) if agent.files is None else agent.files),
        checks=tuple(agent.checks),
    )


def by_kind(changes: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Paths by the list of a manifest that they belong in."""
    found: dict[str, list[str]] = {}
    for change, path in changes:
        kind = _KINDS.get(change[:1].upper())
        if kind:
            found.setdefault(kind, []).append(path)
    return {kind: tuple(sorted(paths)) for kind, paths in found.items()}


def _own_changes(repo: Repository, agent: Agent, refs: dict[str, str]) -> list[tuple[str, str]]:
    """What an agent that goes on has committed: from where it left the target, else its spawn."""
    tip = refs.get(f"refs/heads/{agent.branch}") or refs.get(agent_ref(agent.id, "head"))
    base = _base(repo, agent, tip) if tip else None
    if tip is None or base is None or base == tip:
        return []
    found = repo.git.try_run("diff-tree", "-r", "--no-renames", "--name-status", "-z", base, tip)
    pieces = [text(one) for one in found.records]
    return list(zip(pieces[::2], pieces[1::2], strict=False))


def _base(repo: Repository, agent: Agent, tip: str) -> str | None:
    """The merge base with the target; the spawn commit once the target contains the tip."""
    target = agent.target or read_symbolic(repo, f"{MAIN_WORKTREE}/HEAD")
    found = repo.git.try_run("merge-base", target, tip).line if target else ""
    return agent.spawn_commit if not found or found == tip else found
