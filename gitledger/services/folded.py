"""Every agent's state, folded from its log: the one place that decides how it is had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.model.agent import Agent, fold
from gitledger.model.names import AGENTS, decode
from gitledger.store import logs

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.model.event import Broken


@dataclass(frozen=True, slots=True)
class Folded:
    """A log's state: the blob that it was read from, the agent in it, what could not be read."""

    oid: str | None
    agent: Agent | None
    broken: tuple[Broken, ...]


def folded(repo: Repository, prefix: str = AGENTS) -> dict[str, Folded]:
    """The state of every log under a prefix, by its ref."""
    return {ref: _folded(ref, log) for ref, log in logs.read_all(repo, prefix).items()}


def folded_one(repo: Repository, ref: str) -> Folded:
    """The state of one log; without an agent where there is no such log."""
    return _folded(ref, logs.read(repo, ref))


def _folded(ref: str, log: logs.Log) -> Folded:
    return Folded(log.oid, fold(log.events, id_in(ref)), tuple(log.broken))


def id_in(log_ref: str) -> str | None:
    """The id that a log's ref gives; None where it was too long to be kept in it."""
    return decode(log_ref.removesuffix("/log").rpartition("/")[2])
