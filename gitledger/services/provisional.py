"""A worktree that no hook recorded, told as the agent that it will be once it is.

Its id is made from what does not change, so that a reading command and the
writing one that records it later give the same.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitledger.git.reflogs import first_entry
from gitledger.git.refs import read_symbolic
from gitledger.model.agent import Agent, fold
from gitledger.model.event import Event, make_line, read_line
from gitledger.model.names import MAIN_WORKTREE, slug
from gitledger.services.record import Birth

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.reflog import Entry


def provisional(repo: Repository, worktree: Worktree) -> Birth:
    """What can be known of the agent of a worktree: spawn commit, and how that is known."""
    entry = first_entry(repo, worktree.head_ref())
    commit, source = _spawn_commit(repo, worktree, entry)
    title = worktree.branch or worktree.name.removeprefix("worktrees/")
    since = moment(entry.time) if entry else None
    agent_id = _id(worktree, title, entry)
    return Birth(agent_id, title, worktree, commit, source, late=True, since=since)


def _id(worktree: Worktree, title: str, entry: Entry | None) -> str:
    seed = f"{worktree.name} {entry.oid} {entry.time}" if entry else worktree.name
    digest = hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{slug(title)}-{digest[:6]}"


def _spawn_commit(
    repo: Repository, worktree: Worktree, entry: Entry | None
) -> tuple[str | None, str]:
    """From the reflog's first entry where that is the worktree's making, else the merge base."""
    if entry and not entry.made_here:
        return entry.oid, "reflog"
    if worktree.head is None:
        return None, "head"
    target = main_branch(repo)
    found = repo.git.try_run("merge-base", target, worktree.head) if target else None
    if found and found.status == 0:
        return found.line, "merge-base"
    return worktree.head, "head"


def main_branch(repo: Repository) -> str | None:
    """The branch of the main worktree (of a bare repository: HEAD's), as a full ref."""
    found = read_symbolic(repo, f"{MAIN_WORKTREE}/HEAD")
    return found if found and found.startswith("refs/heads/") else None


def as_agent(birth: Birth) -> Agent | None:
    """The agent that the birth would make, without writing anything."""
    event = read_line(make_line("spawned", (), birth.body(), birth.since), 1)
    return fold([event]) if isinstance(event, Event) else None


def moment(seconds: int) -> str:
    """Unix seconds in the form of an event's `at`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
