"""What an agent itself changed, from git and not from what it says.

Own changes are `merge-base(target, tip)..tip`. Once the tip is reachable from the
target that is empty: then from the base recorded last, else the spawn commit. An
agent that has ended is read from what its end froze. Source: DESIGN section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.git.commits import subjects
from gitledger.git.ranges import Change, Range, changes, diff_stat, line_counts, ranges
from gitledger.git.worktrees import door
from gitledger.services.late import late_commits
from gitledger.services.target import Target, default_name, targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.agent import Agent
    from gitledger.services.live import LiveAgent, View

WORDS = {"A": "created", "C": "created", "D": "deleted", "R": "renamed"}  # else: modified


class Own(NamedTuple):
    """Committed own changes. `landed`: the tip is reachable from the target.

    `files` is None where they can't be told: no base, or commits that are missing.
    """

    target: Target | None
    base: str | None
    head: str | None
    commits: tuple[str, ...] = ()
    files: tuple[Change, ...] | None = None
    landed: bool = False

    @property
    def paths(self) -> list[str] | None:
        return None if self.files is None else [one.path for one in self.files]


def own_changes(view: View, agents: Sequence[LiveAgent]) -> dict[str, Own]:
    """The own changes of each agent, in as many processes for many as for a few."""
    found = {one.id: _ended(one.agent) for one in agents if one.agent.ended}
    live = [one for one in agents if not one.agent.ended]
    default = default_name(view.repo, view.worktrees) if live else None
    named = targets(view.repo, [default, *(one.agent.target for one in live)])
    spans = _spans(view.repo, live, {one.id: named.get(_target(one, default)) for one in live})
    pairs = {key: (own.base, own.head) for key, own in spans.items() if own.base and own.head}
    filled = dict(zip(pairs, changes(view.repo, list(pairs.values())), strict=True))
    for key, own in spans.items():
        files = filled.get(key)
        found[key] = _with_files(own, tuple(files) if files is not None else None)
    return found


def _target(one: LiveAgent, default: str | None) -> str:
    return one.agent.target or default or ""


def _with_files(own: Own, files: tuple[Change, ...] | None) -> Own:
    return Own(own.target, own.base, own.head, own.commits, files, own.landed)


def _ended(agent: Agent) -> Own:
    """As the end froze it."""
    files = tuple(Change(kind, path) for kind, path in agent.files or ())
    target = Target(agent.target, None) if agent.target else None
    return Own(target, agent.base, agent.head, (), None if agent.files is None else files)


def _spans(
    repo: Repository, live: Sequence[LiveAgent], onto: dict[str, Target | None]
) -> dict[str, Own]:
    """Target, base, head and commits of each agent that has a tip."""
    goals = {one.id: (target.oid if (target := onto[one.id]) else None) for one in live}
    read = _read(repo, [(goals[one.id] or one.agent.spawn_commit, one.tip) for one in live])
    spans = {
        one.id: _own(
            one, onto[one.id], read.get((goals[one.id] or one.agent.spawn_commit, one.tip))
        )
        for one in live
    }
    landed = [one for one in live if spans[one.id].landed]
    again = _read(repo, [(spans[one.id].base, one.tip) for one in landed])
    for one in landed:
        own, more = spans[one.id], again.get((spans[one.id].base, one.tip))
        spans[one.id] = Own(
            own.target, own.base, own.head, more.commits if more else (), None, True
        )
    return spans


def _read(
    repo: Repository, wanted: Sequence[tuple[str | None, str | None]]
) -> dict[tuple[str | None, str | None], Range]:
    """The range of each (onto, tip): one process for each thing to compare with."""
    by_onto: dict[str, list[str]] = {}
    for onto, tip in wanted:
        if onto and tip:
            by_onto.setdefault(onto, []).append(tip)
    return {
        (onto, tip): found
        for onto, tips in by_onto.items()
        for tip, found in ranges(repo, onto, tips).items()
    }


def _own(one: LiveAgent, target: Target | None, span: Range | None) -> Own:
    if span is None or one.tip is None:
        return Own(target, None, one.tip)
    if span.commits:
        return Own(target, span.base, one.tip, span.commits)
    began = one.agent.spawn_commit
    recorded = (one.agent.work or {}).get("base") or began
    if one.tip == began or not isinstance(recorded, str):
        return Own(target, one.tip, one.tip)
    return Own(target, recorded, one.tip, landed=bool(target and target.oid))


def frozen(own: Own) -> dict[str, Any]:
    """What the event that ends an agent keeps of its work."""
    target = own.target.name if own.target else None
    told: dict[str, Any] = {"target": target, "base": own.base, "head": own.head}
    if own.files is not None:
        told["files"] = [[one.kind, one.path] for one in own.files]
    return {name: value for name, value in told.items() if value is not None}


def document(view: View, one: LiveAgent, own: Own) -> dict[str, Any]:
    """WORK: what a reviewer starts from. Absent, not null, where git has no such thing."""
    told: dict[str, Any] = {
        "branch": one.branch,
        "worktree": one.worktree.path if one.worktree else None,
        "base": own.base,
        "head": own.head,
        "commits": _told(view.repo, commits_of(view.repo, own)),
        **_measured(view.repo, own),
        "dirty": is_dirty(one.worktree),
        "late_commits": _told(view.repo, late_commits(view, one)) or None,
    }
    return {name: value for name, value in told.items() if value is not None}


def commits_of(repo: Repository, own: Own) -> tuple[str, ...]:
    """The commits of own changes, the newest first; of an ended agent those its end froze."""
    if own.commits or not own.base or not own.head or own.base == own.head:
        return own.commits
    return ranges(repo, own.base, [own.head])[own.head].commits


def _told(repo: Repository, oids: Sequence[str]) -> list[dict[str, str]]:
    words = subjects(repo, oids)
    return [{"commit": oid, "subject": words.get(oid, "")} for oid in oids]


def _measured(repo: Repository, own: Own) -> dict[str, Any]:
    """Files with their kind of change, lines, and the picture that git draws of them."""
    pair = (own.base, own.head)
    if not pair[0] or not pair[1] or pair[0] == pair[1]:
        return {"files": [], "insertions": 0, "deletions": 0, "diff_stat": ""}
    found = changes(repo, [(pair[0], pair[1])], renames=True)[0]
    if found is None:
        return {"files": [_file(one) for one in own.files or ()]}
    added, deleted = line_counts(repo, pair[0], pair[1])
    return {
        "files": [_file(one) for one in sorted(found, key=lambda one: one.path)],
        "insertions": added,
        "deletions": deleted,
        "diff_stat": diff_stat(repo, pair[0], pair[1]),
    }


def _file(change: Change) -> dict[str, str]:
    told = {"path": change.path, "change": WORDS.get(change.kind, "modified")}
    return {**told, "from": change.old} if change.old else told


def is_dirty(worktree: Worktree | None) -> bool | None:
    """Whether it holds anything uncommitted, untracked files too; None without a worktree."""
    if worktree is None or worktree.bare or not worktree.present:
        return None
    return bool(door(worktree).run("status", "--porcelain", "-z").stdout)
