"""Who made a commit: from the notes, else found, and then said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.git.commits import is_ancestor
from gitledger.git.objects import resolve
from gitledger.model.names import MAIN_WORKTREE
from gitledger.model.ownership import Owner, best_note, owner
from gitledger.services.evidence import Witness
from gitledger.store import notes

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.model.note import Note
    from gitledger.services.live import LiveAgent, View


@dataclass(frozen=True)
class Answer:
    """One commit and its owner. `superseded_by` is the commit that replaced it."""

    commit: str
    owner: Owner | None
    agent: LiveAgent | None
    note: Note | None
    superseded_by: str | None


def commit_named(repo: Repository, name: str) -> str:
    """The full id of a commit. Raises LedgerError where the name is none."""
    found = resolve(repo, [f"{name}^{{commit}}"])[0]
    if found is None:
        raise LedgerError(f"'{name}' is not a commit", "name a commit, a branch or a tag")
    return found[0]


def who(view: View, commit: str) -> Answer:
    """The owner of a commit by the rules of model/ownership.py."""
    evidence = Witness(view).evidence([commit])[commit]
    found = owner(evidence)
    note = best_note(one for _, one in evidence.notes) if evidence.notes else None
    agent = view.by_id.get(found.agent) if found else None
    return Answer(commit, found, agent, note, _successor(view, commit, agent, evidence.notes))


def _successor(
    view: View, commit: str, agent: LiveAgent | None, noted: tuple[tuple[str, Note], ...]
) -> str | None:
    """What stands now for a commit that its agent's branch has left behind."""
    if agent is None or not agent.tip or is_ancestor(view.repo, commit, agent.tip):
        return None
    bound = agent.agent.worktree_id
    places = dict.fromkeys([*(place for place, _ in noted), *([bound] if bound else [])])
    after: dict[str, str] = {}
    for place in [*places, MAIN_WORKTREE]:
        read = notes.read_worktree(view.repo, place)
        after |= {old: new for new, note in read.items() for old in note.supersedes}
    found, seen = commit, {commit}
    while found in after and after[found] not in seen:
        found = after[found]
        seen.add(found)
    return found if found != commit else None
