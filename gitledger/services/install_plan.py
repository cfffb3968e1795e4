"""The state with us in it, built on the state without.

So `init`, `init` again, an upgrade, a repair and `deinit` are one step: from what
stands to one of the two.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from gitledger.errors import NotUsable
from gitledger.services import install_text as shell
from gitledger.services.install_clean import State, configured_key, moved_aside
from gitledger.services.install_files import Kept
from gitledger.services.install_survey import BEFORE, HOOKS_PATH, Sight, Site

# Their mere presence changes nothing for git, so each can be passed on without looking.
PASSED = [
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "post-receive",
    "post-update",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
]
# These cost at every ref or index write, or replace what git does: only where they are.
PASSED_IF_THERE = ("reference-transaction", "post-index-change", "push-to-checkout", "proc-receive")


@dataclass(frozen=True)
class Wish:
    """What `init` was asked for. `configured`: by git's configuration, with git >= 2.54."""

    hooks: tuple[str, ...]
    scripts: dict[str, Kept]  # the recorders and the gate by file name
    configured: bool


def wanted(site: Site, sights: list[Sight], without: State, wish: Wish) -> State:
    """The state with us in it, on top of the one without."""
    state = State(dict(without.files), dict(without.settings))
    for name, script in wish.scripts.items():
        state.files[os.path.join(site.recorders, name)] = script
    if wish.configured:
        _want_configuration(state, site, sights[0], wish)
        return state
    groups = grouped(sights)
    stood_in = [group for group in groups if any(stands_in(site, one) for one in group)]
    for group in stood_in:
        _want_chain(state, site, group, wish)
    if len(stood_in) < len(groups):
        for hook in wish.hooks:
            _want_hook(state, site.hooks, hook)
    return state


def grouped(sights: list[Sight]) -> list[list[Sight]]:
    """Worktrees by the setting that decides for them."""
    groups: dict[str, list[Sight]] = {}
    for sight in sights:
        groups.setdefault(sight.whose, []).append(sight)
    return list(groups.values())


def _want_configuration(state: State, site: Site, first: Sight, wish: Wish) -> None:
    for hook in wish.hooks:
        command = shell.configured(hook, site.recorders)
        where = (first.worktree.name, "--local")
        state.settings[(*where, configured_key(hook, "event"))] = hook
        state.settings[(*where, configured_key(hook, "command"))] = command


def stands_in(site: Site, sight: Sight) -> bool:
    """Whether a directory of ours must stand in for the one that git would use here.

    A core.hooksPath of the user's may be a branch's own files, may be missing in
    another worktree, may be shared with other repositories: nothing is written there.
    """
    if not site.hooks_are_inside:
        return True
    return os.path.realpath(sight.directory) != os.path.realpath(site.hooks)


def _want_hook(state: State, hooks: str, hook: str) -> None:
    path = os.path.join(hooks, hook)
    there = state.files[path]
    if there is None:
        state.files[path] = Kept(shell.alone(hook))
    elif there.link is None and there.executable and shell.takes_block(there.content):
        state.files[path] = Kept(shell.with_block(there.content, hook), there.mode)
    else:
        _want_kept(state, hooks, hook, there)


def _want_kept(state: State, hooks: str, hook: str, there: Kept) -> None:
    kept_path = os.path.join(hooks, shell.KEPT, hook)
    if state.files[kept_path] is not None:
        raise NotUsable(
            f"an older hook is still kept at '{kept_path}'",
            f"another tool has replaced '{hook}' since; move the kept one where you want it",
        )
    state.files[kept_path] = moved_aside(there)
    state.files[os.path.join(hooks, hook)] = Kept(shell.handing_over(hook))


def _want_chain(state: State, site: Site, group: list[Sight], wish: Wish) -> None:
    first = group[0]
    chain = site.chain(first.whose)
    instead = site.hooks if first.value is None else first.value
    there = {name for one in group for name in PASSED_IF_THERE if _is_there(one, name)}
    for hook in (*PASSED, *sorted(there)):
        path = os.path.join(chain, hook)
        if state.files.get(path) is None:
            content = shell.passing_on(hook, instead, ours=hook in wish.hooks)
            state.files[path] = Kept(content)
    own = first.scope == "worktree"
    where = (first.worktree.name, "--worktree") if own else (_holder(state), "--local")
    state.settings[(*where, BEFORE)] = state.settings[(*where, HOOKS_PATH)]
    state.settings[(*where, HOOKS_PATH)] = chain


def _holder(state: State) -> str:
    """The worktree through which the repository's own settings are reached."""
    return next(name for name, scope, _ in state.settings if scope == "--local")


def _is_there(sight: Sight, hook: str) -> bool:
    return os.access(os.path.join(sight.directory, hook), os.X_OK)
