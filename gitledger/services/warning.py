"""The warnings beside a forecast, each with its evidence. Source: DESIGN section 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.model.warnings import Notice, about_sorts, below_removed, stale_base, twins

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.repository import Repository
    from gitledger.services.question import Facts, Forecast
    from gitledger.services.target import Target

_NO_TARGET = "the target has no commit: compared with the other agents alone"


def warnings(
    repo: Repository, target: Target | None, forecast: Forecast, integrated: Mapping[str, str]
) -> list[Notice]:
    """All of them, by agent and kind."""
    name = target.name if target else "the target"
    found = [
        Notice(one, "squash-merged", f"already in {name} as {commit}")
        for one, commit in integrated.items()
    ]
    for one in forecast.facts:
        found += _of(one, name)
    if target is None:
        found += [Notice(one.side.id, "no-target", _NO_TARGET) for one in forecast.facts]
    found += about_sorts(forecast.pairs, name)
    found += _between(forecast.facts)
    found += _twins(repo, target, forecast.facts)
    return sorted(found, key=lambda one: (one.agent, one.kind, one.message))


def _of(facts: Facts, target: str) -> list[Notice]:
    """What one side and the target give rise to."""
    agent = facts.side.id
    found = [Notice(agent, "not-looked-at", facts.note)] if facts.note else []
    found += stale_base(agent, facts.undone, target)
    if facts.own and facts.met:
        found += below_removed(agent, facts.own, facts.met, target)
    return found


def _between(sides: Iterable[Facts]) -> list[Notice]:
    """Files that one side adds below a directory that another, of the same base, removed."""
    whole = [one for one in sides if one.own]
    removing = [one for one in whole if one.own and one.own.gone_directories]
    return [
        notice
        for other in removing
        for one in whole
        if one is not other and one.base == other.base and one.own and other.own
        for notice in below_removed(one.side.id, one.own, other.own, other.side.id)
    ]


def _twins(repo: Repository, target: Target | None, sides: Iterable[Facts]) -> list[Notice]:
    created = {
        one.side.id: [path for change, path in one.files if change == "created"] for one in sides
    }
    created = {agent: paths for agent, paths in created.items() if paths}
    return twins(created, _names(repo, target)) if created else []


def _names(repo: Repository, target: Target | None) -> list[str]:
    if target is None or target.oid is None:
        return []
    done = repo.git.try_run("ls-tree", "-r", "-z", "--full-tree", "--name-only", target.oid)
    return [text(one) for one in done.records]
