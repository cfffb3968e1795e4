"""What landed on the target since an agent began that meets the agent's files, and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.process import LITERAL, data, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from gitledger.git.repository import Repository
    from gitledger.services.live import View

EXTERNAL = "external"


class Drift(NamedTuple):
    """A path that the target changed; `by` is an agent's id or `external`."""

    path: str
    by: str
    commit: str


class Ground(NamedTuple):
    """Where drift is looked for: the target's commits since `base`, in these files."""

    base: str | None
    target: str | None
    own: Collection[str]

    @property
    def span(self) -> tuple[str, str] | None:
        if not self.base or not self.target or self.base == self.target or not self.own:
            return None
        return self.base, self.target


def drift(view: View, base: str | None, target: str | None, own: Collection[str]) -> list[Drift]:
    """What `base..target` changed of `own` paths, each with the last commit that did."""
    return drifts(view, {"": Ground(base, target, own)})[""]


def drifts(view: View, grounds: Mapping[str, Ground]) -> dict[str, list[Drift]]:
    """The same for many agents, by name. Who made the commits is asked once, for all."""
    files: dict[tuple[str, str], set[str]] = {}
    for one in grounds.values():
        if one.span:
            files.setdefault(one.span, set()).update(one.own)
    last = {span: _last_of(view.repo, *span, own) for span, own in files.items()}
    owners = _owners(view, {oid for found in last.values() for oid in found.values()})
    return {name: _told(one, last, owners) for name, one in grounds.items()}


def _told(
    one: Ground, last: Mapping[tuple[str, str], Mapping[str, str]], owners: Mapping[str, str]
) -> list[Drift]:
    found = last[one.span] if one.span else {}
    met = sorted(found.keys() & set(one.own))
    return [Drift(path, owners[found[path]], found[path]) for path in met]


def _last_of(repo: Repository, base: str, target: str, own: Collection[str]) -> dict[str, str]:
    met = set(own).intersection(_changed(repo, base, target))
    return _last_commits(repo, base, target, met)


def _owners(view: View, commits: Collection[str]) -> dict[str, str]:
    if not commits:
        return {}  # most forecasts never have to ask
    from gitledger.model.ownership import owner
    from gitledger.services.evidence import Witness

    owners = ((one, owner(found)) for one, found in Witness(view).evidence(sorted(commits)).items())
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
    out = repo.git.run(*form, *span, env=LITERAL).stdout
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
