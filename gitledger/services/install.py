"""`init` and `deinit`: our hooks beside whatever is there, in every worktree, and out again."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gitledger
from gitledger.errors import NotUsable
from gitledger.git.objects import resolve
from gitledger.git.refs import refuse_blocked
from gitledger.git.versions import CONFIGURED_HOOKS, OLDEST, Version, dotted, version
from gitledger.model.names import MAIN_WORKTREE, NOTES, NOTES_BESIDE
from gitledger.services import install_text as shell
from gitledger.services.install_clean import ERRORS, State, clean
from gitledger.services.install_files import Kept, standing
from gitledger.services.install_plan import Wish, stands_in, wanted
from gitledger.services.install_step import apply, changes, installed, tidy
from gitledger.services.install_survey import Sight, Site, survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitledger.git.repository import Repository


@dataclass(frozen=True)
class Done:
    """What was, or would be, changed, and what the user should know about it."""

    changes: list[str]
    notes: list[str]


def init(repo: Repository, *, gates: bool | None = None, dry_run: bool = False) -> Done:
    """Install the recorders, and the gates if wanted (None: as they are now).

    Raises NotUsable, with everything as it was, where something can't be written or a
    worktree would not look where it should afterwards.
    """
    site = Site(repo)
    configured = by_configuration(_usable_version(repo))
    refuse_blocked(repo)
    with _alone(site, dry_run=dry_run):
        sights = survey(site)
        without = clean(site, sights)
        chosen = _has_gates(site) if gates is None else gates
        hooks = recorders(repo) + (shell.GATES if chosen else ())
        target = wanted(site, sights, without, Wish(hooks, scripts(), configured))
        target.files.update(_own_files(site, sights, gates=chosen))
        found = changes(site, sights, without, target)
        detours = [] if configured else sights  # git's own way leaves core.hooksPath alone
        if not dry_run:
            apply(site, found, detours)
        return Done([str(one) for one in found], _notes(site, detours))


def deinit(repo: Repository, *, dry_run: bool = False) -> Done:
    """Take everything of ours out; hooks and configuration are as they were before.

    The ledger's own refs stay.
    """
    site = Site(repo)
    with _alone(site, dry_run=dry_run):
        sights = survey(site)
        without = clean(site, sights)
        found = changes(site, sights, without, without)
        made_hooks = installed(site).get("made_hooks_dir") is True
        if not dry_run:
            apply(site, found, [])
            tidy(site, made_hooks=made_hooks)
        return Done([str(one) for one in found], _left_behind(site, without))


@contextlib.contextmanager
def _alone(site: Site, *, dry_run: bool) -> Iterator[None]:
    """One installer at a time. The lock is on the directory: nothing to leave behind."""
    if dry_run:
        yield
        return
    place = os.open(site.repo.common_dir, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise NotUsable("another 'git ledger init' or 'deinit' is running here") from None
    finally:
        os.close(place)


def _usable_version(repo: Repository) -> Version:
    found = version(repo.git)
    if found < OLDEST:
        raise NotUsable(f"git {dotted(found)} is too old", "install git 2.39 or newer")
    return found


def _own_files(site: Site, sights: list[Sight], *, gates: bool) -> dict[str, Kept | None]:
    """What stands in our own directory beside the scripts; errors of hooks stay."""
    names = {name: standing(os.path.join(site.home, name)) for name in ERRORS}
    names |= {"program": _program(sights), "installed.json": _record(site, gates=gates)}
    return {os.path.join(site.home, name): kept for name, kept in names.items()}


def recorders(repo: Repository) -> tuple[str, ...]:
    """The hooks that record here: commit-msg only where ledger.trailer is on."""
    trailer = repo.config.flag("ledger.trailer", default=False)
    return shell.RECORDERS + (shell.TRAILER if trailer else ())


def by_configuration(found: Version) -> bool:
    """Whether this git runs `hook.<name>.command`, so that no hook file need be touched."""
    return found >= CONFIGURED_HOOKS


def scripts() -> dict[str, Kept]:
    """The recorders and the gate as this version ships them, by name."""
    package = os.path.dirname(gitledger.__file__)
    places = (os.path.join(package, "hooks"), os.path.join(os.path.dirname(package), "hooks"))
    place = next((one for one in places if os.path.isfile(os.path.join(one, "post-commit"))), None)
    if place is None:
        raise NotUsable(f"no hooks beside '{package}'", "install git-ledger again")
    found = ((name, standing(os.path.join(place, name))) for name in sorted(os.listdir(place)))
    return {name: Kept(one.content) for name, one in found if one is not None}


def program() -> str | None:
    """The git-ledger that runs now, else PATH's; None where there is no such file."""
    path = os.path.join(os.path.dirname(sys.executable), "git-ledger")
    return path if os.access(path, os.X_OK) else shutil.which("git-ledger")


def _program(sights: list[Sight]) -> Kept | None:
    """Where the gates find git-ledger when PATH has none: never in a linked worktree."""
    path = program()
    linked = (one.worktree.path for one in sights if one.worktree.name != MAIN_WORKTREE)
    if path is None or any(path.startswith(one + "/") for one in linked):
        return None
    return Kept(os.fsencode(path) + b"\n", 0o644)


def _record(site: Site, *, gates: bool) -> Kept:
    import json

    made = installed(site).get("made_hooks_dir", not os.path.isdir(site.hooks))
    facts = {"v": 1, "version": gitledger.__version__, "gates": gates, "made_hooks_dir": made}
    return Kept(json.dumps(facts).encode() + b"\n", 0o644)


def _has_gates(site: Site) -> bool:
    return installed(site).get("gates") is True


def _notes(site: Site, sights: list[Sight]) -> list[str]:
    """What the user should know: where git looks elsewhere, and where there is nothing."""
    away = (sight for sight in sights if sight.worktree.present and stands_in(site, sight))
    found = [note for sight in away for note in _about(site, sight)]
    taken = NOTES.removesuffix("/")
    if resolve(site.repo, [taken])[0]:
        found.append(f"notes go to {NOTES_BESIDE}, since another tool has a ref '{taken}'")
    return found


def _about(site: Site, sight: Sight) -> list[str]:
    where = sight.worktree.path
    if sight.value is None:
        return [f"{where}: hooks stay in '{site.hooks}', a link; nothing was written there"]
    said = f"{where}: core.hooksPath stays in force: '{sight.raw}' is passed on to"
    if os.path.isdir(sight.directory):
        return [said]
    return [said, f"{where}: '{sight.directory}' is not there, so only the ledger's hooks run here"]


def _left_behind(site: Site, without: State) -> list[str]:
    """Files of others below our own directories: never removed, so named."""
    places = (os.path.join(site.home, "chain") + "/", os.path.join(site.hooks, shell.KEPT) + "/")
    found = [path for path, kept in without.files.items() if kept and path.startswith(places)]
    return [f"left in place, since it is not ours: {path}" for path in found]
