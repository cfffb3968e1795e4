"""`session resume`: where it stands, what is in the way, and going on."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.options import json_option, yes_option
from gitledger.cli.render import json_document, put, talk
from gitledger.cli.text import shown
from gitledger.errors import LedgerError, Refused

if TYPE_CHECKING:
    from gitledger.model.phase import Phase
    from gitledger.model.session import Session
    from gitledger.services.session_resume import Survey

_CHOICES = ("retry", "skip", "abort", "adjust")


@click.command("resume")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--retry", "action", flag_value="retry", help="Take up the failed phase once more.")
@click.option("--skip", "action", flag_value="skip", help="Leave failed phases behind and go on.")
@click.option("--abort", "action", flag_value="abort", help="End the session here.")
@click.option("--adjust", "action", flag_value="adjust", help="Change nothing: you adjust first.")
@click.option("--override", is_flag=True, help="With --retry: although it was retried twice.")
@yes_option
@json_option
def resume(name: str | None, action: str | None, override: bool, yes: bool, as_json: bool) -> None:
    """Show where a session stands and take it up again.

    Failed phases and open errors want a decision; work begun and not ended, files
    changed from outside and a changed plan are shown first, and --yes goes on over
    them. Without a terminal and without a decision it exits 4.
    """
    from gitledger.git.repository import discover
    from gitledger.services import session_resume

    repo = discover()
    found = session_resume.survey(repo, name)
    if not as_json:
        _show(found)
    decided = action or _decision(found, yes=yes)
    after = session_resume.go_on(repo, found, decided, override=override)
    if as_json:
        json_document("ledger.session-resume/1", **_document(found, decided, after))
    else:
        _say(found, decided, after)


def _show(found: Survey) -> None:
    from gitledger.cli import session_view

    session_view.show(found.session)
    place = found.position
    put()
    put(f"last completed: {_named(place.last_completed)}")
    put(f"active: {_named(place.active)}")
    if place.express:
        put(f"express: {place.express}")
    session_view.show_conflicts(found.conflicts)


def _named(phase: Phase | None) -> str:
    return f"phase {phase.key}, {shown(phase.name)} ({phase.status})" if phase else "none"


def _decision(found: Survey, *, yes: bool) -> str:
    """What to do, from the user where something stands in the way. Raises Refused."""
    failed = found.position.failed
    if not found.needs_decision or (yes and not failed):
        return "go-on"
    what = f"phase '{failed[0].key}' has failed" if failed else "something stands in the way"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        others = "" if failed else ", or --yes to go on all the same"
        raise Refused(
            f"{what}: say how to go on", f"give --retry, --skip, --abort or --adjust{others}"
        )
    choices = _CHOICES if failed else ("go-on", *_CHOICES)
    answer: str = click.prompt(what, type=click.Choice(choices), err=True)
    return answer


def _say(found: Survey, action: str, after: Session) -> None:
    from gitledger.model.session import position

    if action == "adjust":
        talk("nothing changed: adjust with 'session set' and 'session phase add', then resume")
        return
    if action == "abort":
        talk(f"aborted {after.session_id}; 'git ledger session archive' puts it away")
        return
    phase = position(after).next
    if phase is None:
        raise LedgerError(
            "no phase is left to go on with",
            f"'git ledger session archive' puts {found.session.session_id} away",
        )
    talk(f"going on with {_named(phase)}")


def _document(found: Survey, action: str, after: Session) -> dict[str, Any]:
    from gitledger.cli.session_view import session_json

    place = found.position
    phases = {
        "last_completed": place.last_completed,
        "active": place.active,
        "next": place.next,
    }
    return {
        "session": session_json(after),
        "action": action,
        "position": {
            **{name: one.id if one else None for name, one in phases.items()},
            "failed": [one.id for one in place.failed],
            "express": place.express,
        },
        "errors": [{"phase": phase.id, **asdict(one)} for phase, one in found.errors],
        "conflicts": [asdict(one) for one in found.conflicts],
    }
