"""What git is about to do when a gate is asked: which work, and into what it would go."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import LedgerError
from gitledger.git.objects import resolve
from gitledger.git.process import text
from gitledger.git.refs import read_symbolic
from gitledger.services.aim import side_of, target_of
from gitledger.services.question import Side
from gitledger.services.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitledger.services.live import LiveAgent, View

MERGED = "GITHEAD_"  # how git tells its hooks what is being merged


@dataclass(frozen=True)
class Call:
    """One call of a gate: the hook's name, its input, and the environment it got from git."""

    hook: str
    stdin: bytes = b""
    environ: Mapping[str, str] = field(default_factory=dict)


class Subject(NamedTuple):
    """Work to judge with a target, and with `others`. `agent` is whose it is, if anyone's."""

    side: Side
    target: Target
    agent: LiveAgent | None = None
    others: tuple[LiveAgent, ...] = ()


def subjects(view: View, call: Call) -> list[Subject]:
    """Nothing where there is nothing to judge: no target, or the target itself."""
    match call.hook:
        case "pre-merge-commit":
            return list(_merged(view, call.environ))
        case "pre-push":
            return list(_pushed(view, call))
        case _:
            return list(_here(view, call))


def _merged(view: View, environ: Mapping[str, str]) -> Iterator[Subject]:
    """What `git merge` merges, into what is checked out here."""
    head = resolve(view.repo, ["HEAD^0"])[0]
    branch = read_symbolic(view.repo, "HEAD") or "HEAD"
    for name in sorted(environ):
        if head and name.startswith(MERGED):
            commit = name.removeprefix(MERGED)
            target = Target(branch.removeprefix("refs/heads/"), head[0])
            yield _subject(view, commit, environ[name], target)


def _pushed(view: View, call: Call) -> Iterator[Subject]:
    """Every branch that is pushed, unless it is the target or goes away."""
    for name, commit in dict.fromkeys(_lines(view, call)):
        if commit.strip("0"):
            subject = _with_its_target(view, commit, name.removeprefix("refs/heads/"))
            yield from [subject] if subject else []


def _lines(view: View, call: Call) -> Iterator[tuple[str, str]]:
    """git's lines `local-ref local-id remote-ref remote-id`; or what pre-commit makes of them.

    It leaves stdin empty, and names no commit where everything is new to the remote.
    """
    for line in text(call.stdin).splitlines():
        words = line.split(" ")
        if len(words) == 4 and words[0].startswith("refs/heads/"):  # noqa: PLR2004 - git's four
            yield words[0], words[1]
    name = call.environ.get("PRE_COMMIT_LOCAL_BRANCH", "")
    if not call.stdin and name.startswith("refs/heads/"):
        found = resolve(view.repo, [call.environ.get("PRE_COMMIT_TO_REF") or name])[0]
        yield from [(name, found[0])] if found else []


def _here(view: View, call: Call) -> Iterator[Subject]:
    """The branch checked out here, with the commit being made; the other agents too."""
    branch = (read_symbolic(view.repo, "HEAD") or "").removeprefix("refs/heads/")
    commit = _being_made(view, call) if call.hook == "pre-commit" else None
    head = resolve(view.repo, ["HEAD^0"])[0]
    tip = commit or (head[0] if head else None)
    subject = _with_its_target(view, tip, branch) if tip else None
    if subject is not None:
        mine = subject.agent.id if subject.agent else None
        others = (one for one in view.live if one.id != mine and one.branch != subject.target.name)
        yield Subject(subject.side, subject.target, subject.agent, tuple(others))


def _being_made(view: View, call: Call) -> str | None:
    """The index that git is about to commit, as a commit; None where it is not whole."""
    repo = view.repo
    given = call.environ.get("GIT_INDEX_FILE")
    env = {"GIT_INDEX_FILE": os.path.join(repo.git.directory, given)} if given else {}
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _NOBODY}
    heads = [one for one in resolve(repo, ["HEAD^0", "MERGE_HEAD^0"]) if one]
    parents = [word for oid, _ in heads for word in ("-p", oid)]
    try:
        tree = repo.git.run("write-tree", env=env).line
        return repo.git.run("commit-tree", tree, *parents, "-m", "being made", env=who).line
    except LedgerError:
        return None


# The same index gives the same commit, however often it is tried.
_NOBODY = (("NAME", "git-ledger"), ("EMAIL", "git-ledger"), ("DATE", "@0 +0000"))


def _with_its_target(view: View, commit: str, branch: str) -> Subject | None:
    agent = _agent(view, commit, branch)
    try:
        target = target_of(view, None, agent)
    except LedgerError:
        return None
    return None if branch == target.name else _subject(view, commit, branch, target)


def _subject(view: View, commit: str, name: str, target: Target) -> Subject:
    agent = _agent(view, commit, name)
    if agent is None:
        return Subject(Side(name or commit, commit, name), target)
    side = side_of(agent)
    return Subject(Side(side.id, commit, side.branch, side.worktree, side.base), target, agent)


def _agent(view: View, commit: str, name: str) -> LiveAgent | None:
    """Whose work it is: by branch, else by commit."""
    by_branch = (one for one in view.live if name and one.branch == name)
    by_tip = (one for one in view.live if one.tip == commit)
    return next(by_branch, None) or next(by_tip, None)
