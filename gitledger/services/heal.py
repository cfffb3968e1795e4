"""What a killed writer left half-made, finished from the logs: they are the truth.

git moves the refs of one transaction one by one; killed on the way it leaves some old
and some new. Worktrees' pointers come after that. A live and an archived log of one
record: the move to the archive was cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.objects import read_objects, resolve, write_blob
from gitledger.git.process import data
from gitledger.git.refs import Moved, Update, list_refs, update
from gitledger.git.worktrees import at
from gitledger.model.holding import SLACK, bindings
from gitledger.model.names import ARCHIVE, POINTER_NOTE, POINTER_NOTES, agent_ref
from gitledger.model.note import Note
from gitledger.services.live import unheld
from gitledger.store import archive, pointers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.agent import Agent
    from gitledger.services.evidence import Witness
    from gitledger.services.live import View


def heal_refs(repo: Repository, agents: Iterable[Agent]) -> list[str]:
    """Make the spawn, head and note refs that a log calls for, where they are missing.

    A note that tells another iteration than the log is replaced. The refs written.
    """
    refs = list_refs(repo, "refs/ledger/")
    healed = _finish_archiving(repo, refs)
    wanted = {ref: value for one in agents for ref, value in _called_for(one).items()}
    noted = [ref for ref in wanted if ref.endswith("/note") and ref in refs]
    found = zip(noted, read_objects(repo, [refs[ref] for ref in noted]), strict=True)
    stale = {ref for ref, blob in found if blob and blob.content != data(wanted[ref])}
    missing = {ref: value for ref, value in wanted.items() if ref not in refs or ref in stale}
    for ref, value in _possible(repo, missing).items():
        new = write_blob(repo, data(value)) if ref.endswith("/note") else value
        if _put(repo, Update(ref, new, refs.get(ref))):
            healed.append(ref)
    return healed


def _called_for(agent: Agent) -> dict[str, str]:
    """Ref to the commit that it must name, or to the text of the note."""
    if agent.ended or agent.spawned_at is None:
        return {}
    found = {}
    if agent.worktree_id:  # where no worktree is, no hook looks for the note
        found[agent_ref(agent.id, "note")] = Note(agent.id, agent.iteration).render()
    if agent.spawn_commit:
        found[agent_ref(agent.id, "spawn")] = agent.spawn_commit
        found[agent_ref(agent.id, "head")] = agent.head or agent.spawn_commit
    return found


def _possible(repo: Repository, wanted: Mapping[str, str]) -> dict[str, str]:
    """Less the commits that are not here: a clone may be shallow, a foreign record wrong."""
    kinds = zip(wanted, resolve(repo, list(wanted.values())), strict=True)
    there = {ref for ref, found in kinds if found and found[1] == "commit"}
    return {ref: value for ref, value in wanted.items() if ref in there or ref.endswith("/note")}


def _put(repo: Repository, one: Update) -> bool:
    try:
        update(repo, [one])
    except Moved:
        return False  # its own writer was faster
    return True


def _finish_archiving(repo: Repository, refs: Mapping[str, str]) -> list[str]:
    """Move what is left in the live place of a record that is in the archive already.

    Two logs that differ are no cut-off move: both stay, and `verify` names them.
    """
    healed = []
    for ref in refs:
        live = ref.replace(ARCHIVE, "refs/ledger/", 1).removesuffix("log")
        ours = ref.startswith(f"{ARCHIVE}agents/") and ref.endswith("/log")
        if ours and refs.get(f"{live}log") == refs[ref]:
            archive.move(repo, live, ref.removesuffix("log"))
            healed.append(ref)
    return healed


def heal_pointers(view: View, witness: Witness) -> list[str]:
    """Point worktrees at the agent that a log binds there, its spawn cut off before that.

    The worktrees pointed. Only bindings of this worktree count, not of an earlier one
    with the same name.
    """
    bare = unheld(view.repo, view.worktrees, view.pointers)
    pairs = ((tree, _bound(view, witness, tree)) for tree in bare)
    found = {tree.name: (tree, agent) for tree, agent in pairs if agent}
    for tree, agent in found.values():
        pointers.point(view.repo, agent, tree.name)
        pointers.drop_claim(at(view.repo, tree))
    return list(found)


def complete_pointers(view: View) -> list[str]:
    """Make the other two pointers of worktrees that have the first. The worktrees."""
    held = [name for name in view.pointers if view.ids.get(view.pointers[name])]
    asked = [f"{name}/{leaf}" for name in held for leaf in (POINTER_NOTE, POINTER_NOTES)]
    missing = {
        name.split("/refs/")[0]
        for name, found in zip(asked, resolve(view.repo, asked), strict=True)
        if found is None
    }
    for name in sorted(missing):
        pointers.point(view.repo, view.ids[view.pointers[name]], name)
    return sorted(missing)


def _bound(view: View, witness: Witness, tree: Worktree) -> str | None:
    """The agent that was bound here last, if it has not ended and works nowhere else."""
    entries = witness.reflogs.get(tree.name)
    born = entries[0].time if entries else 0
    here = [
        one
        for ref, events in view.events.items()
        for one in bindings(view.ids.get(ref, ""), events)
        if one.worktree == tree.name and one.since >= born - SLACK
    ]
    last = max(here, key=lambda one: one.since, default=None)
    agent = view.by_id.get(last.agent) if last else None
    free = agent and not agent.agent.ended and agent.worktree is None and agent.recorded
    return agent.id if agent and free else None
