"""The refs around the logs: each fits what its log says, and is what it names there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.objects import read_objects, resolve
from gitledger.git.process import text
from gitledger.git.refs import list_refs, read_symbolic
from gitledger.git.worktrees import list_worktrees
from gitledger.model.names import AGENTS, ARCHIVE, POINTER_AGENT
from gitledger.model.note import parse_note
from gitledger.store import notes, pointers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitledger.git.repository import Repository
    from gitledger.store.logs import Log

KINDS = {"log": "blob", "note": "blob", "spawn": "commit", "head": "commit", "files": "tree"}

Fault = tuple[str, str]


def ref_faults(repo: Repository, read: Mapping[str, Log]) -> tuple[int, list[Fault]]:
    """The number of notes, and each ref with what is wrong with it."""
    refs = list_refs(repo, "refs/ledger/")
    faults = [*_leaves(repo, refs), *_halves(refs), *_agents_notes(repo, refs, read)]
    faults += _pointers(repo, refs)
    counted, more = _notes(repo)
    return counted, faults + more


def _leaves(repo: Repository, refs: Mapping[str, str]) -> Iterator[Fault]:
    """Each ref leads to an object of its kind, and stands beside a log."""
    kinds = dict(zip(refs.values(), resolve(repo, list(refs.values())), strict=True))
    for ref, oid in refs.items():
        owner, _, leaf = ref.rpartition("/")
        found = kinds[oid]
        if found is None:
            yield ref, f"object {oid} is missing"
        elif leaf in KINDS and found[1] != KINDS[leaf]:
            yield ref, f"it names a {found[1]}, not a {KINDS[leaf]}"
        if leaf in KINDS and f"{owner}/log" not in refs:
            yield ref, "there is no log beside it"


def _halves(refs: Mapping[str, str]) -> Iterator[Fault]:
    """A record that is live and archived at once: a move that was cut off."""
    for ref in refs:
        if ref.startswith(ARCHIVE) and ref.endswith("/log"):
            live = ref.replace(ARCHIVE, "refs/ledger/", 1)
            if live in refs:
                yield live, "it is archived too"


def _agents_notes(
    repo: Repository, refs: Mapping[str, str], read: Mapping[str, Log]
) -> Iterator[Fault]:
    """The note that hooks attach names the agent whose it is."""
    named = {ref: oid for ref, oid in refs.items() if ref.endswith("/note")}
    blobs = zip(named, read_objects(repo, list(named.values())), strict=True)
    for ref, blob in blobs:
        log = read.get(ref.removesuffix("note") + "log")
        ids = {str(e.body["id"]) for e in log.events if "id" in e.body} if log else set()
        agent = parse_note(text(blob.content)).agent if blob else ""
        if blob and ids and agent not in ids:
            yield ref, f"it names agent '{agent}'"
    for log_ref in read:
        note = log_ref.removesuffix("log") + "note"
        if log_ref.startswith(AGENTS) and note not in refs and _worked(read[log_ref]):
            yield note, "it is missing: no hook can record for this agent"


def _worked(log: Log) -> bool:
    """Whether the agent had a worktree, in which hooks look for its note."""
    return any(isinstance(event.body.get("worktree_id"), str) for event in log.events)


def _pointers(repo: Repository, refs: Mapping[str, str]) -> Iterator[Fault]:
    for tree in list_worktrees(repo):
        name = f"{tree.name}/{POINTER_AGENT}"
        target = read_symbolic(repo, name)
        if target is not None and (not pointers.is_pointer(target) or target not in refs):
            yield name, f"it points to '{target}', which is no log"


def _notes(repo: Repository) -> tuple[int, list[Fault]]:
    """How many notes there are, and notes refs that are none of ours."""
    counted, faults = 0, []
    for ref, oid in notes.notes_refs(repo).items():
        commit = read_objects(repo, [oid])[0]
        head = commit.content.split(b"\n\n", 1)[0] if commit and commit.kind == "commit" else b""
        if not head or b"\nparent " in head:
            what = "it is no commit without a parent: not written by the ledger"
            faults.append((ref, what))
        counted += len(notes.read_worktree(repo, notes.worktree_of(ref))) if head else 0
    return counted, faults
