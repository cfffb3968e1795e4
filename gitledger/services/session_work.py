"""A session with its agents' work in it: seen, and a phase ended with it.

Source: REQUIREMENTS section 5: manifests come from git, context from the handoff.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.contracts.downstream import read_context
from gitledger.model.lifecycle import TERMINAL
from gitledger.model.phase import MANIFEST
from gitledger.model.session import ARCHIVED, Session, all_completed
from gitledger.model.session_agents import joined
from gitledger.services import sessions
from gitledger.services.session_phases import Step, Trouble, step
from gitledger.services.session_shares import claim, shares

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.model.session import Share


def view(repo: Repository, name: str | None) -> Session:
    """A session as it is now, its agents' names, files and usage included."""
    return with_agents(repo, sessions.named(repo, name))


def with_agents(repo: Repository, kept: sessions.Kept) -> Session:
    if kept.session.frozen:
        return kept.session
    return joined(kept.session, shares(repo, kept))


@dataclass(frozen=True)
class Ended:
    """A session after the end of a phase; `to_archive` when nothing is left to be done.

    `going_on` are the ids of the phase's agents that have not ended.
    """

    session: Session
    to_archive: bool
    going_on: list[str]


def complete(repo: Repository, kept: sessions.Kept, key: str, context: str | None = None) -> Ended:
    """Complete a phase, with the manifest from git and the context from a handoff report."""
    claim(repo, kept)
    found = [one for one in shares(repo, kept) if one.phase == key]
    body: dict[str, Any] = {**manifest(found, key)}
    if context is not None:
        body["downstream_context"] = read_context(context)
    session = step(repo, kept.session.session_id, Step("complete", key, body))
    going_on = [one.id for one in found if one.status not in TERMINAL]
    return Ended(session, all_completed(session) and session.place != ARCHIVED, going_on)


def fail(repo: Repository, kept: sessions.Kept, key: str, trouble: Trouble) -> Session:
    """Let a phase fail, with its error and what was done until then."""
    body = {"error": trouble.body()}
    claim(repo, kept)
    work = manifest(shares(repo, kept), key)
    return step(repo, kept.session.session_id, Step("fail", key, {**body, **work}))


def manifest(found: Iterable[Share], key: str) -> dict[str, list[str]]:
    """The paths that a phase's agents changed, by kind; a kind without any is left out."""
    grown: dict[str, list[str]] = {}
    for share in found:
        if share.phase == key:
            for kind in MANIFEST:
                grown.setdefault(kind, []).extend(share.files.get(kind, ()))
    return {kind: list(dict.fromkeys(paths)) for kind, paths in grown.items() if paths}
