"""Where a session is, and whether its archive is whole. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.model.session import ARCHIVED, ARCHIVING, Session
from gitledger.services import session_paths as paths
from gitledger.services import sessions
from gitledger.services.session_archive import BOTH, MISSING, ORIGINAL, place_of

if TYPE_CHECKING:
    from gitledger.git.repository import Repository


@dataclass(frozen=True)
class Verified:
    """Where a session is and what is wrong with it; nothing when `faults` is empty.

    `place` is `active`, `archiving` or `archived`; `documents` are pairs of the
    document's first place and where it is now.
    """

    session: Session
    place: str
    documents: list[tuple[str, str]]
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "session_id": self.session.session_id,
            "place": self.place,
            "documents": [{"path": path, "at": where} for path, where in self.documents],
            "faults": self.faults,
        }


def verify(repo: Repository, name: str | None) -> Verified:
    """Look, and change nothing."""
    kept = sessions.named(repo, name)
    session = kept.session
    faults = [f"event {one[:12]}: {why}" for one, why in session.faults]
    faults += [f"line {one.number}: {one.why}" for one in kept.log.broken]
    faults += _halves(repo, kept)
    documents: list[tuple[str, str]] = []
    if session.documents:
        top = paths.top_of(repo, session.worktree)
        for source, goal, blob in session.documents:
            old, new = paths.inside(top, source), paths.inside(top, goal)
            where = place_of(old, new)
            documents.append((source, where))
            faults += _document_faults(repo, session, (source, old, new), blob)
    return Verified(session, session.place, documents, faults)


FINISH = "finish with 'git ledger session archive'"


def _halves(repo: Repository, kept: sessions.Kept) -> list[str]:
    """What a killed archive left to be done."""
    name = kept.session.session_id
    if kept.session.place == ARCHIVING:
        return [f"its archive was begun and not ended: {FINISH} {name}"]
    if kept.session.place == ARCHIVED and sessions.is_live(repo, name):
        return [f"its record is archived but still in the live place: {FINISH} {name}"]
    return []


def _document_faults(
    repo: Repository, session: Session, places: tuple[str, str, str], blob: str
) -> list[str]:
    source, old, new = places
    where = place_of(old, new)
    if where == MISSING:
        return [f"'{source}' is in neither place"]
    if session.place != ARCHIVED:
        return []
    if where == ORIGINAL:
        return [f"'{source}' is not archived: {FINISH} {session.session_id}"]
    found = paths.blob_of(repo, new)
    faults = {
        f"the archived '{source}' cannot be read": found is None,
        f"the archived '{source}' has other content than it had": found not in {None, blob},
        f"'{source}' was left behind: {FINISH} {session.session_id}": where == BOTH
        and paths.blob_of(repo, old) == found,
    }
    return [words for words, so in faults.items() if so]
