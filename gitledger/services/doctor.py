"""What records and what does not, in every worktree, and what would mend it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import gitledger
from gitledger.git.process import text
from gitledger.git.repository import Config
from gitledger.git.versions import CONFIGURED_HOOKS, OLDEST, dotted, version
from gitledger.model.names import MAIN_WORKTREE
from gitledger.services import install
from gitledger.services import install_text as shell
from gitledger.services.doctor_record import gaps
from gitledger.services.finding import Finding
from gitledger.services.hook_files import FRAMEWORKS, HookFile, start_of
from gitledger.services.install_clean import configured_key
from gitledger.services.install_files import standing
from gitledger.services.install_step import installed
from gitledger.services.install_survey import HOOKS_PATH, Sight, Site, ours, survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitledger.git.repository import Repository

INIT = "git ledger init"
CONFIGURATIONS = (".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml")
LOG_LINES = 5


@dataclass(frozen=True)
class Health:
    """What hooks fire in one worktree: each hook with `native`, a framework's name, or `no`."""

    name: str
    path: str
    hooks_dir: str
    hooks: dict[str, str]


@dataclass
class Examination:
    git: str
    version: str
    worktrees: list[Health] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def faults(self) -> int:
        return sum(one.fault for one in self.findings)


def examine(repo: Repository) -> Examination:
    """Look at everything and change nothing. Raises NotUsable as git does."""
    site = Site(repo)
    found = version(repo.git)
    seen = Examination(dotted(found), gitledger.__version__)
    for sight in (one for one in survey(site) if one.worktree.present):
        seen.worktrees.append(_health(site, sight, configured=_configured(sight)))
        seen.findings += _silent(site, sight, seen.worktrees[-1])
        seen.findings += [*_dead(site, sight), *_failing(sight), *_unread(sight)]
    seen.findings += [*_version(found), *_scripts(site), *_gates(site), *gaps(repo)]
    seen.findings = list(dict.fromkeys(seen.findings))
    seen.errors = _last_errors(site)
    return seen


def _configured(sight: Sight) -> bool:
    """Whether hooks of ours run by configuration here, so that no hook file counts."""
    event = Config.of(sight.git, "--local").get(configured_key("post-commit", "event"))
    return event is not None and version(sight.git) >= CONFIGURED_HOOKS


def _health(site: Site, sight: Sight, *, configured: bool) -> Health:
    how = _how_configured if configured else _how
    hooks = {hook: how(site, sight, hook) for hook in install.recorders(site.repo)}
    return Health(sight.worktree.name, sight.worktree.path, sight.actual, hooks)


def _how_configured(site: Site, sight: Sight, hook: str) -> str:
    command = Config.of(sight.git, "--local").get(configured_key(hook, "command"))
    here = command == shell.configured(hook, site.recorders)
    return "native" if here and start_of(os.path.join(site.recorders, hook)) else "no"


def _how(site: Site, sight: Sight, hook: str) -> str:
    found = start_of(os.path.join(sight.actual, hook))
    if found is None:
        return "no"
    if found.leads_to_ours:
        return "native" if start_of(os.path.join(site.recorders, hook)) else "no"
    if found.made_by in FRAMEWORKS and _asks_for(sight, hook):
        return str(found.made_by)
    return "no"


def _asks_for(sight: Sight, hook: str) -> bool:
    """Whether this worktree's configuration of pre-commit or prek names our recorder."""
    for name in CONFIGURATIONS:
        there = standing(os.path.join(sight.worktree.path, name))
        if there is not None and f"ledger-{hook}".encode() in there.content:
            return True
    return False


def _silent(site: Site, sight: Sight, health: Health) -> Iterator[Finding]:
    """Why hooks of this worktree do not record, one finding a reason."""
    reasons: dict[str, list[str]] = {}
    for hook in (hook for hook, how in health.hooks.items() if how == "no"):
        reasons.setdefault(_why(site, sight, hook), []).append(hook)
    for why, hooks in reasons.items():
        yield Finding(f"{', '.join(hooks)}: not recorded here: {why}", INIT, sight.worktree.path)


def _why(site: Site, sight: Sight, hook: str) -> str:
    if _configured(sight):
        return f"git's configuration names other places than '{site.recorders}'"
    if ours(sight.actual) and not os.path.isdir(sight.actual):
        return f"'{sight.actual}' is gone: was the repository moved?"
    found = start_of(os.path.join(sight.actual, hook))
    if found is not None and found.leads_to_ours:
        return "the recorders are gone"
    if not ours(sight.actual) and os.path.realpath(sight.actual) != os.path.realpath(site.hooks):
        return _elsewhere(sight)
    return _taken(found, os.path.join(sight.actual, hook))


def _taken(found: HookFile | None, path: str) -> str:
    if found is None:
        return "the hook is not executable" if os.path.lexists(path) else "there is no hook"
    if found.made_by in FRAMEWORKS:
        return f"{found.made_by} took the place, and its configuration has no ledger-* hook"
    return f"{found.made_by or 'another hook'} took the place"


def _elsewhere(sight: Sight) -> str:
    missing = "" if os.path.isdir(sight.actual) else ", which is not there"
    return f"{HOOKS_PATH} says '{sight.raw or sight.actual}'{missing}"


def _dead(site: Site, sight: Sight) -> Iterator[Finding]:
    """Hooks, ours or not, that git starts and that can't run."""
    places = {sight.actual, sight.directory, os.path.join(site.hooks, shell.KEPT)}
    for place in sorted(places):
        for hook in _hooks_in(place):
            missing = hook.missing_program
            if missing is not None:
                what = f"'{hook.path}' needs '{missing}', which is not there"
                yield Finding(what, _reinstall(hook))


def _failing(sight: Sight) -> Iterator[Finding]:
    """A framework that fails post-checkout, and `git worktree add` with it."""
    found = start_of(os.path.join(sight.actual, "post-checkout"))
    if found is None or found.made_by not in FRAMEWORKS or b"--skip-on-missing" in found.content:
        return
    name = found.made_by
    what = f"{name} makes 'git worktree add' exit 1 where a branch has no configuration of it"
    fix = f"{name} install --allow-missing-config --hook-type post-checkout, then {INIT}"
    yield Finding(what, fix, fault=False)


def _unread(sight: Sight) -> Iterator[Finding]:
    """Some tools write a worktree's hooks into its git dir, where git never looks."""
    place = os.path.join(sight.git.git_dir or "", "hooks")
    if sight.worktree.name == MAIN_WORKTREE or place == sight.actual:
        return
    for hook in _hooks_in(place):
        yield Finding(
            f"'{hook.path}' never runs: git looks in '{sight.actual}'", "move it there", fault=False
        )


def _hooks_in(place: str) -> Iterator[HookFile]:
    try:
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in names:
        found = None if "." in name else start_of(os.path.join(place, name))
        if found is not None:
            yield found


def _reinstall(hook: HookFile) -> str:
    name = os.path.basename(hook.path)
    if hook.made_by in FRAMEWORKS:
        return f"{hook.made_by} install --hook-type {name}, then {INIT}"
    return f"mend or remove '{hook.path}'"


def _version(found: tuple[int, ...]) -> Iterator[Finding]:
    if found < OLDEST:
        yield Finding(f"git {dotted(found)} is older than 2.39", "install git 2.39 or newer")


def _scripts(site: Site) -> Iterator[Finding]:
    """Recorders in the repository that are not those of this version."""
    there = installed(site)
    if not there:
        return
    differ = [
        name
        for name, script in install.scripts().items()
        if standing(os.path.join(site.recorders, name)) != script
    ]
    if differ:
        what = f"the installed {', '.join(differ)} differ from those of {gitledger.__version__}"
        yield Finding(what, INIT)


def _gates(site: Site) -> Iterator[Finding]:
    """Gates that could not start git-ledger: from PATH, else what `init` noted."""
    if installed(site).get("gates") is not True or shutil.which("git-ledger"):
        return
    noted = standing(os.path.join(site.home, "program"))
    path = text(noted.content).strip() if noted else ""
    if not os.access(path, os.X_OK):
        gone = f", and '{path}' is gone" if path else ""
        what = f"the gates find no git-ledger: PATH has none{gone}"
        yield Finding(what, f"install git-ledger where PATH finds it, then {INIT}")


def _last_errors(site: Site) -> list[str]:
    found = standing(os.path.join(site.home, "hook-errors"))
    return text(found.content).splitlines()[-LOG_LINES:] if found else []
