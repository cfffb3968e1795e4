"""Commits that an agent made after its end: still its own, and no part of what the end froze.

Source: DESIGN section 3, "The pointer stays when its agent ends".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.commits import rev_list
from gitledger.git.objects import resolve
from gitledger.model.names import agent_ref
from gitledger.services.target import default_name, targets
from gitledger.store import notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.model.note import Note
    from gitledger.services.live import LiveAgent, View


def late_commits(view: View, one: LiveAgent) -> list[str]:
    """The oldest first; none for an agent that goes on, or that had no commit."""
    if not one.agent.ended or one.agent.head is None:
        return []
    tip = _tip(view, one)
    if tip is None or tip == one.agent.head:
        return []
    since = rev_list(view.repo, [tip], [one.agent.head, one.agent.spawn_commit])[::-1]
    noted = notes.lookup(view.repo, since)
    apart = set(_not_on_target(view, one, tip))
    return [oid for oid in since if _is_own(one, noted.get(oid)) or (oid in apart - set(noted))]


def _is_own(one: LiveAgent, found: Mapping[str, Note] | None) -> bool:
    return any(note.agent == one.id for note in (found or {}).values())


def _not_on_target(view: View, one: LiveAgent, tip: str) -> list[str]:
    """What no hook has noted is its own while nobody else has it."""
    name = one.agent.target or default_name(view.repo, view.worktrees)
    target = targets(view.repo, [name]).get(name or "")
    return rev_list(view.repo, [tip], [one.agent.head, target.oid if target else None])


def _tip(view: View, one: LiveAgent) -> str | None:
    """Where its worktree stands, while that points at it; else what was recorded last."""
    if one.worktree is not None and one.worktree.present:
        return one.worktree.head
    found = resolve(view.repo, [agent_ref(one.id, "head")])[0]
    return found[0] if found else None
