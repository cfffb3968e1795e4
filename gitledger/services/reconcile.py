"""What no hook saw, found again and written down. Idempotent.

Hooks are hints; git is the truth: a commit by plumbing, by a tool without hooks or
by a process that another overtook has its place in a reflog or on a branch.
Source: DESIGN section 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitledger.git.commits import rev_list
from gitledger.git.objects import resolve
from gitledger.git.refs import Moved, Update, list_refs, update
from gitledger.model.names import agent_ref
from gitledger.model.note import Note
from gitledger.model.ownership import RECONCILED, Owner, owner, why_nobody
from gitledger.services import unchanged
from gitledger.services.evidence import Witness
from gitledger.services.folded import folded
from gitledger.services.found_merged import complete_merged
from gitledger.services.heal import complete_pointers, heal_pointers, heal_refs
from gitledger.services.live import View, look, unheld
from gitledger.services.provisional import provisional
from gitledger.services.record import record
from gitledger.services.seen import mark, read_seen, settled, unseen, write_seen
from gitledger.services.supersede import note_rewrites
from gitledger.store import notes
from gitledger.store.places import held

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository


@dataclass
class Report:
    """What was written. `completed` are agents found merged, `healed` refs made whole."""

    spawned: list[str] = field(default_factory=list)
    noted: dict[str, Owner] = field(default_factory=dict)
    superseded: dict[str, tuple[str, ...]] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)
    healed: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        refs = (self.superseded, self.heads, self.healed)
        return any((self.spawned, self.noted, self.completed, *refs))


def reconcile(repo: Repository, *, late: bool = True) -> Report:
    """Record every worktree, commit and rewrite that is on record nowhere yet.

    What a killed writer left is finished first. Where nothing has happened since
    the last time this costs two git processes.
    `late` False: worktrees without an agent are left to the caller.
    Raises NotUsable where the repository cannot be written.
    """
    state, last = unchanged.now(repo), unchanged.before(repo)
    if state == last:
        return Report()
    report = Report()
    with held(repo, "reconcile"):
        if last is None or state.agents != last.agents:
            agents = [one.agent for one in folded(repo).values() if one.agent]
            report.healed = heal_refs(repo, agents)
        if last is None or state.places != last.places or report.healed:
            _everything(repo, report, late=late)
        if not report and late:
            unchanged.settle(repo, state)
    return report


def _everything(repo: Repository, report: Report, *, late: bool) -> None:
    view = look(repo)
    if any(not one.recorded for one in view.agents):
        with held(repo, "spawn"):  # what a spawn has half made is not for us
            view = look(repo)
            report.healed += heal_pointers(view, Witness(view))
            view = look(repo)
            report.spawned = _spawn_late(view) if late else []
        view = look(repo)
    report.healed += complete_pointers(view)
    witness = Witness(view)
    _note_commits(view, witness, report)
    report.superseded = note_rewrites(view, witness)
    _move_heads(view, report)
    report.completed = complete_merged(view)
    marks = {name: settled(entries) for name, entries in witness.reflogs.items()}
    write_seen(repo, {name: last for name, last in marks.items() if last})


def _spawn_late(view: View) -> list[str]:
    trees = unheld(view.repo, view.worktrees, view.pointers)
    births = [provisional(view.repo, tree) for tree in trees]
    for birth in births:
        record(view.repo, birth)
    return [birth.id for birth in births]


def _note_commits(view: View, witness: Witness, report: Report) -> None:
    evidence = witness.evidence(_candidates(view, witness))
    owners = {oid: owner(one) for oid, one in evidence.items() if not one.notes}
    for oid, found in owners.items():
        if found and found.agent in view.by_id:
            report.noted[oid] = found
    by_place: dict[str, dict[str, Note | None]] = {}
    for oid, found in report.noted.items():
        place = _place(view, witness, oid, found)
        iteration = view.by_id[found.agent].agent.iteration
        note = Note(found.agent, iteration, sources=found.sources, found=found.how)
        by_place.setdefault(place, {})[oid] = note
    for place, changes in by_place.items():
        _write_new(view.repo, place, changes)


def _write_new(repo: Repository, place: str, changes: dict[str, Note | None]) -> None:
    """A hook that came first knows better: only what has still no note is written."""

    def decide() -> dict[str, Note | None]:
        there = notes.lookup(repo, list(changes), [place])
        return {oid: note for oid, note in changes.items() if oid not in there}

    notes.write(repo, place, decide)


def _candidates(view: View, witness: Witness) -> list[str]:
    """Live commits that may lack a record: made since the last time, or on an agent's branch."""
    seen = read_seen(view.repo)
    recent = [
        entry
        for name, entries in witness.reflogs.items()
        for entry in unseen(entries, seen.get(name))
        if entry.made_here and mark(entry) != seen.get(name)
    ]
    heads = list_refs(view.repo, "refs/heads/", "refs/remotes/")
    agents = {f"refs/heads/{one.branch}" for one in view.live}
    foreign = [oid for ref, oid in heads.items() if ref not in agents]
    tips = [one.tip for one in view.live]
    spawns = [one.agent.spawn_commit for one in view.live]
    own = rev_list(view.repo, tips, [*foreign, *_outside(view, spawns)])
    alive: set[str] = set()
    if recent:
        since = min(entry.time for entry in recent) - 1
        alive = set(rev_list(view.repo, [*tips, *heads.values()], since=since))
    return list(dict.fromkeys([*(one.oid for one in recent if one.oid in alive), *own]))


def _outside(view: View, spawns: Iterable[str | None]) -> list[str]:
    """Spawn commits that no other agent made: what lies before them is nobody's here."""
    wanted = [one for one in dict.fromkeys(spawns) if one]
    noted = notes.lookup(view.repo, wanted)
    return [one for one in wanted if one not in noted]


def _place(view: View, witness: Witness, commit: str, found: Owner) -> str:
    """The notes ref: of the worktree where it was made, else of the agent's own."""
    made = witness.made.get(commit, [])
    for worktree, time in made:
        if found.how != RECONCILED or witness.maker(commit, worktree, time) == found.agent:
            return worktree
    bound = view.by_id[found.agent].agent.worktree_id
    return bound or view.repo.worktree


def _move_heads(view: View, report: Report) -> None:
    """An agent's head ref follows its worktree: its work stays reachable after that is gone."""
    refs = list_refs(view.repo, "refs/ledger/agents/*/head")
    pairs = ((agent_ref(one.id, "head"), one) for one in view.live if one.recorded)
    moved = [(ref, one) for ref, one in pairs if one.tip and refs.get(ref) != one.tip]
    kinds = resolve(view.repo, [str(one.tip) for _, one in moved])
    for (ref, one), found in zip(moved, kinds, strict=True):
        if found is None:
            continue  # not here: a shallow clone, or a foreign record
        try:
            update(view.repo, [Update(ref, one.tip, refs.get(ref))])
        except Moved:
            continue  # a hook moved it on meanwhile
        report.heads.append(one.id)


def unrecorded(view: View, commits: Sequence[str]) -> dict[str, str]:
    """Those of the commits that nobody can be named for, with the reason."""
    found = Witness(view).evidence(commits)
    return {oid: why_nobody(one) for oid, one in found.items() if owner(one) is None}
