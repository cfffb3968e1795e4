"""What replaced what, written into the notes of the commits that are there now.

A reflog tells amendments and rebases; what went away by other means (plumbing, a reset,
a squash on a server) is concluded from author, change and tree, and marked so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.commits import rev_list
from gitledger.git.refs import list_refs
from gitledger.model.names import agent_ref
from gitledger.services.rewrites import Succession, matched, phantoms, told
from gitledger.services.seen import read_seen, unseen
from gitledger.store import notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.note import Note
    from gitledger.model.reflog import Entry
    from gitledger.services.evidence import Witness
    from gitledger.services.live import LiveAgent, View

    Noted = Mapping[str, Mapping[str, Note]]

INFERRED_LINE = "inferred: supersedes"
MOST = 1000  # commits of one branch that are looked at as successors


def note_rewrites(view: View, witness: Witness) -> dict[str, tuple[str, ...]]:
    """Commit to what its note now says it replaces, for the notes that were written."""
    seen = read_seen(view.repo)
    fresh = {name: unseen(log, seen.get(name)) for name, log in witness.reflogs.items()}
    known = Succession()
    for entries in fresh.values():
        known.after |= told(view.repo, entries).after
    _conclude_gone(view, witness, fresh, known)
    if not known.after:
        return {}
    nodes = list(dict.fromkeys([*known.after, *known.after.values()]))
    noted = notes.lookup(view.repo, nodes)
    written: dict[str, tuple[str, ...]] = {}
    for place, wanted in _by_place(known, noted).items():
        written |= _write(view.repo, place, wanted, known.guessed)
    return written


def _conclude_gone(
    view: View, witness: Witness, fresh: Mapping[str, Sequence[Entry]], known: Succession
) -> None:
    """Commits that no branch has any more, matched with those that their agent has now."""
    repo = view.repo
    refs = list_refs(repo, "refs/heads/", "refs/ledger/agents/*/head")
    here = [oid for ref, oid in refs.items() if ref.startswith("refs/heads/")]
    here += [tree.head for tree in view.worktrees if tree.head]
    ghosts = {one for entries in fresh.values() for one in phantoms(entries)}
    before = {one.id: _before(one, fresh, refs) for one in view.live if one.tip}
    gone = set(rev_list(repo, {oid for oids in before.values() for oid in oids}, here)) - ghosts
    if not gone:
        return
    noted = notes.lookup(repo, sorted(gone))
    for one in view.live:
        was = rev_list(repo, before.get(one.id, ()), here, topological=True)
        lost = [oid for oid in was if oid in gone]
        mine = [oid for oid in lost if _is_of(one, oid, noted, witness)]
        if mine:
            older = [*lost, one.agent.spawn_commit]
            news = rev_list(repo, [one.tip], older, topological=True)[:MOST]
            now = notes.lookup(repo, news)
            ours = [oid for oid in news if _is_noted(one, now.get(oid, {}))]
            known.conclude(matched(repo, mine[::-1], ours[::-1]))


def _before(
    one: LiveAgent, fresh: Mapping[str, Sequence[Entry]], refs: Mapping[str, str]
) -> list[str]:
    """Where an agent has been since the last time, as far as anything still tells."""
    entries = fresh.get(one.worktree.name, ()) if one.worktree else ()
    head = refs.get(agent_ref(one.id, "head"))
    return list(dict.fromkeys([*(entry.oid for entry in entries), *([head] if head else [])]))


def _is_of(one: LiveAgent, commit: str, noted: Noted, witness: Witness) -> bool:
    if commit in noted:
        return _is_noted(one, noted[commit])
    return witness.made_by(commit) == one.id


def _is_noted(one: LiveAgent, found: Mapping[str, Note]) -> bool:
    return any(note.agent == one.id for note in found.values())


def _by_place(known: Succession, noted: Noted) -> dict[str, dict[str, tuple[str, ...]]]:
    """The notes ref to write to, with commit and what it replaces, less what is noted so."""
    recorded = {
        old for found in noted.values() for note in found.values() for old in note.supersedes
    }
    live = {oid for oid in noted if oid not in known.after}
    places: dict[str, dict[str, tuple[str, ...]]] = {}
    for new, olds in known.olds(live).items():
        missing = tuple(old for old in olds if old not in recorded)
        mine = [place for place, note in noted[new].items() if note.agent]
        if missing and mine:
            places.setdefault(mine[0], {})[new] = missing
    return places


def _write(
    repo: Repository, place: str, wanted: Mapping[str, tuple[str, ...]], guessed: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    written: dict[str, tuple[str, ...]] = {}

    def decide() -> dict[str, Note | None]:
        written.clear()
        found = notes.lookup(repo, list(wanted), [place])
        changes: dict[str, Note | None] = {}
        for oid, olds in wanted.items():
            note = found.get(oid, {}).get(place)
            if note and note.agent:
                changes[oid] = _with(note, olds, guessed)
                written[oid] = olds
        return changes

    notes.write(repo, place, decide)
    return written


def _with(note: Note, olds: Sequence[str], guessed: Iterable[str]) -> Note:
    extra = note.extra
    if set(olds).intersection(guessed) and INFERRED_LINE not in extra:
        extra = (*extra, INFERRED_LINE)
    return note._replace(supersedes=(*note.supersedes, *olds), extra=extra)
