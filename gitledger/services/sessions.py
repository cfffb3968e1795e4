"""Sessions in the ledger: found, read, started and changed, one log each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.objects import resolve
from gitledger.model.names import ARCHIVE, SESSIONS, decode, encode
from gitledger.model.session import ARCHIVED, Session, session_id
from gitledger.model.session_fold import fold
from gitledger.services.reconcile import reconcile
from gitledger.store import logs
from gitledger.store.archive import move
from gitledger.store.places import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitledger.git.repository import Repository

    Facts = list[tuple[str, dict[str, Any]]]

OLD = f"{ARCHIVE}sessions/"
WAYS_OUT = "go on with 'git ledger session resume', or end it with 'git ledger session archive'"


@dataclass(frozen=True)
class Kept:
    """A session as its log has it, and which ref that is."""

    session: Session
    log: logs.Log

    @property
    def live(self) -> bool:
        return self.log.ref.startswith(SESSIONS)


def live_ref(name: str) -> str:
    return f"{SESSIONS}{encode(name)}/log"


def old_ref(name: str) -> str:
    return f"{OLD}{encode(name)}/log"


def read_all(repo: Repository, *, archived: bool = True) -> list[Kept]:
    """Every session, the newest first. One that a crash left in both places counts once."""
    read = logs.read_all(repo, SESSIONS)
    old = logs.read_all(repo, OLD) if archived else {}
    whole = {**_kept(read.values()), **_kept(old.values())}
    return sorted(whole.values(), key=lambda one: one.session.created, reverse=True)


def _kept(found: Iterable[logs.Log]) -> dict[str, Kept]:
    kept = [Kept(fold(log.events, id_in(log.ref)), log) for log in found if log.events]
    return {one.session.session_id: one for one in kept if one.session.session_id}


def id_in(ref: str) -> str | None:
    """The id that a log's ref gives; None where it was too long to be kept in it."""
    return decode(ref.removesuffix("/log").rpartition("/")[2])


def active(repo: Repository) -> Kept | None:
    """The session that is going on, or waits to be archived."""
    kept = [one for one in read_all(repo, archived=False) if one.session.place != ARCHIVED]
    return kept[0] if kept else None


def need_active(repo: Repository) -> Kept:
    """Raises LedgerError where no session is active."""
    kept = active(repo)
    if kept is None:
        raise LedgerError("no session is active", "begin one with 'git ledger session start TOPIC'")
    return kept


def named(repo: Repository, name: str | None) -> Kept:
    """A session by its id or a unique prefix; the active one without a name.

    Raises LedgerError, naming the newest five, where there is none.
    """
    if name is None:
        return need_active(repo)
    kept = read_all(repo)
    for found in (
        [one for one in kept if one.session.session_id == name],
        [one for one in kept if one.session.session_id.startswith(name)],
    ):
        if len(found) == 1:
            return found[0]
    newest = ", ".join(one.session.session_id for one in kept[:5])
    return _no_such(name, newest)


def _no_such(name: str, newest: str) -> Kept:
    hint = f"the newest: {newest}" if newest else "there is none yet"
    raise LedgerError(f"no one session is meant by '{name}'", hint)


def change(repo: Repository, name: str, decide: Callable[[Session], Facts]) -> Session:
    """Write what `decide` says of the session as it is; the session afterwards.

    What no hook saw is recorded first, as by every command that writes. Raises what
    `decide` raises, and LedgerError for a session that is not live.
    """
    reconcile(repo)
    ref = live_ref(name)
    seen: list[logs.Log] = []

    def look(log: logs.Log) -> Facts:
        seen[:] = [log]
        if not log.events:
            raise LedgerError(f"session '{name}' is not live", "see 'git ledger session list'")
        return decide(fold(log.events, name))

    events = logs.append(repo, ref, look)
    return fold([*seen[0].events, *events], name)


def start(repo: Repository, task: str, fields: dict[str, Any]) -> Session:
    """Begin a session. Raises LedgerError while another one is not archived.

    One at a time: starts wait for each other, and what a killed archive left in
    the live place is moved first.
    """
    reconcile(repo)
    with held(repo, "sessions"):
        finish_moves(repo)
        other = active(repo)
        if other is not None:
            words = f"session '{other.session.session_id}' is active"
            raise LedgerError(words, WAYS_OUT)
        name = _free_id(repo, task)
        body = {"id": name, "task": task, "worktree_id": repo.worktree, **fields}
        events = logs.append(repo, live_ref(name), lambda _: [("session-started", body)])
    return fold(events)


def _free_id(repo: Repository, task: str) -> str:
    """`YYYY-MM-DD-<slug>`, numbered from 2 where an archived one has it already."""
    first = session_id(task, datetime.now(UTC).strftime("%Y-%m-%d"))
    names = [first, *(f"{first}-{number}" for number in range(2, 100))]
    taken = resolve(repo, [old_ref(one) for one in names])
    free = next((one for one, found in zip(names, taken, strict=True) if found is None), None)
    if free is None:
        raise LedgerError(f"every id that begins with '{first}' is taken", "choose another topic")
    return free


def finish_moves(repo: Repository) -> list[str]:
    """Move the logs of sessions that are archived but still in the live place; their ids."""
    kept = [one for one in read_all(repo, archived=False) if one.session.place == ARCHIVED]
    for one in kept:
        move_to_archive(repo, one.session.session_id)
    return [one.session.session_id for one in kept]


def move_to_archive(repo: Repository, name: str) -> None:
    move(repo, live_ref(name).removesuffix("log"), old_ref(name).removesuffix("log"))


def is_live(repo: Repository, name: str) -> bool:
    """Whether the live place has a log of that name, whatever the archive has."""
    return resolve(repo, [live_ref(name)])[0] is not None
