"""What git said of pairs of commits, kept for the next time it is asked. Never the truth.

One file for each set of conditions, in the common dir; it may be deleted at any time.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any

from gitledger.store.places import place, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.repository import Repository

MOST_PAIRS = 20_000
MOST_FILES = 8

Kept = dict[str, list[Any]]  # "<ours> <theirs>" to what was said


def load(repo: Repository, conditions: str) -> Kept:
    """What is known under these conditions; nothing where the file can't be read."""
    try:
        with open(_file(repo, conditions), "rb") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(repo: Repository, conditions: str, known: Mapping[str, list[Any]]) -> None:
    """Replace what is known, the most recent last: older ones than fit are dropped.

    Where it can't be written nothing is kept, and nothing is said.
    """
    recent = dict(list(known.items())[-MOST_PAIRS:])
    path = _file(repo, conditions)
    with contextlib.suppress(OSError):
        write_whole(path, json.dumps(recent, separators=(",", ":")).encode())
        _drop_old(os.path.dirname(path))


def _file(repo: Repository, conditions: str) -> str:
    return place(repo, "cache", "outcomes", f"{conditions}.json")


def _drop_old(folder: str) -> None:
    names = [entry for entry in os.scandir(folder) if entry.name.endswith(".json")]
    names.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in names[MOST_FILES:]:
        os.unlink(entry.path)
