"""Reflogs of every worktree's HEAD, in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.model.reflog import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository


def read_reflogs(repo: Repository, refs: Sequence[str]) -> dict[str, list[Entry]]:
    """Each ref's reflog, newest first; empty where there is none.

    git walks reflogs by time and stops at nothing: entries whose commit has been
    pruned are left out by git itself.
    """
    found: dict[str, list[Entry]] = {ref: [] for ref in refs}
    if not refs:
        return found
    # %gD with --date=raw is `<ref>@{<seconds> <zone>}`.
    words = (
        "-c",
        "log.showSignature=false",
        "log",
        "-g",
        "-z",
        "--date=raw",
        "--format=%H%x09%gD%x09%gs",
        "--ignore-missing",
    )
    done = repo.git.try_run(*words, *_existing(repo, refs), "--")
    for record in done.stdout.split(b"\0"):
        oid, _, rest = text(record).partition("\t")
        selector, _, why = rest.partition("\t")
        ref, _, when = selector.partition("@{")
        if ref in found:
            found[ref].append(Entry(oid.strip(), int(when.split(" ")[0]), why))
    return found


def _existing(repo: Repository, refs: Iterable[str]) -> list[str]:
    """The refs that resolve: `git log -g` refuses all when it can't read one."""
    from gitledger.git.objects import resolve

    names = list(refs)
    return [ref for ref, oid in zip(names, resolve(repo, names), strict=True) if oid]


def first_entry(repo: Repository, ref: str) -> Entry | None:
    """The oldest entry: for a worktree's HEAD the commit that it was made from."""
    entries = read_reflogs(repo, [ref])[ref]
    return entries[-1] if entries else None
