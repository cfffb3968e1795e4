"""Maestro's session files into the ledger and out of it. Importing twice changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.interop import maestro, maestro_out
from gitledger.model.order import in_order
from gitledger.model.session import ARCHIVED
from gitledger.model.session_fold import fold
from gitledger.services import sessions
from gitledger.services.session_phases import head_of
from gitledger.services.session_shares import shares
from gitledger.store import logs
from gitledger.store.places import held

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.model.session import Session


@dataclass(frozen=True)
class Imported:
    """What an import did. `changed` is False where the ledger had it already."""

    session: Session
    changed: bool
    warnings: list[str]


def import_file(repo: Repository, text: str, name: str) -> Imported:
    """Take a session file in: an active one as the active session, a completed one archived.

    Raises LedgerError naming file and field for what can't be read, and where another
    session is active or this one has gone on in the ledger; then nothing is written.
    """
    read = maestro.read(text, name)
    session_id = read.session["session_id"]
    done = bool(read.session["archived"])
    ref = sessions.old_ref(session_id) if done else sessions.live_ref(session_id)
    body = {
        "from": "maestro",
        "entry": text,
        "session": read.session,
        "worktree_id": repo.worktree,
        **head_of(repo),
    }
    with held(repo, "sessions"):
        _refuse_other(repo, session_id, archived=done)
        events = logs.append(repo, ref, lambda log: _facts(log, session_id, body))
        whole = logs.read(repo, ref)
    return Imported(fold(whole.events), bool(events), read.warnings)


def _refuse_other(repo: Repository, session_id: str, *, archived: bool) -> None:
    """One active session at a time, and no id both active and archived."""
    for one in sessions.read_all(repo):
        other = one.session.session_id
        elsewhere = other == session_id and (one.session.place == ARCHIVED) != archived
        if elsewhere:
            where = "archived" if not archived else "active"
            raise LedgerError(
                f"session '{session_id}' is in the ledger already, and {where}",
                "archive it first" if archived else "give the file another session_id",
            )
        if not archived and one.live and one.session.place != ARCHIVED and other != session_id:
            raise LedgerError(f"session '{other}' is active", sessions.WAYS_OUT)


def _facts(log: logs.Log, session_id: str, body: dict[str, Any]) -> logs.Facts:
    ordered = in_order(log.events)
    last = ordered[-1] if ordered else None
    if last is None:
        return [("imported", body)]
    known = [one for one in ordered if one.kind == "imported"]
    if known and known[-1].body["entry"] == body["entry"]:
        return []
    if last.kind != "imported":
        raise LedgerError(
            f"session '{session_id}' has gone on in the ledger since it was imported",
            "export it, or archive it",
        )
    return [("imported", body)]


def export_text(repo: Repository, name: str | None) -> str:
    """A session as Maestro keeps it; what was imported and not changed word for word."""
    kept = sessions.named(repo, name)
    found = kept.session.shares if kept.session.frozen else shares(repo, kept)
    return maestro_out.write(kept.log.events, found)
