"""From what stands to a wanted state: the steps in a safe order, all of them or none."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from gitledger.errors import NotUsable
from gitledger.git.repository import Config
from gitledger.services import install_text as shell
from gitledger.services.install_clean import State, scopes
from gitledger.services.install_files import (
    Change,
    FileChange,
    SettingChange,
    apply_all,
    standing,
    take_back,
)
from gitledger.services.install_plan import stands_in
from gitledger.services.install_survey import BEFORE, looks_in, ours

if TYPE_CHECKING:
    from gitledger.services.install_survey import Sight, Site


def changes(site: Site, sights: list[Sight], without: State, target: State) -> list[Change]:
    """The steps, each needing only those before it.

    First what hooks will call, then settings, then the hooks, last what nothing calls any more.
    """
    paths = without.files.keys() | target.files.keys()
    files = [FileChange(path, standing(path), target.files.get(path)) for path in sorted(paths)]
    moved = [one for one in files if one.before != one.after]
    hooks = [one for one in moved if os.path.dirname(one.path) == site.hooks]
    others = [one for one in moved if one not in hooks]
    new = [one for one in others if one.after is not None]
    gone = [one for one in others if one.after is None]
    return [*new, *_settings(sights, target), *hooks, *gone]


def _settings(sights: list[Sight], target: State) -> list[SettingChange]:
    doors = {one.worktree.name: one.git for one in sights}
    here = {
        (sight.worktree.name, scope): Config.of(sight.git, scope) for sight, scope in scopes(sights)
    }
    found = (
        SettingChange(doors[name], scope, key, here[name, scope].get(key), value)
        for (name, scope, key), value in target.settings.items()
    )
    return sorted((one for one in found if one.before != one.after), key=_turn)


def _turn(change: SettingChange) -> int:
    """The old value is noted before it is replaced, and forgotten after it is back."""
    if change.key != BEFORE:
        return 1
    return 0 if change.after is not None else 2


def apply(site: Site, steps: list[Change], sights: list[Sight]) -> None:
    """Take the steps, then ask git in each of `sights` whether it looks where it should."""
    made_hooks = not os.path.isdir(site.hooks)
    try:
        apply_all(steps)
        _verify(site, sights, steps)
    except BaseException:
        tidy(site, made_hooks=made_hooks)
        raise


def _verify(site: Site, sights: list[Sight], steps: list[Change]) -> None:
    for sight in sights:
        actual = looks_in(sight.git)
        in_place = os.path.realpath(actual) == os.path.realpath(site.hooks)
        if ours(actual) or (in_place and not stands_in(site, sight)):
            continue
        take_back(steps)
        raise NotUsable(
            f"git still looks for hooks in '{actual}' in '{sight.worktree.path}'",
            "an included configuration file may set core.hooksPath: "
            "see 'git config --show-origin --get-all core.hooksPath'",
        )


def tidy(site: Site, *, made_hooks: bool) -> None:
    """Remove directories of ours that are empty."""
    chain = os.path.join(site.home, "chain")
    below = [os.path.join(chain, name) for name in _names(chain)]
    kept = os.path.join(site.hooks, shell.KEPT)
    hooks = [site.hooks] if made_hooks else []
    for place in (*below, chain, site.recorders, site.home, kept, *hooks):
        with contextlib.suppress(OSError):
            os.rmdir(place)


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def installed(site: Site) -> dict[str, object]:
    """What the last `init` noted; {} where there was none or it can't be read."""
    import json

    found = standing(os.path.join(site.home, "installed.json"))
    with contextlib.suppress(ValueError):
        facts = json.loads(found.content) if found else {}
        return facts if isinstance(facts, dict) else {}
    return {}
