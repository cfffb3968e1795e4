"""Everything of ours in a repository, as it would be without us, whatever happened since `init`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitledger.git.repository import Config
from gitledger.services import install_text as shell
from gitledger.services.install_files import SCRATCH, Kept, standing
from gitledger.services.install_survey import BEFORE, HOOKS_PATH, Sight, Site, ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ASIDE = ("", ".legacy", ".old")  # where pre-commit, prek and lefthook move what they replace

# What we leave in our own directory beside what hooks call.
ERRORS = ("hook-errors", "hook-errors.old")
TRACES = ("program", "installed.json", "gate-missing", *ERRORS)


@dataclass
class State:
    """Files by path and settings by (worktree name, scope option, key); None is absence."""

    files: dict[str, Kept | None] = field(default_factory=dict)
    settings: dict[tuple[str, str, str], str | None] = field(default_factory=dict)


def clean(site: Site, sights: list[Sight]) -> State:
    """Everything of ours, as it would be without us."""
    state = State()
    for hook in shell.EVERY:
        _clean_hook(state, site.hooks, hook)
    for path in _files_in(site.recorders):
        state.files[path] = None
    for path in _files_below(os.path.join(site.home, "chain")):
        now = standing(path)
        ours_alone = path.endswith(SCRATCH) or (now is not None and shell.is_alone(now.content))
        state.files[path] = None if ours_alone else now
    for name in TRACES:
        state.files[os.path.join(site.home, name)] = None
    # What an installer left that was killed while it wrote.
    state.files |= {path + SCRATCH: None for path in state.files if not path.endswith(SCRATCH)}
    _clean_settings(state, sights)
    return state


def _clean_hook(state: State, hooks: str, hook: str) -> None:
    kept_path = os.path.join(hooks, shell.KEPT, hook)
    kept = standing(kept_path)
    if kept is not None and kept == _aside(standing(os.path.join(hooks, hook))):
        kept = None  # an installer was killed between the copy and the change
    state.files[kept_path] = kept
    for path in (os.path.join(hooks, hook + suffix) for suffix in ASIDE):
        now = standing(path)
        if now is not None and shell.hands_over(now.content) and kept is not None:
            state.files[path] = _moved_back(kept)
            state.files[kept_path] = None
        else:
            state.files[path] = _without_us(now)


def _without_us(now: Kept | None) -> Kept | None:
    if now is None or shell.is_alone(now.content):
        return None
    return Kept(shell.without_block(now.content), now.mode, now.link)


def _aside(hook: Kept | None) -> Kept | None:
    return None if hook is None else moved_aside(hook)


def moved_aside(hook: Kept) -> Kept:
    """A hook as it is kept: one directory deeper, so a relative link is a step longer."""
    if hook.link is None or os.path.isabs(hook.link):
        return hook
    return Kept(b"", hook.mode, f"../{hook.link}")


def _moved_back(kept: Kept) -> Kept:
    if kept.link is None:
        return kept
    return Kept(b"", kept.mode, kept.link.removeprefix("../"))


def _clean_settings(state: State, sights: list[Sight]) -> None:
    for sight, scope in scopes(sights):
        here = Config.of(sight.git, scope)
        now, before = here.get(HOOKS_PATH), here.get(BEFORE)
        name = sight.worktree.name
        state.settings[name, scope, HOOKS_PATH] = before if ours(now) else now
        state.settings[name, scope, BEFORE] = None
    first = sights[0]
    for hook in shell.EVERY:
        for key in ("event", "command"):
            state.settings[first.worktree.name, "--local", configured_key(hook, key)] = None


def scopes(sights: list[Sight]) -> Iterator[tuple[Sight, str]]:
    """Where settings of ours may be: the repository's, and each worktree's if they have any."""
    yield sights[0], "--local"
    if Config.of(sights[0].git).flag("extensions.worktreeConfig", default=False):
        yield from ((sight, "--worktree") for sight in sights)


def configured_key(hook: str, key: str) -> str:
    """The key of a hook of ours in git's configuration, for git >= 2.54."""
    return f"hook.git-ledger-{hook}.{key}"


def _files_in(directory: str) -> list[str]:
    """Directories there are a session's, not ours."""
    if not os.path.isdir(directory):
        return []
    paths = (os.path.join(directory, name) for name in os.listdir(directory))
    return [path for path in paths if not os.path.isdir(path)]


def _files_below(directory: str) -> Iterable[str]:
    for place, _, names in os.walk(directory):
        yield from (os.path.join(place, name) for name in names)
