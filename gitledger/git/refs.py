"""Refs: read in bulk, written by compare-and-swap in one transaction."""

from __future__ import annotations

import os
import random
import re
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from gitledger.errors import Contended, GitError, NotUsable
from gitledger.git.objects import resolve
from gitledger.git.process import data, text
from gitledger.model.names import MAIN_WORKTREE, NOTES, NOTES_BESIDE, PARENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitledger.git.process import Git
    from gitledger.git.repository import Repository

T = TypeVar("T")
_IN_THE_WAY = re.compile(r"'(refs/[^']+)' exists; cannot create '(refs/[^']+)'")
PATIENCE = 10.0  # seconds that a writer waits for a lock: nobody may be behind it
STAMINA = 60.0  # seconds that it runs after a ref that moves: others get on, so will it


class Moved(Exception):
    """A ref was not at the value that the writer had read, or was locked: read again."""


class Update(NamedTuple):
    """One ref of a transaction. `new` None deletes; `old` None means: must not exist."""

    ref: str
    new: str | None
    old: str | None

    def command(self, zero: str) -> bytes:
        old = self.old or zero
        if self.new is None:
            return b"delete %s\0%s\0" % (data(self.ref), old.encode())
        return b"update %s\0%s\0%s\0" % (data(self.ref), self.new.encode(), old.encode())


def list_refs(repo: Repository, *patterns: str) -> dict[str, str]:
    """Every ref under the patterns, with its object id."""
    if not patterns:
        return {}
    # The refname last: it may hold anything but a newline.
    found = repo.git.run("for-each-ref", "--format=%(objectname) %(refname)", *patterns)
    pairs = (line.split(" ", 1) for line in text(found.stdout).splitlines())
    return {name: oid for oid, name in pairs}


def update(repo: Repository, updates: Iterable[Update], reason: str | None = None) -> None:
    """All of the updates, or none. Raises Moved when one is not at its old value.

    A branch is moved with a `reason` for its reflog. A ledger ref has none: the
    reflog of a notes ref would keep every replaced commit alive, and a log is its
    own history.
    """
    commands = b"".join(one.command(repo.zero) for one in updates)
    logged = ("-c", "core.logAllRefUpdates=false") if reason is None else ()
    why = () if reason is None else ("-m", reason)
    words = (*logged, "update-ref", "--no-deref", *why, "--stdin", "-z")
    done = repo.git.try_run(*words, stdin=b"start\0" + commands + b"prepare\0commit\0")
    if done.status == 0:
        return
    blocked = _IN_THE_WAY.search(done.stderr)
    if blocked:
        raise _standing_in_the_way(blocked[1], blocked[2])
    if _may_pass(done.stderr):
        raise Moved(done.stderr.strip())
    raise GitError("update-ref", done.status, done.stderr)


def _standing_in_the_way(there: str, wanted: str) -> NotUsable:
    """A ref of somebody else's whose name is a directory of ours. Never touched by us."""
    return NotUsable(
        f"ref '{there}' stands in the way of '{wanted}'",
        f"if it may be renamed: git update-ref {there}-old {there} && git update-ref -d {there}",
    )


def refuse_blocked(repo: Repository) -> None:
    """Raises NotUsable where a ref of somebody else's stands in the way of the ledger's."""
    names = (*PARENTS, *(one.removesuffix("/") for one in (NOTES, NOTES_BESIDE)))
    *taken, notes, beside = resolve(repo, names)
    for name, found in zip(names, [*taken, None, notes and beside], strict=True):
        if found:
            raise _standing_in_the_way(name, f"{name}/…")


def _may_pass(stderr: str) -> bool:
    # A missing or read-only directory fails with "Unable to create" too.
    if "Permission denied" in stderr or "Read-only file system" in stderr:
        return False
    signs = ("but expected", "already exists", "File exists", "unable to resolve reference")
    return any(sign in stderr for sign in signs)


def retry(what: str, attempt: Callable[[], T]) -> T:
    """Run a read-and-swap until it holds: bounded, with growing, random pauses.

    Raises Contended, naming `what` and git's last words, when it never does.
    """
    begun = moving = time.monotonic()
    pause = 0.002
    while True:
        try:
            return attempt()
        except Moved as moved:
            now = time.monotonic()
            moving = moving if _is_locked(str(moved)) else now
            if now - moving > PATIENCE or now - begun > STAMINA:
                raise _contended(what, str(moved)) from None
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - jitter
            pause = min(pause * 1.7, 0.25)


def _is_locked(words: str) -> bool:
    return "File exists" in words


def _contended(what: str, words: str) -> Contended:
    if _is_locked(words):
        hint = "another git process holds the lock; if none runs, remove that lock file"
        return Contended(f"cannot write {what}: {words.splitlines()[0]}", hint)
    return Contended(f"cannot write {what}: it kept moving ({words.splitlines()[0]})", "try again")


def set_symbolic(repo: Repository, ref: str, target: str) -> None:
    """Point a symbolic ref. git 2.39 has no compare-and-swap for these: written last.

    One of another worktree from inside that one: from elsewhere git 2.55 refuses
    `worktrees/<id>/refs/…` as a bad name, which 2.39 took.
    """
    git, name = _inside(repo, ref)
    git.run("symbolic-ref", name, target)


def _inside(repo: Repository, ref: str) -> tuple[Git, str]:
    """The door in the worktree that a ref names, and the ref as it is called there."""
    worktree, _, rest = ref.partition("/refs/")
    if not ref.startswith(("worktrees/", f"{MAIN_WORKTREE}/")):
        return repo.git, ref
    if worktree == repo.worktree:
        return repo.git, f"refs/{rest}"
    linked = worktree != MAIN_WORKTREE
    name = worktree.removeprefix("worktrees/")
    git_dir = os.path.join(repo.path("worktrees"), name) if linked else repo.common_dir
    return repo.git._replace(git_dir=git_dir), f"refs/{rest}"


def read_symbolic(repo: Repository, ref: str) -> str | None:
    """The name that a symbolic ref holds, or None where it is none."""
    found = repo.git.try_run("symbolic-ref", "-q", ref)
    return found.line if found.status == 0 else None


def delete_symbolic(repo: Repository, ref: str) -> None:
    """Delete a symbolic ref itself, not what it names; nothing where there is none."""
    done = repo.git.try_run("symbolic-ref", "-d", ref)
    if done.status and "not a symbolic ref" not in done.stderr:
        raise NotUsable(f"cannot clear '{ref}': {done.stderr.strip()}")
