"""What is not on record, and why: the other half of `git ledger doctor`."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gitledger.errors import NotUsable
from gitledger.git.commits import rev_list
from gitledger.git.refs import list_refs
from gitledger.model.names import decode
from gitledger.services.finding import Finding
from gitledger.services.interruption import evidence, interrupt_found
from gitledger.services.live import look
from gitledger.services.reconcile import unrecorded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitledger.git.repository import Repository
    from gitledger.services.live import View

RECONCILE = "git ledger reconcile"
NAMED = 5  # commits that are listed one by one


def gaps(repo: Repository) -> list[Finding]:
    """Worktrees, commits and agents that the ledger can't account for."""
    view = look(repo)
    left = [*_cut_off(view), *_left_alone(view)]
    return [*_worktrees(view), *_commits(view), *left, *_broken(view)]


def _cut_off(view: View) -> Iterator[Finding]:
    """Agents that the evidence says were cut off; written down where that can be."""
    with contextlib.suppress(NotUsable):
        interrupt_found(view)
    for one in view.live:
        found = evidence(view, one)
        if found:
            what = f"agent '{one.id}' was cut off: {'; '.join(found)}"
            yield Finding(what, f"git ledger resume {one.id}", fault=False)


def _worktrees(view: View) -> Iterator[Finding]:
    for one in view.agents:
        if not one.recorded and one.worktree is not None:
            what = "no hook saw this worktree being made"
            yield Finding(what, RECONCILE, one.worktree.path, fault=False)


def _commits(view: View) -> Iterator[Finding]:
    own = _on_their_branches(view)
    found = unrecorded(view, own)
    for oid, why in list(found.items())[:NAMED]:
        what = f"nobody can be named for commit {oid}: {why}"
        yield Finding(what, f"git ledger who {oid} says what is known", fault=False)
    if len(found) > NAMED:
        what = f"nobody can be named for {len(found) - NAMED} more commits"
        yield Finding(what, "git ledger who COMMIT says what is known", fault=False)


def _on_their_branches(view: View) -> list[str]:
    """Commits of live agents that no other branch has, nor an agent's spawn commit."""
    branches = {f"refs/heads/{one.branch}" for one in view.live}
    heads = list_refs(view.repo, "refs/heads/", "refs/remotes/")
    others = [oid for ref, oid in heads.items() if ref not in branches]
    spawns = [one.agent.spawn_commit for one in view.live]
    return rev_list(view.repo, [one.tip for one in view.live], [*others, *spawns])


def _left_alone(view: View) -> Iterator[Finding]:
    for one in view.live:
        gone = one.worktree is None or not one.worktree.present
        if one.agent.status == "awaiting-review" and one.agent.worktree and gone:
            what = f"agent '{one.id}' awaits review, and its worktree is gone"
            fix = f"git ledger close {one.id} --accepted, or --rejected"
            yield Finding(what, fix, fault=False)


def _broken(view: View) -> Iterator[Finding]:
    for ref, lines in view.broken.items():
        name = view.ids.get(ref) or decode(ref.split("/")[3]) or ref
        yield Finding(f"{len(lines)} broken lines in the log of '{name}'", "git ledger verify")
