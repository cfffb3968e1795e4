"""What may stand in the way of going on with a session: found by looking, nothing written.

Source: REQUIREMENTS section 5, "Conflicts shown before going on".
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gitledger.git.objects import resolve
from gitledger.git.process import LITERAL, Git, text
from gitledger.git.worktrees import list_worktrees
from gitledger.model.phase import IN_PROGRESS
from gitledger.services import session_paths as paths
from gitledger.services.session_shares import agents_of
from gitledger.store import notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent
    from gitledger.model.session import Session
    from gitledger.services.sessions import Kept

PARTIAL, OUTSIDE, PLAN = "partial-work", "changed-outside", "plan-changed"


@dataclass(frozen=True)
class Conflict:
    """One thing to know before going on. `who` is an agent, a commit, or nobody."""

    kind: str
    phase: str | None
    who: str
    paths: tuple[str, ...]


def conflicts(repo: Repository, kept: Kept, session: Session) -> list[Conflict]:
    """Partial work, files of the manifest changed from outside, a changed plan document.

    `session` has its agents' work in it. Paths outside of the worktree are passed over.
    """
    agents = agents_of(repo, kept)
    found = [*_partial(repo, session, agents), *_outside(repo, session, agents)]
    return [*found, *_plan(repo, session)]


def _partial(repo: Repository, session: Session, agents: list[Agent]) -> list[Conflict]:
    """What the agents of a phase that was begun and not ended have changed so far."""
    running = {one.key for one in session.phases if one.status == IN_PROGRESS}
    cut_off = [one for one in agents if one.session_phase in running and not one.ended]
    places = {tree.name: tree.path for tree in list_worktrees(repo) if tree.present}
    shares = {one.id: one for one in session.shares}
    found: list[Conflict] = []
    for agent in cut_off:
        share = shares.get(agent.id)
        committed = [path for kind in share.files.values() for path in kind] if share else []
        dirty = _dirty(places.get(agent.worktree_id or ""))
        touched = tuple(sorted({*committed, *dirty}))
        if touched:
            found.append(Conflict(PARTIAL, agent.session_phase, agent.id, touched))
    return found


def _dirty(directory: str | None, wanted: Iterable[str] = ()) -> list[str]:
    """Uncommitted paths, untracked ones included; of those in `wanted`, if any are."""
    if directory is None:
        return []
    words = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--")
    done = Git(directory, extra=LITERAL).try_run(*words, *wanted)
    return [text(record[3:]) for record in done.records]


def _outside(repo: Repository, session: Session, agents: list[Agent]) -> list[Conflict]:
    """Files of the manifest that somebody else changed since the session's last event."""
    files = [one for phase in session.phases for one in phase.files if not os.path.isabs(one)]
    if not files or repo.work_tree is None:
        return []
    top = paths.top_of(repo, session.worktree)
    found = _commits(repo, session, sorted(set(files)), {one.id for one in agents})
    limit = _seconds(session.updated)
    late = [one for one in _dirty(top, sorted(set(files))) if _written(top, one) > limit]
    return [*found, *([Conflict(OUTSIDE, None, "uncommitted", tuple(late))] if late else [])]


def _commits(
    repo: Repository, session: Session, files: list[str], ours: set[str]
) -> list[Conflict]:
    if session.head is None or resolve(repo, [session.head])[0] is None:
        return []
    git = Git(paths.top_of(repo, session.worktree), extra=LITERAL)
    listed = git.try_run("rev-list", f"{session.head}..HEAD", "--", *files)
    commits = listed.line.split()
    known = notes.lookup(repo, commits) if commits else {}
    found: list[Conflict] = []
    for commit in commits:
        makers = {note.agent for note in known.get(commit, {}).values()}
        touched = () if makers & ours else _touched(git, commit, files)
        if touched:
            found.append(Conflict(OUTSIDE, None, ", ".join(sorted(makers)) or commit[:12], touched))
    return found


def _touched(git: Git, commit: str, files: list[str]) -> tuple[str, ...]:
    words = ("diff-tree", "--no-commit-id", "--root", "-r", "--name-only", "-z", commit, "--")
    return tuple(text(one) for one in git.run(*words, *files).records)


def _plan(repo: Repository, session: Session) -> list[Conflict]:
    path = session.implementation_plan
    if not path or not session.plan_blob or not paths.is_plan(repo, path):
        return []
    now = paths.blob_of(repo, os.path.join(paths.top_of(repo, session.worktree), path))
    return [] if now == session.plan_blob else [Conflict(PLAN, None, "", (path,))]


def _seconds(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0


def _written(top: str, path: str) -> float:
    """When a file was written; a deleted one counts as just now."""
    try:
        return os.lstat(os.path.join(top, path)).st_mtime
    except OSError:
        return float("inf")
