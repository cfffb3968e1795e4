"""The ledger from Python: agents as snapshots, by value.

    import gitledger

    ledger = gitledger.open("path/to/repository")
    for agent in ledger.agents():
        print(agent["id"], agent["state"], agent["files_modified"])

Every snapshot has the fields of `Snapshot` (docs/SNAPSHOT.md) and none beside them;
an optional field that does not apply is absent. Each call reads the ledger anew, and
writes nothing to it. What goes wrong is a `LedgerError` with `message` and `hint`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.model.snapshot import Check, Merged, Snapshot, TaskResult, Usage

if TYPE_CHECKING:
    import os

    from gitledger.git.repository import Repository

__all__ = ["Check", "Ledger", "LedgerError", "Merged", "Snapshot", "TaskResult", "Usage", "open"]


@dataclass(frozen=True)
class Ledger:
    """The ledger of one repository. Make one with `gitledger.open`."""

    _repository: Repository

    def agents(self, *, archived: bool = False) -> list[Snapshot]:
        """Every agent as it is now, the most recent first; those in the archive instead.

        Raises LedgerError where the repository can't be read.
        """
        from gitledger.services import find, snapshots
        from gitledger.services.live import look

        repo = self._repository
        if archived:
            threshold = snapshots.churn_threshold(repo)
            kept = find.archived(repo)
            return [snapshots.archived_snapshot(one.agent, threshold) for one in kept]
        view = look(repo)
        return snapshots.snapshots(view, find.newest_first(view.agents))

    def agent(self, name: str) -> Snapshot:
        """One agent by its id, its branch or the beginning of its id; archived ones too.

        Raises LedgerError for a name that means none, or several.
        """
        from gitledger.services.find import sight
        from gitledger.services.snapshots import snapshots

        view, one, _ = sight(self._repository, name)
        return snapshots(view, [one])[0]


def open(path: str | os.PathLike[str] | None = None) -> Ledger:  # noqa: A001 - gitledger.open
    """The ledger of the repository at `path`, else at the current directory.

    Any of its worktrees will do. Raises LedgerError where there is no repository.
    """
    from gitledger.git.process import text
    from gitledger.git.repository import discover

    if path is None:
        return Ledger(discover())
    import os

    return Ledger(discover(text(os.fsencode(path))))
