"""What landed on the target since an agent began that meets the agent's files, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.process import data, text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from gitledger.git.repository import Repository
    from gitledger.services.evidence import Witness
    from gitledger.services.live import View

EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Drift:
    """A path that the target changed; `by` is an agent's id or `external`."""

    path: str
    by: str
    commit: str


def drift(
    view: View,
    base: str | None,
    target: str | None,
    own: Collection[str],
    witness: Callable[[], Witness] | None = None,
) -> list[Drift]:
    """What `base..target` changed of `own` paths, each with the last commit that did.

    Who asks for many agents shares a witness among them.
    """
    if not base or not target or base == target or not own:
        return []
    met = sorted(set(own).intersection(_changed(view.repo, base, target)))
    if not met:
        return []
    last = _last_commits(view.repo, base, target, met)
    owners = _owners(witness() if witness else witness_of(view), last.values())
    return [Drift(path, owners[last[path]], last[path]) for path in met if path in last]


def witness_of(view: View) -> Witness:
    """Whom to ask who made a commit. Most forecasts never have to."""
    from gitledger.services.evidence import Witness

    return Witness(view)


def _owners(witness: Witness, commits: Iterable[str]) -> dict[str, str]:
    from gitledger.model.ownership import owner

    evidence = witness.evidence(list(dict.fromkeys(commits)))
    owners = ((commit, owner(one)) for commit, one in evidence.items())
    return {commit: found.agent if found else EXTERNAL for commit, found in owners}


def _changed(repo: Repository, base: str, target: str) -> Iterable[str]:
    words = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", base, target)
    return map(text, repo.git.run(*words).records)


def _last_commits(
    repo: Repository, base: str, target: str, paths: Collection[str]
) -> dict[str, str]:
    """The newest commit of the range that touched each path.

    A merge counts only for what it changed itself: else all that an agent did
    would be whoever's merged it.
    """
    if not paths:
        return {}
    # A commit is told by the slash before it: no path begins with one.
    form = ("-c", "log.showSignature=false", "log", "-z", "-c", "--format=/%H")
    span = ("--name-only", "--no-renames", f"{base}..{target}", "--")
    out = repo.git.run(*form, *span, env={"GIT_LITERAL_PATHSPECS": "1"}).stdout
    wanted = {data(path) for path in paths}
    found: dict[str, str] = {}
    commit, first = "", False
    for field in out.split(b"\0"):
        if field.startswith(b"/"):
            commit, first = text(field[1:]), True
            continue
        # git puts a newline between a commit and its first path.
        path = field.removeprefix(b"\n") if first else field
        first = False
        if path in wanted:
            found.setdefault(text(path), commit)
    return found
