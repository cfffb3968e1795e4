"""Out of the live ledger and into the archive: all refs of one record in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.refs import Update, list_refs, retry, update

if TYPE_CHECKING:
    from gitledger.git.repository import Repository


def move(repo: Repository, old: str, new: str) -> list[str]:
    """Move every ref below one prefix (`refs/ledger/sessions/<id>/`) to another; their leaves.

    What a killed git left half-way (the new ref made, the old one not yet gone)
    is finished. Raises Contended while another process holds them.
    """

    def attempt() -> list[str]:
        found = list_refs(repo, old)
        there = list_refs(repo, new)
        updates = [Update(ref, None, oid) for ref, oid in found.items()]
        for ref, oid in found.items():
            goal = new + ref.removeprefix(old)
            if there.get(goal) != oid:
                updates.append(Update(goal, oid, there.get(goal)))
        if updates:
            update(repo, updates)
        return [ref.removeprefix(old) for ref in found]

    return retry(f"'{old}'", attempt)
