"""init, deinit, doctor: how the ledger comes into a repository, and leaves it."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import columns, json_document, put, talk
from gitledger.cli.text import shown

if TYPE_CHECKING:
    from gitledger.services.doctor import Examination
    from gitledger.services.finding import Finding
    from gitledger.services.install import Done

SET_UP = "hooks installed: every spawn and commit in this repository is recorded"
_HOOK = "hook.git-ledger-"
TAKEN_OUT = "hooks removed; what is recorded stays under refs/ledger and refs/notes/ledger"


@click.command()
@click.option(
    "--gates/--no-gates",
    default=None,
    help="Install the gates too (pre-merge-commit, pre-push, pre-commit), or take them out.",
)
@click.option("-n", "--dry-run", is_flag=True, help="Print what would change; change nothing.")
@json_option
def init(gates: bool | None, dry_run: bool, as_json: bool) -> None:
    """Install the hooks that record, beside whatever hooks are there.

    Run it again after an upgrade, or when a hook manager has overwritten a hook: it
    puts back what is missing and changes nothing else.
    """
    from gitledger.git.repository import discover
    from gitledger.services import install

    done = install.init(discover(), gates=gates, dry_run=dry_run)
    _show("ledger.init/1", done, SET_UP, dry_run=dry_run, as_json=as_json)


@click.command()
@click.option("-n", "--dry-run", is_flag=True, help="Print what would change; change nothing.")
@json_option
def deinit(dry_run: bool, as_json: bool) -> None:
    """Take the hooks out; every other hook and setting stays.

    What has been recorded stays, and a later init goes on from there.
    """
    from gitledger.git.repository import discover
    from gitledger.services import install

    done = install.deinit(discover(), dry_run=dry_run)
    _show("ledger.deinit/1", done, TAKEN_OUT, dry_run=dry_run, as_json=as_json)


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Say which worktrees record, what does not, and what mends it.

    Changes no hook; an agent that it finds cut off is recorded as interrupted. Exit code
    1 where something is wrong.
    """
    from gitledger.git.repository import discover
    from gitledger.services.doctor import examine

    seen = examine(discover())
    if as_json:
        json_document("ledger.doctor/1", **asdict(seen))
    else:
        _show_examination(seen)
    if seen.faults:
        raise click.exceptions.Exit(1)


def _show_examination(seen: Examination) -> None:
    put(f"git {seen.git}, git-ledger {seen.version}")
    hooks = list(seen.worktrees[0].hooks) if seen.worktrees else []
    rows = ([one.path, *(one.hooks[hook] for hook in hooks)] for one in seen.worktrees)
    columns(rows, header=["WORKTREE", *hooks], wide=0)
    alike: dict[Finding, list[str]] = {}
    for finding in seen.findings:
        places = alike.setdefault(replace(finding, worktree=None), [])
        places += [finding.worktree] if finding.worktree else []
    for finding, places in alike.items():
        put(shown(f"{'wrong' if finding.fault else 'note'}: {finding.what}"))
        for place in places:
            put(shown(f"  in {place}"))
        put(shown(f"  fix: {finding.fix}"))
    if seen.errors:
        put("last errors of hooks:")
    for line in seen.errors:
        put(shown(f"  {line}"))


def _show(schema: str, done: Done, last: str, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        json_document(schema, dry_run=dry_run, changes=done.changes, notes=done.notes)
        return
    for change in done.changes if dry_run else _of_others(done.changes):
        put(shown(f"would {change}" if dry_run else change))
    for note in done.notes:
        talk(shown(note))
    if not done.changes:
        talk("nothing to do")
    elif not dry_run:
        talk(last)


def _of_others(changes: list[str]) -> list[str]:
    """What changed outside the directory that is ours alone, seen from where the user stands.

    Several files of one directory are one line: `write .git/hooks/{post-commit,post-merge}`.
    """
    from gitledger.git.repository import discover

    ours = os.path.join(discover().common_dir, "ledger", "")
    here = os.path.join(os.getcwd(), "")
    files: dict[str, list[str]] = {}
    for change in changes:
        if ours not in change and not _is_setting(change):
            directory, _, name = change.replace(here, "").rpartition("/")
            files.setdefault(directory, []).append(name)
    settings = [one for one in changes if _is_setting(one)]
    return _settings(settings) + [_braced(directory, names) for directory, names in files.items()]


def _is_setting(change: str) -> bool:
    return change.startswith(("set ", "unset "))


def _settings(changes: list[str]) -> list[str]:
    """Hooks by configuration in one line: `set hook.git-ledger-{post-commit,post-merge}.*`."""
    hooks: dict[str, dict[str, None]] = {}
    found = []
    for change in changes:
        verb, key = change.split(" ")[:2]
        if key.startswith(_HOOK):
            name = key.removeprefix(_HOOK).rpartition(".")[0]
            hooks.setdefault(verb, {})[name] = None
        else:
            found.append(change)
    return found + [f"{verb} {_HOOK}{{{','.join(names)}}}.*" for verb, names in hooks.items()]


def _braced(directory: str, names: list[str]) -> str:
    name = names[0] if len(names) == 1 else f"{{{','.join(names)}}}"
    return f"{directory}/{name}" if directory else name
