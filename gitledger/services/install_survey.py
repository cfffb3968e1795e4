"""Where git looks for hooks, in every worktree and without what we set ourselves."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.git.worktrees import Worktree, at, list_worktrees

if TYPE_CHECKING:
    from gitledger.git.process import Git
    from gitledger.git.repository import Repository

HOOKS_PATH = "core.hooksPath"
BEFORE = "ledger.hooksPathBefore"  # what core.hooksPath was in that scope until we set it
_OURS = re.compile(r"/ledger/chain/[^/]+/?$")
# `git -c core.hooksPath=… ledger init` is about that one call, not about the repository.
_CALL_ASIDE = {"GIT_CONFIG_PARAMETERS": "", "GIT_CONFIG_COUNT": "0"}


@dataclass(frozen=True)
class Site:
    """A repository as a place to install in.

    `hooks` is where git looks unless told otherwise; `home` is where what we install
    stays: both in the common dir, so that no worktree's end takes them away.
    """

    repo: Repository

    @property
    def hooks(self) -> str:
        return os.path.join(self.repo.common_dir, "hooks")

    @property
    def home(self) -> str:
        return os.path.join(self.repo.common_dir, "ledger")

    @property
    def recorders(self) -> str:
        return os.path.join(self.home, "hooks")

    def chain(self, whose: str) -> str:
        """The directory that stands for a core.hooksPath of the user's."""
        return os.path.join(self.home, "chain", whose)

    @property
    def hooks_are_inside(self) -> bool:
        """False where `hooks` is a link to elsewhere: perhaps a branch's files, or shared."""
        real = os.path.realpath(self.hooks)
        return real == os.path.join(os.path.realpath(self.repo.common_dir), "hooks")


@dataclass(frozen=True)
class Sight:
    """What one worktree says. `scope` is None where core.hooksPath is not set.

    `value` is core.hooksPath as git expands it, `directory` the absolute place it means
    here; both as they are, or would be, without us. `actual` is where git looks now.
    """

    worktree: Worktree
    git: Git
    scope: str | None
    raw: str | None
    value: str | None
    directory: str
    actual: str

    @property
    def whose(self) -> str:
        """Which chain directory would stand in for this value."""
        if self.scope == "worktree":
            return "worktree-" + os.path.basename(self.worktree.name)
        return "local"


def survey(site: Site) -> list[Sight]:
    """Every worktree, the main one first. Two or three git processes each.

    Also those whose directory is away now: they have configuration, and may come back.
    """
    return [_look(site, one) for one in list_worktrees(site.repo)]


def plain(git: Git) -> Git:
    """The same door without configuration given on the command line."""
    return git._replace(extra={**git.extra, **_CALL_ASIDE})


def ours(value: str | None) -> bool:
    return value is not None and _OURS.search(value) is not None


def _look(site: Site, worktree: Worktree) -> Sight:
    git = plain(at(site.repo, worktree).git)
    scope, raw = effective(*_scoped(git))
    value = _expanded(git, raw)
    directory = site.hooks if value is None else os.path.join(git.directory, value)
    return Sight(worktree, git, scope, raw, value, os.path.normpath(directory), looks_in(git))


def looks_in(git: Git) -> str:
    """Where git looks for hooks now, absolute."""
    # Not --path-format=absolute: it refuses a path below a file, such as `.git/hooks` here.
    found = git.run("rev-parse", "--git-path", "hooks").line
    return os.path.normpath(os.path.join(git.directory, found))


def effective(now: dict[str, str], before: dict[str, str]) -> tuple[str | None, str | None]:
    """The scope and value of core.hooksPath that would hold without us.

    `now` and `before` map scopes, the strongest last, to values.
    """
    cleaned = {scope: before.get(scope) if ours(value) else value for scope, value in now.items()}
    kept = [(scope, value) for scope, value in cleaned.items() if value is not None]
    return kept[-1] if kept else (None, None)


def _scoped(git: Git) -> tuple[dict[str, str], dict[str, str]]:
    """core.hooksPath, and what it was before us, by scope, the strongest scope last."""
    keys = {HOOKS_PATH.lower(): {}, BEFORE.lower(): {}}  # type: dict[str, dict[str, str]]
    pattern = "^(" + "|".join(re.escape(key) for key in keys) + ")$"
    found = git.try_run("config", "-z", "--show-scope", "--get-regexp", pattern).records
    for scope, setting in zip(found[::2], found[1::2], strict=True):
        key, _, value = text(setting).partition("\n")
        keys[key][text(scope)] = value
    now, before = keys.values()
    return now, before


def _expanded(git: Git, raw: str | None) -> str | None:
    """`~/` and `%(prefix)/` as git itself reads them."""
    if raw is None:
        return None
    words = ("-c", f"ledger.expanded={raw}", "config", "--type=path", "--get", "ledger.expanded")
    return git.run(*words).line
