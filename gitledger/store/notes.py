"""Notes on commits: one ref a worktree, replaced and not grown. Source: docs/FORMAT.md.

Never written by `git notes` or a library's create_note: parallel writers of those
report success and lose each other's notes. Never read by a library's iterator:
3.1 s for 20,000 notes that a tree walk reads in 0.08 s.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git.objects import read_objects, resolve
from gitledger.git.process import data, text
from gitledger.git.refs import Moved, Update, list_refs, retry, update
from gitledger.model.names import NOTES, NOTES_BESIDE
from gitledger.model.note import Note, parse_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gitledger.git.objects import Found
    from gitledger.git.repository import Repository

_PREFIXES = (NOTES, NOTES_BESIDE)
SCRATCH = "refs/ledger/scratch/notes"  # fast-import's branch name, never written


def fan_out(commit: str) -> str:
    """A commit's place in a notes tree: always one level, `ab/cdef…`."""
    return f"{commit[:2]}/{commit[2:]}"


def notes_refs(repo: Repository) -> dict[str, str]:
    """Every notes ref of the ledger, with its commit."""
    return list_refs(repo, *_PREFIXES)


def worktree_of(ref: str) -> str:
    """The worktree (`worktrees/<id>`) whose notes ref it is."""
    return ref.removeprefix(NOTES).removeprefix(NOTES_BESIDE)


def _places(worktree: str) -> list[str]:
    """Where a worktree's notes may be; in one of the two."""
    return [f"{prefix}{worktree}" for prefix in _PREFIXES]


def _place(repo: Repository, worktree: str) -> tuple[str, str | None]:
    """A worktree's notes ref, and its commit if it is there.

    A new one goes beside where a ref of another tool takes the name of ours for its own.
    """
    usual, beside = _places(worktree)
    there, there_beside, taken = resolve(repo, [usual, beside, NOTES.removesuffix("/")])
    if there_beside or (taken and not there):
        return beside, there_beside[0] if there_beside else None
    return usual, there[0] if there else None


def read_worktree(repo: Repository, worktree: str) -> dict[str, Note]:
    """All notes made in one worktree, by commit."""
    ref, oid = _place(repo, worktree)
    if oid is None:
        return {}
    entries = repo.git.run("ls-tree", "-r", "-z", "--full-tree", ref).records
    placed = [
        (path.replace(b"/", b"").decode(), meta.split(b" ")[2].decode())
        for meta, path in (entry.split(b"\t", 1) for entry in entries)
    ]
    bodies = _bodies(repo, {blob for _, blob in placed})
    return {commit: bodies[blob] for commit, blob in placed if blob in bodies}


def _bodies(repo: Repository, blobs: Iterable[str]) -> dict[str, Note]:
    wanted = sorted(blobs)  # few: commits of one agent and iteration share theirs
    found = zip(wanted, read_objects(repo, wanted), strict=True)
    return {oid: parse_note(text(blob.content)) for oid, blob in found if blob}


def read_all(repo: Repository) -> dict[str, dict[str, Note]]:
    """Every note, by worktree and commit."""
    worktrees = {worktree_of(ref) for ref in notes_refs(repo)}
    return {worktree: read_worktree(repo, worktree) for worktree in sorted(worktrees)}


def lookup(
    repo: Repository, commits: Sequence[str], worktrees: Sequence[str] | None = None
) -> dict[str, dict[str, Note]]:
    """The notes on some commits, by commit and worktree. Costs by commits, not by notes."""
    if worktrees is None:
        refs = list(notes_refs(repo))
    else:
        refs = [ref for one in worktrees for ref in _places(one)]
    asked = [(commit, ref) for commit in commits for ref in refs]
    ids = resolve(repo, [f"{ref}:{fan_out(commit)}" for commit, ref in asked])
    bodies = _bodies(repo, {one[0] for one in ids if one})
    found: dict[str, dict[str, Note]] = {}
    for (commit, ref), one in zip(asked, ids, strict=True):
        if one and one[0] in bodies:
            found.setdefault(commit, {})[worktree_of(ref)] = bodies[one[0]]
    return found


def write(
    repo: Repository,
    worktree: str,
    decide: Callable[[], Mapping[str, Note | None]],
    also: Callable[[], Iterable[Update]] = tuple,
) -> None:
    """Set (or drop, with None) notes of one worktree by compare-and-swap.

    `decide` is asked again after every lost race. Raises Contended and GitError.
    """
    ref, _ = _place(repo, worktree)

    def attempt() -> None:
        old = read_objects(repo, [ref])[0]
        changes = decide()
        if changes:
            new = _grown(repo, _tree_of(old), changes)
            update(repo, [Update(ref, new, old.oid if old else None), *also()])

    retry(f"'{ref}'", attempt)


def founded(repo: Repository, worktree: str) -> str:
    """The worktree's notes ref; made, empty, where there is none yet.

    A pointer to a ref that is not there makes `git fsck` complain.
    """
    ref, oid = _place(repo, worktree)
    if oid is None:
        with contextlib.suppress(Moved):
            update(repo, [Update(ref, _grown(repo, None, {}), None)])
    return ref


def _tree_of(commit: Found | None) -> str | None:
    """The tree of a notes commit: its first line is `tree <id>`."""
    return commit.content.split(b"\n", 1)[0][5:].decode() if commit else None


def _grown(repo: Repository, tree: str | None, changes: Mapping[str, Note | None]) -> str:
    """A parentless commit of the old tree with the changes, made without moving any ref."""
    script = b"".join(_script(tree, changes))
    # Loose objects: a user's unpackLimit may make a pack of every note.
    words = ("-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet", "--force")
    done = repo.git.try_run(*words, "--done", "--date-format=raw", stdin=script)
    if done.status:
        _remove_crash_report(repo, done.stderr)
        raise GitError("fast-import", done.status, done.stderr)
    return done.line


def _remove_crash_report(repo: Repository, stderr: str) -> None:
    """fast-import leaves a report in the git dir when it fails; its words name the file."""
    for name in re.findall(r"fast_import_crash_\d+", stderr):
        with contextlib.suppress(OSError):
            os.remove(repo.path(name))


def _script(tree: str | None, changes: Mapping[str, Note | None]) -> Iterable[bytes]:
    yield b"commit %s\nmark :1\n" % SCRATCH.encode()
    yield b"committer git-ledger <git-ledger> 0 +0000\ndata 0\n\n"
    if tree:
        yield b"M 040000 %s \n" % tree.encode()
    for commit, note in changes.items():
        place = fan_out(commit).encode()
        if note is None:
            yield b"D %s\n" % place
        else:
            body = data(note.render())
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (place, len(body), body)
    yield b"get-mark :1\nreset %s\n\ndone\n" % SCRATCH.encode()
