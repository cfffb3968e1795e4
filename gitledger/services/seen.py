"""How far each reflog has been reconciled: a hint in the common dir, safe to delete.

Without it everything is looked at again; what is recorded already is found so.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gitledger.store.places import place, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.reflog import Entry

FILE = "reconciled.json"


def read_seen(repo: Repository) -> dict[str, str]:
    """Worktree to the mark of the last entry that was reconciled; empty when unreadable."""
    try:
        with open(place(repo, FILE), "rb") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def mark(entry: Entry) -> str:
    return f"{entry.time} {entry.oid} {entry.why}"


def unseen(entries: Sequence[Entry], last: str | None) -> list[Entry]:
    """The entries after the marked one, and that one; all where the mark is not found."""
    for place_ in range(len(entries) - 1, -1, -1):
        if mark(entries[place_]) == last:
            return list(entries[place_:])
    return list(entries)


def settled(entries: Sequence[Entry]) -> str | None:
    """The mark up to which nothing is under way: before a rebase that still runs."""
    for place_ in range(len(entries) - 1, -1, -1):
        why = entries[place_].why
        if "(finish)" in why or "(abort)" in why:
            break
        if "(start)" in why:
            return mark(entries[place_ - 1]) if place_ else None
    return mark(entries[-1]) if entries else None


def write_seen(repo: Repository, marks: Mapping[str, str]) -> None:
    write_whole(place(repo, FILE), json.dumps(dict(marks)).encode())
