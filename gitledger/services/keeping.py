"""What every spawn does for the ledger: find who was cut off, archive the oldest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.services.interruption import interrupt_found
from gitledger.services.lifecycle import prepared
from gitledger.services.live import look
from gitledger.services.pruning import prune_quietly

if TYPE_CHECKING:
    from gitledger.git.repository import Repository


@dataclass(frozen=True)
class Kept:
    """The ids of those found interrupted, and of those that went to the archive."""

    interrupted: list[str]
    archived: list[str]


def keep(repo: Repository) -> Kept:
    """Detection first: it reads the pointers that archiving clears."""
    view = prepared(repo)
    found = interrupt_found(view)
    pruned = prune_quietly(look(repo) if found else view)
    return Kept([step.id for step in found], [one.id for one in pruned])
