"""Logs: read in one batch, appended to by compare-and-swap. Source: DESIGN section 2."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.git.objects import read_objects, write_blob
from gitledger.git.refs import Update, list_refs, retry, update
from gitledger.model.event import Broken, Event, last_ids, make_line, read_line, read_log
from gitledger.model.names import AGENTS
from gitledger.store.payloads import LARGEST, with_payload_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gitledger.git.repository import Repository

    Facts = list[tuple[str, dict[str, Any]]]


class Log(NamedTuple):
    """A log as it was read. `oid` is the id of its blob, None where there is no log yet."""

    ref: str
    oid: str | None
    content: bytes
    events: list[Event]
    broken: list[Broken]


def read(repo: Repository, ref: str) -> Log:
    """One log, empty where the ref does not exist."""
    return _read_named(repo, [(ref, ref)])[0]


def read_all(repo: Repository, prefix: str = AGENTS) -> dict[str, Log]:
    """Every log under a prefix, by its ref: one listing and one batch of blobs."""
    refs = list_refs(repo, prefix)
    return read_at(repo, {ref: oid for ref, oid in refs.items() if ref.endswith("/log")})


def read_at(repo: Repository, refs: Mapping[str, str]) -> dict[str, Log]:
    """Logs as they were listed, by ref and blob: what has been appended since is not in them."""
    return {log.ref: log for log in _read_named(repo, list(refs.items()))}


def _read_named(repo: Repository, wanted: list[tuple[str, str]]) -> list[Log]:
    logs = []
    found = read_objects(repo, [name for _, name in wanted])
    for (ref, _), blob in zip(wanted, found, strict=True):
        content = blob.content if blob else b""
        events, broken = read_log(content, repo.hash_name)
        logs.append(Log(ref, blob.oid if blob else None, content, events, broken))
    return _with_payloads(repo, logs)


def _with_payloads(repo: Repository, logs: list[Log]) -> list[Log]:
    """Put what was stored apart back into the events that name it: one batch, if any."""
    apart = [e.body["payload"] for log in logs for e in log.events if "payload" in e.body]
    ids = [one for one in apart if isinstance(one, str)]
    if not ids:
        return logs
    blobs = dict(zip(ids, read_objects(repo, ids), strict=True))
    parts = {one: json.loads(blob.content) for one, blob in blobs.items() if blob}
    return [log._replace(events=[_joined(e, parts) for e in log.events]) for log in logs]


def _joined(event: Event, parts: dict[str, dict[str, Any]]) -> Event:
    part = parts.get(str(event.body.get("payload")))
    return event if part is None else event._replace(body={**event.body, **part})


def line_numbers(log: Log) -> dict[str, int]:
    """Event id to the number of its first line, counted from 1."""
    first: dict[bytes, int] = {}
    for number, line in enumerate(log.content.split(b"\n"), 1):
        first.setdefault(line, number)
    return {event.id: first.get(event.line, 0) for event in log.events}


def append(
    repo: Repository,
    ref: str,
    decide: Callable[[Log], Facts],
    also: Callable[[Log, list[Event]], Iterable[Update]] | None = None,
) -> list[Event]:
    """Append what `decide` says of the log as it is, together with `also`'s refs, or nothing.

    `decide` is asked again after every lost race, so what it checks holds when
    the event is written; what it raises stops everything. Raises Contended when
    the ref stays locked, GitError when the repository cannot be written.
    """

    def attempt() -> list[Event]:
        log = read(repo, ref)
        facts = decide(log)
        return _swap(repo, log, facts, also) if facts else []

    return retry(f"'{ref}'", attempt)


def _swap(
    repo: Repository,
    log: Log,
    facts: Facts,
    also: Callable[[Log, list[Event]], Iterable[Update]] | None,
) -> list[Event]:
    events, apart = _new_events(repo, log, facts)
    whole = log.content if not log.content or log.content.endswith(b"\n") else log.content + b"\n"
    blob = write_blob(repo, whole + b"".join(event.line + b"\n" for event in events))
    more = also(log, events) if also else ()
    update(repo, [Update(log.ref, blob, log.oid), *apart, *more])
    return events


def _new_events(repo: Repository, log: Log, facts: Facts) -> tuple[list[Event], list[Update]]:
    prev, events, payloads = last_ids(log.events), [], {}
    for kind, body in facts:
        line = make_line(kind, prev, body)
        if len(line) > LARGEST:
            small, payload = with_payload_apart(repo, body)
            line = make_line(kind, prev, small)
            payloads[line] = payload
        event = read_line(line, 0, repo.hash_name)
        if isinstance(event, Broken):
            raise TypeError(event.why)
        events.append(event._replace(body={**event.body, **body}))
        prev = (event.id,)
    named = {event.id: payloads[event.line] for event in events if event.line in payloads}
    return events, _payload_updates(repo, log.ref, named)


def _payload_updates(repo: Repository, ref: str, named: dict[str, str]) -> list[Update]:
    from gitledger.store.payloads import grown_tree

    return [grown_tree(repo, ref.removesuffix("log") + "files", named)] if named else []
