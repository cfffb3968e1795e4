"""Every log, live and archived, walked: each line there, unchanged, and allowed.

An event is named by its hash in the ones that come after it, so a changed or missing
line leaves a name that nothing bears. What is cut off at the end shows only against
another copy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitledger.model import agent as agents
from gitledger.model import session_fold as sessions
from gitledger.model.names import AGENTS, ARCHIVE, SESSIONS
from gitledger.model.rederived import DIFFERS, NOT_DERIVABLE, words
from gitledger.services.folded import id_in
from gitledger.services.verdicts import derive_again
from gitledger.services.verify_refs import ref_faults
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitledger.git.repository import Repository
    from gitledger.services.verdicts import Verdict

SHORT = 12  # characters of an event's id, as in other tools' output
PLACES = (AGENTS, SESSIONS, f"{ARCHIVE}agents/", f"{ARCHIVE}sessions/")


@dataclass(frozen=True)
class Fault:
    """What is wrong with a ref; `line` counts from 1 and is absent for the ref as a whole."""

    ref: str
    what: str
    line: int | None = None


@dataclass
class Verified:
    """How much was walked, and every fault in it; `unsure` is what can't be told."""

    logs: int = 0
    events: int = 0
    notes: int = 0
    faults: list[Fault] = field(default_factory=list)
    unsure: list[Fault] = field(default_factory=list)
    verdicts: list[Verdict] | None = None


def verify(repo: Repository, tell: Callable[[int, int], None] | None = None) -> Verified:
    """Walk everything that is recorded. Writes nothing.

    With `tell` every verdict is derived again too, and it hears how far that is.
    """
    found = Verified()
    read: dict[str, logs.Log] = {}
    for place in PLACES:
        read |= logs.read_all(repo, place)
    for ref, log in read.items():
        found.logs += 1
        found.events += len(log.events)
        found.faults += [Fault(ref, one.why, one.number) for one in log.broken]
        found.faults += [Fault(ref, what, line) for what, line in _chain(log)]
        found.faults += [Fault(ref, what) for what in _told(ref, log)]
    counted, faults = ref_faults(repo, read)
    found.notes = counted
    found.faults += [Fault(ref, what) for ref, what in faults]
    if tell:
        found.verdicts = derive_again(repo, read, tell)
        told = [(one.found.status, _told_of(one)) for one in found.verdicts]
        found.faults += [fault for status, fault in told if status == DIFFERS]
        found.unsure += [fault for status, fault in told if status == NOT_DERIVABLE]
    return found


def _told_of(verdict: Verdict) -> Fault:
    one = verdict.recorded
    named = f"event {one.event.id[:SHORT]} of '{one.agent}'"
    return Fault(one.ref, f"{named}: {words(verdict.found)}", one.line)


def _chain(log: logs.Log) -> Iterator[tuple[str, int | None]]:
    """Faults of the graph that the lines make."""
    numbers = logs.line_numbers(log)
    there = {event.id for event in log.events}
    for one, count in Counter(event.id for event in log.events).items():
        if count > 1:
            yield f"event {one[:SHORT]} is there {count} times", numbers[one]
    for event in log.events:
        for before in event.prev:
            if before not in there:
                what = f"it comes after {before[:SHORT]}, which is changed or missing"
                yield what, numbers[event.id]
    for event in [event for event in log.events if not event.prev][1:]:
        yield "a second beginning", numbers[event.id]
    if log.content and not log.content.endswith(b"\n"):
        yield "the last line is cut off", log.content.count(b"\n") + 1


def _told(ref: str, log: logs.Log) -> Iterator[str]:
    """Faults of the state that the events make, and an id that its ref does not fit."""
    if not log.events:
        if not log.broken:
            yield "the log is empty"
        return
    if "/sessions/" in ref:
        session = sessions.fold(log.events)
        named, faults = session.session_id, session.faults
    else:
        agent = agents.fold(log.events, id_in(ref))
        named, faults = (agent.id, agent.faults) if agent else ("", ())
    if not named:
        yield "no event says what begins here"
    known = id_in(ref)
    if named and known is not None and known != named:
        yield f"it is the log of '{named}'"
    for one, why in faults:
        yield f"event {one[:SHORT]}: {why}"
