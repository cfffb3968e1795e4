"""`session phase` and `session error`: what is done to the phases of the active session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.options import yes_option
from gitledger.cli.render import talk
from gitledger.model.phase import ERROR_TYPES, IN_PROGRESS

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.model.session import Session
    from gitledger.services.sessions import Kept

_WORDS = {
    "in_progress": "is in progress",
    "completed": "is completed",
    "failed": "has failed",
    "skipped": "is left out",
}
number = click.argument("key", metavar="PHASE")


@click.group("phase")
def phase() -> None:
    """Add phases to the active session, and move them on.

    pending to in_progress (start), to completed or failed; failed to in_progress
    (retry, twice); pending to skipped.
    """


@click.group("error")
def error() -> None:
    """Record what went wrong in a phase, and what was done about it."""


def _active() -> tuple[Repository, Kept]:
    from gitledger.git.repository import discover
    from gitledger.services.sessions import need_active

    repo = discover()
    return repo, need_active(repo)


@phase.command("add")
@click.argument("name")
@click.option("--id", "id_", metavar="ID", help="Its number (default: the next).")
@click.option("--parallel", is_flag=True, help="It may run beside other parallel phases.")
@click.option("--blocked-by", multiple=True, metavar="PHASE", help="It waits for that phase.")
@click.option("--agent", "agents", multiple=True, metavar="ROLE", help="Who is to work on it.")
@click.option("--file", "files", multiple=True, metavar="PATH", help="A file that it owns.")
def add(
    name: str,
    id_: str | None,
    parallel: bool,
    blocked_by: tuple[str, ...],
    agents: tuple[str, ...],
    files: tuple[str, ...],
) -> None:
    """Add a phase behind the others."""
    from gitledger.services import session_phases

    repo, kept = _active()
    given: dict[str, Any] = {
        "name": name,
        "parallel": parallel,
        "blocked_by": [_plain(one) for one in blocked_by],
        "agents": list(agents),
        "files": list(files),
    }
    if id_ is not None:
        given["id"] = _plain(id_)
    changed = session_phases.add(repo, kept.session.session_id, given)
    talk(f"added phase {changed.phases[-1].key}")


def _plain(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


@phase.command("start")
@number
def start(key: str) -> None:
    """Begin a phase: agents spawned from now on belong to it."""
    _step("start", key)


@phase.command("retry")
@number
@click.option("-m", "--why", metavar="TEXT", help="What is done differently.")
@click.option("--override", is_flag=True, help="Retry it although it was retried twice.")
def retry(key: str, why: str | None, override: bool) -> None:
    """Take up a failed phase once more. The third time is refused."""
    _step("retry", key, {"why": why} if why else {}, override=override)


@phase.command("skip")
@number
@yes_option
def skip(key: str, yes: bool) -> None:
    """Leave a pending phase out; phases that wait for it no longer do."""
    from gitledger.cli import terminal

    terminal.confirm(f"leave out phase '{key}'?", yes=yes)
    _step("skip", key)


def _step(
    action: str, key: str, body: dict[str, Any] | None = None, *, override: bool = False
) -> None:
    from gitledger.services import session_phases

    repo, kept = _active()
    step = session_phases.Step(action, key, body or {}, override)
    changed = session_phases.step(repo, kept.session.session_id, step)
    _say(changed, key)
    running = [one.key for one in changed.phases if one.status == IN_PROGRESS]
    if len(running) > 1 and action in {"start", "retry"}:
        talk(f"phases {', '.join(running)} are in progress: agents say theirs with --session-phase")


def _say(session: Session, key: str) -> None:
    found = session.phase(key)
    if found:
        talk(f"phase {key} {_WORDS[found.status]}")


@phase.command("complete")
@number
@click.option(
    "--context", metavar="FILE", help="The handoff report with the downstream context; '-': stdin."
)
def complete(key: str, context: str | None) -> None:
    """Complete a phase, with the files that its agents changed and what it leaves behind.

    The report's headings Key Interfaces Introduced, Patterns Established, Integration
    Points, Assumptions and Warnings are kept for the phases after it. With the last
    phase completed the session is archived, unless ledger.autoArchive is false.
    """
    from gitledger.services import session_work
    from gitledger.services.session_start import read_text

    repo, kept = _active()
    text = read_text(context) if context is not None else None
    ended = session_work.complete(repo, kept, key, text)
    _say(ended.session, key)
    if ended.going_on:
        talk(f"warning: agents of it go on: {', '.join(ended.going_on)}")
    if ended.to_archive:
        _archive(repo, ended.session.session_id)


def _archive(repo: Repository, name: str) -> None:
    """At once, or once somebody says so; left alone where nobody can."""
    import sys

    from gitledger.cli import terminal
    from gitledger.cli.session_view import told_archived
    from gitledger.errors import Refused
    from gitledger.services.session_archive import archive

    if not repo.config.flag("ledger.autoArchive", default=True):
        try:
            terminal.confirm("all phases are completed: archive the session?", yes=False)
        except Refused:
            sys.stderr.write(f"hint: 'git ledger session archive' archives {name}\n")
            return
    told_archived(archive(repo, name))


@phase.command("fail")
@number
@click.option("--error", "message", required=True, metavar="TEXT", help="What went wrong.")
@click.option("--type", "kind", type=click.Choice(ERROR_TYPES), default="runtime")
@click.option("--agent", metavar="NAME", default="", help="Whose error it is.")
def fail(key: str, message: str, kind: str, agent: str) -> None:
    """Let a phase in progress fail, with the error that it failed of."""
    from gitledger.services import session_phases, session_work

    repo, kept = _active()
    trouble = session_phases.Trouble(message, kind, agent)
    _say(session_work.fail(repo, kept, key, trouble), key)


@error.command("add")
@number
@click.argument("message")
@click.option("--type", "kind", type=click.Choice(ERROR_TYPES), default="runtime")
@click.option("--agent", metavar="NAME", default="", help="Whose error it is.")
def error_add(key: str, message: str, kind: str, agent: str) -> None:
    """Record an error of a phase that goes on."""
    from gitledger.services import session_phases

    repo, kept = _active()
    trouble = session_phases.Trouble(message, kind, agent)
    changed = session_phases.add_error(repo, kept.session.session_id, key, trouble)
    found = changed.phase(key)
    talk(f"error {len(found.errors) if found else 0} of phase {key}")


@error.command("resolve")
@number
@click.argument("which", metavar="ERROR")
@click.option("-m", "--resolution", required=True, metavar="TEXT", help="What was done about it.")
def error_resolve(key: str, which: str, resolution: str) -> None:
    """Say what was done about an error: ERROR is its number in the phase, or its id."""
    from gitledger.services import session_phases

    repo, kept = _active()
    session_phases.resolve_error(repo, kept.session.session_id, key, which, resolution)
    talk(f"resolved in phase {key}")
