"""One fact, one line of JSON, one id.

The id of an event is the hash that git would give a blob of the line without its
newline, in the repository's hash: any program can compute it, `git hash-object`
included. Source: DESIGN section 2.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.model.names import object_name

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = 1


class Event(NamedTuple):
    """A fact as it was written: `line` is the truth, the rest is read from it."""

    id: str
    line: bytes
    kind: str
    at: str
    prev: tuple[str, ...]
    body: dict[str, Any]


class Broken(NamedTuple):
    """A line that is no event, by its place (counted from 1) and what is wrong with it."""

    number: int
    line: bytes
    why: str


def event_id(line: bytes, hash_name: str = "sha1") -> str:
    """The id of a line: git's blob hash of it."""
    return object_name(hash_name, "blob", line)


def now() -> str:
    """UTC with microseconds and `Z`, as every event has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def make_line(kind: str, prev: Iterable[str], body: dict[str, Any], at: str | None = None) -> bytes:
    r"""A new event as one line without newline, in ASCII: odd bytes are `\udcXX` escapes.

    Every event has a nonce of its own, so that no two are one.
    """
    record = {"v": VERSION, "kind": kind, "at": at or now(), "prev": list(prev)}
    from secrets import token_hex  # readers do without

    record["nonce"] = token_hex(8)
    return json.dumps({**record, **body}, separators=(",", ":")).encode()


def read_line(line: bytes, number: int, hash_name: str = "sha1") -> Event | Broken:
    """A line as an event, or as what is wrong with it. Unknown keys and kinds are kept."""
    try:
        body = json.loads(line)
    except ValueError as error:
        return Broken(number, line, f"not JSON: {error}")
    fault = _fault(body)
    if fault:
        return Broken(number, line, fault)
    return Event(
        event_id(line, hash_name), line, body["kind"], body["at"], tuple(body["prev"]), body
    )


def _fault(body: Any) -> str | None:
    if not isinstance(body, dict):
        return "not a JSON object"
    for key, kind in (("kind", str), ("at", str), ("prev", list), ("v", int)):
        if not isinstance(body.get(key), kind):
            return f"field '{key}' is missing or not a {kind.__name__}"
    if body["v"] > VERSION:
        return f"written by a newer version (v {body['v']})"
    if not all(isinstance(one, str) for one in body["prev"]):
        return "field 'prev' holds something other than ids"
    return None


def read_log(data: bytes, hash_name: str = "sha1") -> tuple[list[Event], list[Broken]]:
    """Every line of a log, in the order in which they stand."""
    read = [
        read_line(line, number, hash_name)
        for number, line in enumerate(data.split(b"\n"), 1)
        if line
    ]
    events = [one for one in read if isinstance(one, Event)]
    return events, [one for one in read if isinstance(one, Broken)]


def last_ids(events: Iterable[Event]) -> tuple[str, ...]:
    """The ids that nothing names as its `prev`: what a new event comes after."""
    ordered = list(events)
    named = {one for event in ordered for one in event.prev}
    return tuple(event.id for event in ordered if event.id not in named)
