"""Reflogs of every worktree's HEAD, in one process."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from gitledger.git.objects import resolve
from gitledger.git.process import text
from gitledger.model.reflog import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository

_LINE = re.compile(r"[0-9a-f]+ ([0-9a-f]+) .*> (\d+) [-+]\d{4}(?:\t(.*))?$")


def read_reflogs(repo: Repository, refs: Sequence[str]) -> dict[str, list[Entry]]:
    """Each ref's reflog, newest first; empty where there is none.

    Entries whose commit has been pruned are left out by git itself. A HEAD whose
    branch is gone is no ref to git any more, although its reflog is there: that
    one is read from the file that git names.
    """
    found: dict[str, list[Entry]] = {ref: [] for ref in refs}
    if not refs:
        return found
    there = _existing(repo, refs)
    for ref in set(refs).difference(there):
        found[ref] = _from_file(repo, ref)
    if not there:
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
    done = repo.git.try_run(*words, *there, "--")
    for record in done.stdout.split(b"\0"):
        oid, _, rest = text(record).partition("\t")
        selector, _, why = rest.partition("\t")
        ref, _, when = selector.partition("@{")
        if ref in found:
            found[ref].append(Entry(oid.strip(), int(when.split(" ")[0]), why))
    return found


def _from_file(repo: Repository, ref: str) -> list[Entry]:
    """The reflog of a worktree's unborn HEAD. Empty where refs are not kept in files."""
    worktree, _, name = ref.rpartition("/")
    try:
        with open(os.path.join(repo.path(worktree), "logs", name), "rb") as file:
            lines = text(file.read()).splitlines()
    except OSError:
        return []
    parsed = (_LINE.match(line) for line in reversed(lines))
    entries = [Entry(one[1], int(one[2]), one[3] or "") for one in parsed if one]
    kinds = resolve(repo, [entry.oid for entry in entries])
    return [entry for entry, kind in zip(entries, kinds, strict=True) if kind]


def _existing(repo: Repository, refs: Iterable[str]) -> list[str]:
    """The refs that resolve: `git log -g` refuses all when it can't read one."""
    names = list(refs)
    return [ref for ref, oid in zip(names, resolve(repo, names), strict=True) if oid]


def last_commit(repo: Repository, ref: str) -> str | None:
    """The commit that a HEAD was at last; for one that is unborn now, its branch deleted."""
    entries = read_reflogs(repo, [ref])[ref]
    return entries[0].oid if entries else None


def first_entry(repo: Repository, ref: str) -> Entry | None:
    """The oldest entry: for a worktree's HEAD the commit that it was made from."""
    entries = read_reflogs(repo, [ref])[ref]
    return entries[-1] if entries else None
