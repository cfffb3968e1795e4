"""What a session's agents add to it: names, files, usage. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gitledger.model.phase import Phase, with_files
from gitledger.model.session import Session, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Share:
    """One agent's share in a session. `name` is its role, else its id.

    `files` has the paths of its own changes by kind (`files_created`, …);
    `checks` are its configured checks with the exit code of their last run.
    """

    id: str
    name: str
    phase: str | None
    status: str
    summary: str = ""
    usage: Usage = field(default_factory=Usage)
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    checks: tuple[Mapping[str, Any], ...] = ()


def joined(session: Session, shares: Iterable[Share]) -> Session:
    """The session with its agents' shares; one that holds them already stays as it is."""
    if session.frozen:
        return session
    ordered = list(shares)
    by_agent = dict(session.by_agent)
    for one in ordered:
        if one.usage != Usage():
            by_agent[one.name] = by_agent.get(one.name, Usage()) + one.usage
    phases = tuple(
        _with_shares(phase, [one for one in ordered if one.phase == phase.key])
        for phase in session.phases
    )
    return replace(session, by_agent=by_agent, phases=phases)


def _with_shares(phase: Phase, shares: list[Share]) -> Phase:
    names = tuple(dict.fromkeys((*phase.agents, *(one.name for one in shares))))
    ids = tuple(dict.fromkeys((*phase.agent_ids, *(one.id for one in shares))))
    grown = replace(phase, agents=names, agent_ids=ids)
    for one in shares:
        grown = with_files(grown, one.files)
    return grown
