"""The warnings beside a forecast, each with its evidence. Source: DESIGN section 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.model.warnings import (
    Notice,
    about_sorts,
    below_removed,
    stale_base,
    twins,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.repository import Repository
    from gitledger.services.aim import Aims
    from gitledger.services.question import Facts, Forecast
    from gitledger.services.squashed import Integrated

_NO_TARGET = "the target has no commit: compared with the other agents alone"


def warnings(
    repo: Repository, aims: Aims, forecast: Forecast, integrated: Mapping[str, Integrated]
) -> list[Notice]:
    """All of them, by agent and kind."""
    found = [
        Notice(name, "squash-merged", _in_already(one, aims.name(name) or ""))
        for name, one in integrated.items()
        if not one.merged
    ]
    for one in forecast.facts:
        target = aims.name(one.side.id)
        found += _of(one, target or "the target")
        found += [] if target else [Notice(one.side.id, "no-target", _NO_TARGET)]
    for pair in forecast.pairs:
        found += about_sorts(pair, pair.b or aims.name(pair.a) or "")
    found += _between(forecast.facts)
    found += _twins(repo, aims, forecast.facts)
    return sorted(found, key=lambda one: (one.agent, one.kind, one.message))


def _in_already(one: Integrated, target: str) -> str:
    if one.whole:
        return f"already in {target} as {one.commit}"
    count = len(one.left)
    what = "1 commit," if count == 1 else f"{count} commits, the newest"
    return f"already in {target} as {one.commit}, but for {what} {one.left[-1][:12]}"


def _of(facts: Facts, target: str) -> list[Notice]:
    """What one side and the target give rise to."""
    agent = facts.side.id
    found = [Notice(agent, "not-looked-at", facts.note)] if facts.note else []
    found += stale_base(agent, facts.undone, target)
    if facts.own and facts.met:
        found += below_removed(agent, facts.own, facts.met, target)
    return found


def _between(sides: Iterable[Facts]) -> list[Notice]:
    """Files that one side adds below a directory that another removed, wherever they began."""
    whole = [(one.side.id, one.own) for one in sides if one.own]
    removing = [(name, own) for name, own in whole if own.gone_directories]
    return [
        notice
        for other, theirs in removing
        for name, own in whole
        if name != other
        for notice in below_removed(name, own, theirs, other)
    ]


def _twins(repo: Repository, aims: Aims, sides: Iterable[Facts]) -> list[Notice]:
    """Of files that a side adds: beside what its target has, and what the others add."""
    created = {
        one.side.id: [path for change, path in one.files if change == "created"] for one in sides
    }
    created = {agent: paths for agent, paths in created.items() if paths}
    by_target: dict[str | None, list[str]] = {}
    for agent in created:
        target = aims.of(agent)
        by_target.setdefault(target.oid if target else None, []).append(agent)
    return twins(created, [(agents, _names(repo, oid)) for oid, agents in by_target.items()])


def _names(repo: Repository, commit: str | None) -> list[str]:
    if commit is None:
        return []
    done = repo.git.try_run("ls-tree", "-r", "-z", "--full-tree", "--name-only", commit)
    return [text(one) for one in done.records]
