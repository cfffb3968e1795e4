"""Folded states kept between runs, by the id of the log's blob. Never the truth.

A state is a pure function of its blob, so an entry cannot be stale: a log that has
grown has another id. Deleted, damaged or of another version, the file is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import sys
from typing import TYPE_CHECKING, Any

from gitledger.model.agent import Agent
from gitledger.store.places import place, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.repository import Repository

VERSION = 2  # raised whenever the fold or the fields of an agent change their meaning
FILE, ARCHIVE_FILE = "agents.cache", "archived-agents.cache"
WORTH = 32  # states that were not in it: fewer are folded faster than the file is written

# A cache of another set of fields, or of another Python, is another cache: marshal,
# which reads 2,000 states in a quarter of the time of JSON, promises nothing across.
_KIND = f"{' '.join(Agent._fields)} {sys.version}"
_HEAD = f"{VERSION} {hashlib.blake2b(_KIND.encode(), digest_size=8).hexdigest()}"


def load(repo: Repository, name: str) -> dict[str, Agent]:
    """Blob id to agent; empty where there is no cache that can be believed."""
    try:
        with open(place(repo, name), "rb") as file:
            head, _, body = file.read().partition(b"\n")
    except OSError:
        return {}
    if head.decode("ascii", "replace") != f"{_HEAD} {_digest(body)}":
        return {}
    try:
        return {oid: Agent(**told) for oid, told in marshal.loads(body).items()}  # noqa: S302
    except (ValueError, TypeError, AttributeError, EOFError):
        return {}


def save(repo: Repository, name: str, states: Mapping[str, Agent]) -> None:
    """Keep the states, those whose fold left nothing to say. Where it can't be written, not."""
    sound = {oid: _told(one) for oid, one in states.items() if not one.faults}
    with contextlib.suppress(OSError, ValueError):  # ValueError: deeper than marshal goes
        body = marshal.dumps(sound)
        write_whole(place(repo, name), f"{_HEAD} {_digest(body)}\n".encode() + body)


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def _told(agent: Agent) -> dict[str, Any]:
    """The fields that are not at their default."""
    usual = Agent._field_defaults
    values = zip(Agent._fields, agent, strict=True)
    return {name: value for name, value in values if name not in usual or value != usual[name]}
