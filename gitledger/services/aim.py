"""What each agent's work is merged into: its own target, where it has another than the rest.

Source: DESIGN section 4. The target is `--onto`, else the agent's recorded one, else
`ledger.target`, else the branch of the main worktree.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import LedgerError
from gitledger.services.question import Goal, Side
from gitledger.services.target import Target, default_name, short, targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.worktrees import Worktree
    from gitledger.services.live import LiveAgent, View


class Aims(NamedTuple):
    """The target of a whole question, None where there is none; and of those with another.

    One that was named and is no commit (its branch was deleted) has no id.
    """

    default: Target | None
    own: Mapping[str, Target | None] = MappingProxyType({})

    def of(self, side: str) -> Target | None:
        return self.own.get(side, self.default)

    def name(self, side: str) -> str | None:
        target = self.of(side)
        return target.name if target else None


def target_of(view: View, onto: str | None, agent: LiveAgent | None = None) -> Target:
    """`--onto`, else the agent's, else `ledger.target`, else the main worktree's branch.

    The agent's own may be no commit (any more). Raises LedgerError where another is
    none, or there is no target at all.
    """
    recorded = agent.agent.target if agent and not onto else None
    if recorded:
        return targets(view.repo, [recorded])[recorded]
    name = onto or default_name(view.repo, view.worktrees)
    if name is None:
        raise LedgerError("no branch to merge into", "name one with '--onto'")
    found = targets(view.repo, [name])[name]
    if found.oid is None:
        raise LedgerError(f"'{name}' is not a commit", "name a branch or a commit with '--onto'")
    return found


def aims_of(view: View, agents: Sequence[LiveAgent], onto: str | None) -> Aims:
    """The target of most, and those of the agents that have another.

    The first is None where none was named and the default one has no commit yet.
    Raises LedgerError where `onto` is no commit.
    """
    if onto:
        return Aims(target_of(view, onto))
    usual = default_name(view.repo, view.worktrees)
    found = targets(view.repo, [usual, *(one.agent.target for one in agents)])
    default = found[usual] if usual and found[usual].oid else None
    return Aims(default, _others(found, agents, usual, usual))


def aims_beside(view: View, target: Target, agents: Sequence[LiveAgent], onto: str | None) -> Aims:
    """One side's target, and those of the agents beside it. With `onto` all have that one."""
    if onto or not agents:
        return Aims(target)
    usual = default_name(view.repo, view.worktrees)
    found = targets(view.repo, [usual, *(one.agent.target for one in agents)])
    return Aims(target, _others(found, agents, usual, target.name))


def _others(
    found: Mapping[str, Target], agents: Iterable[LiveAgent], usual: str | None, held: str | None
) -> dict[str, Target | None]:
    """The targets of the agents that are not merged into the one that is `held`."""
    names = {one.id: one.agent.target or usual for one in agents}
    same = short(held or "")
    return {
        one: found[name] if name else None
        for one, name in names.items()
        if short(name or "") != same
    }


def side_of(one: LiveAgent) -> Side:
    return Side(one.id, one.tip, one.branch, one.worktree, one.agent.spawn_commit)


def goal_of(view: View, target: Target | None) -> Goal:
    if target is not None and target.oid is None:
        return Goal(lost=f"its target '{target.name}' is not a commit")
    return Goal(target.oid if target else None, home_of(view, target))


def home_of(view: View, target: Target | None) -> Worktree | None:
    """The worktree where the target is checked out: there it is merged into.

    Of `HEAD` it is the one where that was asked.
    """
    name = target.name if target else None
    if name == "HEAD":
        name = f"{view.repo.worktree}/HEAD"
    return next((one for one in view.worktrees if name in {one.branch, one.head_ref()}), None)


def is_target(one: LiveAgent, target: Target | None) -> bool:
    """A worktree that holds the target's branch is where work is merged."""
    return target is not None and one.branch == target.name
