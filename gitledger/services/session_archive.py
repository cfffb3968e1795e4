"""The end of a session: documents moved, record completed, log into the archive.

A kill at any instant leaves the session whole in one place, and each document too:
first what will be moved is written down, then each document is renamed, then the
record is completed, then its refs move in one transaction. Doing it again goes on
from wherever it stopped. Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError, NotUsable
from gitledger.model.session import ACTIVE, ARCHIVED, ARCHIVING, Session
from gitledger.model.session_agents import share_document
from gitledger.services import session_paths as paths
from gitledger.services import sessions
from gitledger.services.session_shares import claim, shares

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository

    Move = tuple[str, str, str]  # from, to, blob

ORIGINAL, MOVED, BOTH, MISSING = "original", "archive", "both", "missing"


@dataclass(frozen=True)
class Archived:
    """What the archive did: the documents at their new places, and what it left alone."""

    session: Session
    archived_files: list[str]
    warnings: list[str]


def archive(repo: Repository, name: str | None) -> Archived:
    """Archive a session, or finish what was begun. Raises LedgerError where it may not.

    Nothing is moved before it is certain that everything can be.
    """
    kept = sessions.named(repo, name)
    session_id = kept.session.session_id
    top = _top(repo, kept.session)
    if kept.session.place == ARCHIVED:
        session, warnings = kept.session, list[str]()
    else:
        session, warnings = _begun(repo, kept.session, top)
    files = _moved(top, session.documents)
    session = _completed(repo, session)
    sessions.move_to_archive(repo, session_id)
    return Archived(session, files, warnings)


def _top(repo: Repository, session: Session) -> str:
    documents = session.documents or _named(session)
    return paths.top_of(repo, session.worktree) if documents else ""


def _named(session: Session) -> list[str]:
    found = (session.design_document, session.implementation_plan)
    return [one for one in dict.fromkeys(found) if one]


def _begun(repo: Repository, session: Session, top: str) -> tuple[Session, list[str]]:
    """The session with what will be moved written down, and what is left alone."""
    if session.place == ARCHIVING:
        return session, []
    moves, warnings = _plan(repo, session, top)
    body = {"documents": [list(one) for one in moves]}
    written = sessions.change(
        repo,
        session.session_id,
        lambda now: [] if now.place != ACTIVE else [("archiving", body)],
    )
    return written, warnings


def _plan(repo: Repository, session: Session, top: str) -> tuple[list[Move], list[str]]:
    """Which documents will move where, by content; and those that stay, with why."""
    moves: list[Move] = []
    warnings: list[str] = []
    for path in _named(session):
        if not paths.is_plan(repo, path):
            warnings.append(f"'{path}' is not below '{paths.plans_dir(repo)}': left where it is")
        elif not os.path.isfile(paths.inside(top, path)):
            warnings.append(f"'{path}' does not exist: nothing to move")
        else:
            moves.append(_move(repo, top, path))
    return moves, warnings


def _move(repo: Repository, top: str, path: str) -> Move:
    plain = paths.checked(path)
    plans = paths.plans_dir(repo)
    goal = f"{plans}/archive/{plain.removeprefix(plans + '/')}"
    blob = paths.blob_of(repo, paths.inside(top, plain))
    there = paths.inside(top, goal)
    if blob is None:
        raise NotUsable(f"cannot read '{path}'")
    if os.path.lexists(there) and paths.blob_of(repo, there) != blob:
        raise LedgerError(
            f"'{goal}' exists already with other content", "rename it or the document first"
        )
    return plain, goal, blob


def _moved(top: str, documents: Iterable[Move]) -> list[str]:
    """Move what is not yet moved; the documents at their new places."""
    found: list[str] = []
    for source, goal, _ in documents:
        old, new = paths.inside(top, source), paths.inside(top, goal)
        where = place_of(old, new)
        if where == ORIGINAL:
            _rename(old, new)
        elif where == BOTH:
            _remove_left_behind(old, new)
        if where != MISSING:
            found.append(goal)
    return found


def place_of(old: str, new: str) -> str:
    """Where a document is: `original`, `archive`, `both` or `missing`."""
    return {
        (True, True): BOTH,
        (True, False): ORIGINAL,
        (False, True): MOVED,
        (False, False): MISSING,
    }[os.path.lexists(old), os.path.lexists(new)]


def _rename(old: str, new: str) -> None:
    """In one step, so that the document is always in exactly one place."""
    try:
        os.makedirs(os.path.dirname(new), exist_ok=True)
        os.rename(old, new)
    except OSError as error:
        raise NotUsable(
            f"cannot move '{old}' to '{new}': {error.strerror}",
            "once that is possible, run 'git ledger session archive' again",
        ) from None


def _remove_left_behind(old: str, new: str) -> None:
    """Remove an original that equals its archived copy; another file of that name stays."""
    with open(old, "rb") as ours, open(new, "rb") as theirs:
        same = ours.read() == theirs.read()
    if same:
        os.remove(old)


def _completed(repo: Repository, session: Session) -> Session:
    """The record with its agents' share in it, and its last event."""
    if session.place == ARCHIVED:
        return session
    kept = sessions.named(repo, session.session_id)
    claim(repo, kept)
    told = [share_document(one) for one in shares(repo, kept)]
    body: dict[str, Any] = {"agents": told}
    return sessions.change(
        repo,
        session.session_id,
        lambda now: [] if now.place == ARCHIVED else [("archived", body)],
    )
