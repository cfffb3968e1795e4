"""Taking up again what was cut off: the brief and the drift first, then anything is written.

Source: REQUIREMENTS section 2, "Resume".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError, Refused
from gitledger.git.commits import subjects
from gitledger.model.lifecycle import COMPLETED, INTERRUPTED, QUEUED, RUNNING, check
from gitledger.services.drift import Drift, drift
from gitledger.services.find import find, here, newest_first
from gitledger.services.interruption import evidence, is_dead, newer_trace
from gitledger.services.lifecycle import Step, write
from gitledger.services.recreate import Place, recreate
from gitledger.services.work import Own, own_changes
from gitledger.store import pointers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.model.agent import Agent
    from gitledger.services.live import LiveAgent, View


@dataclass(frozen=True)
class Brief:
    """What there is to know before an agent is taken up again. Nothing is written yet.

    `evidence` is what proves that a running one was cut off; `doubt` says why it may
    still be at work. `commits` are (id, subject), the oldest first.
    """

    one: LiveAgent
    own: Own
    evidence: list[str]
    doubt: str | None
    drift: list[Drift]
    uncommitted: list[str]
    commits: list[tuple[str, str]] = field(default_factory=list)

    @property
    def agent(self) -> Agent:
        return self.one.agent

    @property
    def worktree_gone(self) -> bool:
        tree = self.one.worktree
        return self.agent.worktree_id is not None and (tree is None or not tree.present)

    @property
    def questions(self) -> list[str]:
        """What a person has to say yes to."""
        asked = [self.doubt] if self.doubt else []
        if self.drift:
            paths = ", ".join(f"{one.path} (by {one.by})" for one in self.drift)
            asked.append(f"its files changed on the target since it was spawned: {paths}")
        return asked


def chosen(view: View, name: str | None) -> LiveAgent:
    """The named agent; without a name the worktree's if it was cut off, else the newest such.

    Raises LedgerError where there is none.
    """
    if name is not None:
        return find(view, name)
    try:
        mine = here(view)
    except LedgerError:
        mine = None
    if mine and (mine.agent.status == INTERRUPTED or evidence(view, mine)):
        return mine
    found = [one for one in newest_first(view.live) if _cut_off(view, one)]
    if not found:
        raise LedgerError("nothing to resume: no agent is interrupted", "name one to resume it")
    return found[0]


def _cut_off(view: View, one: LiveAgent) -> bool:
    return one.agent.status == INTERRUPTED or bool(evidence(view, one))


def batch(view: View, group: str | None) -> tuple[str, list[LiveAgent], list[LiveAgent]]:
    """A group, the agents to resume in it, and those that stay queued; the oldest first.

    Without a name it is the group of the newest agent that was cut off in one.
    Raises LedgerError for an unknown group, or one with nothing to resume.
    """
    name = group or _newest_group(view)
    members = [one for one in newest_first(view.agents)[::-1] if one.agent.group == name]
    if not members:
        raise LedgerError(
            f"no agent is in group '{name}'", "'git ledger list --in-group' shows them"
        )
    wanted = [one for one in members if one.agent.status in {INTERRUPTED, *RUNNING}]
    if not wanted:
        raise LedgerError(f"nothing to resume in group '{name}'")
    return name, wanted, [one for one in members if one.agent.status == QUEUED]


def _newest_group(view: View) -> str:
    """Of the newest agent in a group that was cut off; else of the newest that is running."""
    grouped = [one for one in newest_first(view.live) if one.agent.group]
    running = (one for one in grouped if one.agent.running)
    found = next((one for one in grouped if _cut_off(view, one)), None) or next(running, None)
    if found is None or found.agent.group is None:
        raise LedgerError("no group has an agent to resume", "name agents instead")
    return found.agent.group


def brief(view: View, one: LiveAgent) -> Brief:
    """Everything to restart from. Raises LedgerError for an agent that can't be resumed."""
    agent = one.agent
    if agent.status == COMPLETED:
        raise LedgerError(
            f"cannot resume '{agent.id}': it is completed, since {agent.completed_at}",
            f"its task was: {agent.title}; 'git ledger retry {agent.id}' tries it again",
        )
    if agent.status not in RUNNING:
        check(agent.status, "resume", agent.id)
    own = own_changes(view, [one])[one.id]
    found = evidence(view, one)
    told = subjects(view.repo, own.commits)
    dirty = _uncommitted(one)
    files = {*(own.paths or ()), *agent.files_declared, *dirty}
    return Brief(
        one,
        own,
        found,
        None if found or agent.status == INTERRUPTED else _doubt(view, one),
        drift(view, _since(own, agent), own.target.oid if own.target else None, files),
        dirty,
        [(oid, told.get(oid, "")) for oid in reversed(own.commits)],
    )


def _since(own: Own, agent: Agent) -> str | None:
    """What landed since the spawn commit; since the merge base, once it took in a newer target."""
    return own.base if own.base and own.commits else agent.spawn_commit


def _doubt(view: View, one: LiveAgent) -> str:
    trace = newer_trace(view, one)
    if is_dead(one.agent.owner):
        seen = trace.what if trace else "something happened"
        return f"process {(one.agent.owner or {}).get('pid')} is gone, but later {seen}"
    seen = f": {trace.what}" if trace else ""
    return f"it is {one.agent.status}, and nothing proves that it was cut off{seen}"


def _uncommitted(one: LiveAgent) -> list[str]:
    from gitledger.git.process import text
    from gitledger.git.worktrees import door

    tree = one.worktree
    if tree is None or not tree.present or tree.bare:
        return []
    words = ("status", "--porcelain=v1", "-z", "--no-renames", "-uall")
    return sorted(text(record[3:]) for record in door(tree).run(*words).records)


def resume(
    view: View,
    found: Brief,
    *,
    recreate_worktree: bool = False,
    owner: dict[str, Any] | None = None,
) -> Step:
    """Write interrupted (where it was not) and resumed, the worktree made again if asked.

    `owner` is the process that runs it from now on. Raises Refused where the worktree is gone and was not asked for: never a
    fall-back to the main checkout.
    """
    place: Place | None = None
    if found.worktree_gone:
        if not recreate_worktree:
            raise Refused(
                f"the worktree of '{found.agent.id}' is gone; its commits are kept",
                "'--recreate-worktree' makes it again from them",
            )
        place = recreate(view, found.one)
    told = {**(place.body() if place else {}), **({"owner": owner} if owner else {})}
    step = _write(view, found, told)
    tree = found.one.worktree
    name = place.worktree_id if place else tree.name if tree else None
    if name:
        pointers.point(view.repo, found.agent.id, name)
    return step


def _write(view: View, found: Brief, told: dict[str, Any]) -> Step:
    def decide(agent: Agent) -> list[tuple[str, dict[str, Any]]]:
        first: list[tuple[str, dict[str, Any]]] = []
        if agent.running:
            why = found.evidence or [found.doubt or "by command"]
            first = [("interrupted", {"why": why[0], "evidence": why})]
        else:
            check(agent.status, "resume", agent.id)
        return [*first, ("resumed", told)]

    return write(view.repo, found.one, decide)


def refused_summary(refused: Sequence[str], total: int) -> Refused:
    """What a batch says at its end when some were not resumed."""
    return Refused(
        f"{len(refused)} of {total} not resumed: {', '.join(refused)}",
        "each says why above; --yes answers the questions",
    )
