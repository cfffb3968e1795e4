"""Every agent's state, folded from its log: the one place that decides how it is had."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.refs import list_refs
from gitledger.model.agent import Agent, fold
from gitledger.model.names import AGENTS, decode
from gitledger.services import folded_cache
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.repository import Repository
    from gitledger.model.event import Broken


class Folded(NamedTuple):
    """A log's state: the blob that it was read from, the agent in it, what could not be read."""

    oid: str | None
    agent: Agent | None
    broken: tuple[Broken, ...]


def folded(repo: Repository, prefix: str = AGENTS) -> dict[str, Folded]:
    """The state of every log under a prefix, by its ref; folded before or now."""
    file = folded_cache.FILE if prefix == AGENTS else folded_cache.ARCHIVE_FILE
    return folded_at(repo, list_refs(repo, prefix), file)


def folded_at(
    repo: Repository, refs: Mapping[str, str], file: str = folded_cache.FILE
) -> dict[str, Folded]:
    """As `folded`, of refs that were listed already; those that are no logs are passed over."""
    wanted = {ref: oid for ref, oid in refs.items() if ref.endswith("/log")}
    known = folded_cache.load(repo, file) if len(wanted) >= folded_cache.WORTH else {}
    fresh = {ref: oid for ref, oid in wanted.items() if oid not in known}
    read = {ref: _folded(ref, log) for ref, log in logs.read_at(repo, fresh).items()}
    if len(fresh) >= folded_cache.WORTH:
        kept = {oid: known[oid] for oid in wanted.values() if oid in known}
        folded_cache.save(repo, file, {**kept, **_sound(read.values())})
    return {ref: read.get(ref) or Folded(oid, known[oid], ()) for ref, oid in wanted.items()}


def _sound(read: Iterable[Folded]) -> dict[str, Agent]:
    """What may be kept: where every line was read."""
    return {one.oid: one.agent for one in read if one.oid and one.agent and not one.broken}


def folded_one(repo: Repository, ref: str) -> Folded:
    """The state of one log; without an agent where there is no such log."""
    return _folded(ref, logs.read(repo, ref))


def _folded(ref: str, log: logs.Log) -> Folded:
    return Folded(log.oid, fold(log.events, id_in(ref)), tuple(log.broken))


def id_in(log_ref: str) -> str | None:
    """The id that a log's ref gives; None where it was too long to be kept in it."""
    return decode(log_ref.removesuffix("/log").rpartition("/")[2])
