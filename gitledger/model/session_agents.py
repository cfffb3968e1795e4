"""What a session's agents add to it: names, files, usage. Pure."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from gitledger.model.phase import Phase, with_files
from gitledger.model.session import Session, Share, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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
    return replace(session, by_agent=by_agent, phases=phases, shares=tuple(ordered))


def _with_shares(phase: Phase, shares: list[Share]) -> Phase:
    names = tuple(dict.fromkeys((*phase.agents, *(one.name for one in shares))))
    ids = tuple(dict.fromkeys((*phase.agent_ids, *(one.id for one in shares))))
    grown = replace(phase, agents=names, agent_ids=ids)
    for one in shares:
        grown = with_files(grown, one.files)
    return grown


def share_document(share: Share) -> dict[str, Any]:
    """A share as JSON values, and `make_share` back."""
    files = {kind: list(paths) for kind, paths in share.files.items()}
    return {**asdict(share), "files": files, "checks": [dict(one) for one in share.checks]}


def make_share(told: Mapping[str, Any]) -> Share:
    files = {kind: tuple(paths) for kind, paths in told["files"].items()}
    known = {**told, "usage": Usage(**told["usage"]), "files": files}
    return Share(**{**known, "checks": tuple(told["checks"])})
