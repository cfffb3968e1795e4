"""Merging an agent's branch: judged, merged by git, recorded, completed; or nothing at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.errors import Found, LedgerError, Refused, Undecided
from gitledger.git.commits import is_ancestor
from gitledger.git.merging import (
    Merged,
    is_dirty,
    merge_and_leave,
    merge_commit,
    merge_here,
    move_branch,
    operation,
)
from gitledger.git.objects import resolve
from gitledger.git.scratch import scratch
from gitledger.git.worktrees import at
from gitledger.model.lifecycle import check
from gitledger.model.verdict import CONFLICT, UNKNOWN, Pair
from gitledger.services.aim import home_of
from gitledger.services.asking import merge_for_real
from gitledger.services.closing import refuse_removal, remove_worktree
from gitledger.services.decided import CHECKED, body
from gitledger.services.find import find
from gitledger.services.judging import Asked, Judgement, judge_one
from gitledger.services.lifecycle import prepared, write
from gitledger.services.question import Terms
from gitledger.services.session_trouble import record_conflicts
from gitledger.services.work import Own, frozen, own_changes

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.agent import Agent
    from gitledger.services.live import LiveAgent, View
    from gitledger.services.target import Target

_MOST_PATHS = 3


@dataclass(frozen=True)
class Wanted:
    """How to merge. `options` go to git merge; `override` hands an agent's conflicts over to it."""

    onto: str | None = None
    fast_forward: bool = True
    only_fast_forward: bool = False
    message: str | None = None
    override: bool = False
    remove: bool = False

    @property
    def options(self) -> list[str]:
        found = [] if self.fast_forward else ["--no-ff"]
        found += ["--ff-only"] if self.only_fast_forward else []
        return [*found, *(["-m", self.message] if self.message else [])]


@dataclass(frozen=True)
class Plan:
    """A merge that has been judged and not yet made."""

    view: View
    one: LiveAgent
    target: Target
    judged: Judgement
    own: Own

    @property
    def pair(self) -> Pair:
        return self.judged.forecast.pairs[0]

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.target.name}"


def plan_merge(repo: Repository, name: str | None, onto: str | None) -> Plan:
    """Judge an agent's commits against its target. Records what no hook saw, and no more.

    Raises LedgerError where the agent may not be merged, or the target is no branch.
    """
    view = prepared(repo)
    one = find(view, name)
    check(one.agent.status, "merge", one.id)
    if one.tip is None:
        raise LedgerError(f"'{one.id}' has no commit to merge", "commit something first")
    judged = judge_one(view, one.id, Asked(onto, True, False, Terms(trees=True)))
    target = judged.target
    if target is None or resolve(repo, [f"refs/heads/{target.name}"])[0] is None:
        name = target.name if target else ""
        raise LedgerError(f"'{name}' is not a branch", "merge into one with '--onto BRANCH'")
    return Plan(view, one, target, judged, own_changes(view, [one])[one.id])


def merge(plan: Plan, wanted: Wanted) -> Merged:
    """Make the merge, record it and complete the agent.

    Raises Found for a conflict and where git stops, Undecided where it can't be
    told, Refused for a dirty target: each leaves everything as it was.
    """
    home = _home(plan)
    if wanted.remove:
        refuse_removal(plan.one, plan.own._replace(landed=True))
    if plan.pair.verdict in {CONFLICT, UNKNOWN}:
        return _stopped(plan, wanted, home)
    if home:
        done = merge_here(at(plan.view.repo, home), _name(plan), wanted.options)
    else:
        done = _without_checkout(plan, wanted)
    _complete(plan, done)
    if wanted.remove:
        remove_worktree(plan.view, plan.one)
    return done


def _home(plan: Plan) -> Worktree | None:
    """The worktree where the target is checked out. Raises Refused unless it is ready."""
    trees = plan.view.worktrees
    home = next(
        (t for t in trees if t.branch == plan.target.name and t.present and not t.bare), None
    )
    if home is None:
        return None
    repo = at(plan.view.repo, home)
    under_way = operation(repo)
    if under_way:
        raise Refused(
            f"'{home.path}' is in the middle of a {under_way}", "finish or abort it first"
        )
    if is_dirty(repo.git):
        raise Refused(
            f"'{home.path}' has uncommitted changes", "commit or stash them, then merge again"
        )
    return home


def _stopped(plan: Plan, wanted: Wanted, home: Worktree | None) -> Merged:
    """Refuse, or hand over to git and leave its conflicts standing."""
    decision = "override" if wanted.override and home else "refused"
    _record(plan, decision)
    if decision == "override" and home:
        repo = at(plan.view.repo, home)
        merge_and_leave(repo, _name(plan), wanted.options)
        raise Found(
            f"git merge was left to you in '{home.path}'",
            "resolve and commit, or 'git merge --abort'",
        )
    if wanted.override:
        raise Refused(
            f"'{plan.target.name}' is checked out nowhere",
            "check it out to resolve conflicts there",
        )
    if plan.pair.verdict == UNKNOWN:
        raise Undecided(
            f"can't tell whether '{plan.one.id}' merges into '{plan.target.name}': "
            f"{plan.pair.reason}",
            "'--override' leaves it to git merge",
        )
    raise Found(
        f"'{plan.one.id}' conflicts with '{plan.target.name}' over {_paths(plan.pair)}",
        f"merge '{plan.target.name}' into the agent's branch and resolve there, "
        "or leave it to git with '--override'",
    )


def _paths(pair: Pair) -> str:
    shown = ", ".join(f"'{one.path}'" for one in pair.paths[:_MOST_PATHS])
    more = len(pair.paths) - _MOST_PATHS
    return f"{shown} and {more} more" if more > 0 else shown


def _name(plan: Plan) -> str:
    """The branch, so that git's message names it; the commit where it has moved off or is none."""
    branch, tip = plan.one.branch, plan.one.tip or ""
    if branch and not branch.startswith("-"):
        found = resolve(plan.view.repo, [f"refs/heads/{branch}"])[0]
        if found and found[0] == tip:
            return branch
    return tip


def _without_checkout(plan: Plan, wanted: Wanted) -> Merged:
    """The target is checked out nowhere: tree, commit, compare-and-swap."""
    repo, old, tip = plan.view.repo, plan.target.oid or "", plan.one.tip or ""
    if is_ancestor(repo, tip, old):
        return Merged(old, fast_forward=True, said="already up to date")
    setting = repo.config.get("merge.ff", "true")
    forward = wanted.fast_forward and setting != "false" and is_ancestor(repo, old, tip)
    if forward:
        move_branch(repo, plan.ref, old, tip, "Fast-forward")
        return Merged(tip, fast_forward=True)
    if wanted.only_fast_forward or setting == "only":
        raise Found("not possible to fast-forward", "leave out '--ff-only', or rebase the branch")
    with scratch(repo) as store:
        outcome = merge_for_real(repo, old, tip, store)
    if not outcome.clean or outcome.tree is None:
        raise Found("git merge stopped: a conflict that was not foreseen", "nothing was changed")
    message = wanted.message or f"Merge branch '{_name(plan)}' into {plan.target.name}"
    commit = merge_commit(repo, old, tip, outcome.tree, message)
    move_branch(repo, plan.ref, old, commit, "Merge made by git ledger")
    return Merged(commit, fast_forward=False)


def _verdict(plan: Plan, decision: str) -> tuple[str, dict[str, Any]]:
    commits, home = (plan.target.oid, plan.one.tip), home_of(plan.view, plan.target)
    return CHECKED, body(plan.view.repo, plan.pair, commits, home, by="merge", decision=decision)


def _record(plan: Plan, decision: str) -> None:
    write(plan.view.repo, plan.one, lambda _: [_verdict(plan, decision)])
    record_conflicts(plan.view, [plan.pair], plan.judged.aims)


def _complete(plan: Plan, done: Merged) -> None:
    ended = {
        "how": "merge",
        "merged": {"into": plan.target.name, "commit": done.commit},
        **frozen(plan.own),
    }

    checked = _verdict(plan, "merged")

    def decide(agent: Agent) -> list[tuple[str, dict[str, Any]]]:
        check(agent.status, "merge", agent.id)
        return [checked, ("completed", ended)]

    write(plan.view.repo, plan.one, decide)
