"""Groups, dependencies and who goes first: pure rules over agents. Source: REQUIREMENTS 1, 2."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.model.lifecycle import COMPLETED, FAILED, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.model.agent import Agent

MAX_ENTRIES = 50
AUTO, NEW = "auto", "new"
GROUPED_BY = ("phase", "plan", "granularity")
_PLAN_REFERENCE = re.compile(r"^(\d[\w.]*)-(\d[\w.]*)$")


def group_name(
    wanted: str, agents: Iterable[Agent], fields: Mapping[str, str | None], *, now: int
) -> str:
    """`auto` joins the newest open group of that phase and plan, `new` makes one; else as given.

    A group is open while one of its agents has not ended. `now` is Unix seconds;
    of the fields phase, plan and granularity count.
    Raises LedgerError where a name can't be made: no phase, or tasks without plan.
    """
    if wanted not in {AUTO, NEW}:
        return wanted
    prefix = _prefix(*(fields.get(name) for name in GROUPED_BY))
    taken = [one for one in agents if one.group and _stamp(one.group, prefix) is not None]
    if wanted == AUTO:
        open_ones = {one.group for one in taken if one.group and not one.ended}
        newest = max(open_ones, key=lambda name: _stamp(name, prefix) or 0, default=None)
        if newest:
            return newest
    stamps = {_stamp(one.group or "", prefix) for one in taken}
    while now in stamps:
        now += 1
    return f"{prefix}{now}"


def _prefix(phase: str | None, plan: str | None, granularity: str | None) -> str:
    if phase is None:
        raise LedgerError("a group needs a phase", "give '--phase', or name the group")
    if granularity != "task_group":
        return f"phase-{phase}-batch-"
    if plan is None:
        raise LedgerError("a group of tasks needs a plan", "give '--plan', or name the group")
    return f"plan-{phase}-{plan}-tasks-batch-"


def _stamp(name: str, prefix: str) -> int | None:
    """The Unix time at the end of a group's name, None for another group's."""
    rest = name.removeprefix(prefix)
    return int(rest) if rest != name and rest.isdigit() else None


def meant_by(reference: str, agents: Mapping[str, Agent]) -> list[Agent]:
    """The agents that a dependency names: an id, or all of a plan (`02-01`)."""
    if reference in agents:
        return [agents[reference]]
    found = _PLAN_REFERENCE.match(reference)
    if found is None:
        return []
    return [one for one in agents.values() if (one.phase, one.plan) == found.groups()]


def unfinished(agent: Agent, agents: Mapping[str, Agent]) -> list[str]:
    """The dependencies that are not completed, a plan that nobody has begun included.

    Of a plan it is enough that what was not given up is completed.
    """
    return [one for one in agent.depends_on if not _is_done(meant_by(one, agents))]


def _is_done(meant: Sequence[Agent]) -> bool:
    counted = [one for one in meant if one.status != FAILED or len(meant) == 1]
    return bool(counted) and all(one.status == COMPLETED for one in counted)


def check_dependencies(
    agent_id: str, references: Sequence[str], agents: Mapping[str, Agent]
) -> None:
    """Raises LedgerError for one that names nothing, the agent itself, or goes in a circle."""
    for reference in references:
        if reference == agent_id:
            raise LedgerError(f"'{agent_id}' cannot depend on itself")
        if not meant_by(reference, agents) and not _PLAN_REFERENCE.match(reference):
            raise LedgerError(
                f"unknown dependency '{reference}'", "name an agent's id or a plan, as in 02-01"
            )
    _refuse_circle(agent_id, references, agents)


def _refuse_circle(agent_id: str, references: Sequence[str], agents: Mapping[str, Agent]) -> None:
    waiting = [(agent_id, one) for one in references]
    seen: set[str] = set()
    while waiting:
        before, reference = waiting.pop()
        for one in meant_by(reference, agents):
            if one.id == agent_id:
                raise LedgerError(f"'{agent_id}' and '{before}' would wait for each other")
            if one.id not in seen:
                seen.add(one.id)
                waiting += [(one.id, each) for each in one.depends_on]


def to_prune(agents: Sequence[Agent], most: int = MAX_ENTRIES) -> list[Agent]:
    """What is over `most` records: the oldest completed first, then the oldest failed.

    What is not terminal never goes. By the time of their end, then by id.
    """
    over = len(agents) - most
    ended = sorted(
        (one for one in agents if one.status in TERMINAL),
        key=lambda one: (one.status == FAILED, one.completed_at or "", one.id),
    )
    return ended[: max(over, 0)]
