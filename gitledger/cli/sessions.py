"""`session`: an orchestration begun, shown, listed, archived, verified."""

from __future__ import annotations

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import Cell, columns, json_document, put, talk
from gitledger.cli.session_phases import error, phase
from gitledger.cli.session_resume import resume
from gitledger.cli.text import plural, shown

session_option = click.option(
    "--session", "name", metavar="ID", help="Another session than the active one."
)


@click.group("session")
def session() -> None:
    """Keep an orchestration: phases, agents, errors, files, usage.

    One session is active at a time. Agents that are spawned meanwhile belong to the
    phase that is in progress; their files and usage are in the session's record.
    """


session.add_command(phase)
session.add_command(error)
session.add_command(resume)


@session.command("start")
@click.argument("topic")
@click.option("--phases", metavar="FILE", help="The phases: YAML or JSON, '-' for stdin.")
@click.option("--design", metavar="PATH", help="The design document, below the state's plans.")
@click.option("--plan", metavar="PATH", help="The implementation plan, below the state's plans.")
@click.option("--express", is_flag=True, help="One phase, without design and plan.")
@json_option
def start(
    topic: str,
    phases: str | None,
    design: str | None,
    plan: str | None,
    express: bool,
    as_json: bool,
) -> None:
    """Begin a session on TOPIC, and print its id.

    FILE has a list of phases, each a name or a mapping with name, and if needed id,
    parallel, blocked_by, agents and files. Paths are relative to the worktree.
    """
    from gitledger.git.repository import discover
    from gitledger.services.session_start import Order, start_session

    begun = start_session(discover(), Order(topic, phases, design, plan, express))
    if as_json:
        _document(begun.session_id)
        return
    put(begun.session_id)
    talk(f"begun, with {plural(len(begun.phases), 'phase')}")


def _document(name: str | None) -> None:
    from gitledger.cli.session_view import session_json
    from gitledger.git.repository import discover
    from gitledger.services.session_work import view

    json_document("ledger.session/1", session=session_json(view(discover(), name)))


@session.command("show")
@click.argument("name", required=False, metavar="[ID]")
@click.option(
    "--as",
    "form",
    type=click.Choice(["terminal", "markdown"]),
    help="Columns or the Markdown log; the default is what fits the reader.",
)
@json_option
def show(name: str | None, form: str | None, as_json: bool) -> None:
    """Show a session: its phases, agents, errors, files and usage.

    In a terminal it is laid out for reading, elsewhere it is the Markdown log. ID is
    an id or its beginning; left out, the active session.
    """
    from gitledger.cli import session_view, terminal
    from gitledger.git.repository import discover
    from gitledger.model.session_log import markdown
    from gitledger.services.session_work import view

    if as_json:
        _document(name)
        return
    found = view(discover(), name)
    if (form or ("terminal" if terminal.is_person() else "markdown")) == "terminal":
        session_view.show(found)
    else:
        put(markdown(found).removesuffix("\n"))


@session.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List all sessions, archived ones too, the newest first."""
    from gitledger.cli.session_view import minute, session_json
    from gitledger.git.repository import discover
    from gitledger.model.phase import COMPLETED
    from gitledger.services.sessions import read_all

    found = [one.session for one in read_all(discover())]
    if as_json:
        json_document("ledger.sessions/1", sessions=[session_json(one) for one in found])
        return
    rows: list[list[str | Cell]] = [
        [
            one.session_id,
            one.place if one.place != "active" else one.status.replace("_", " "),
            f"{sum(p.status == COMPLETED for p in one.phases)}/{len(one.phases)}",
            minute(one.created),
            one.topic,
        ]
        for one in found
    ]
    columns(rows, header=("id", "state", "phases", "begun", "topic"), wide=4)


@session.command("set")
@click.option("--task", metavar="TEXT")
@click.option("--execution-mode", metavar="MODE", help="As sequential or parallel.")
@click.option("--execution-backend", metavar="NAME")
@click.option("--task-complexity", metavar="WORD", help="As simple, medium or complex.")
@session_option
def set_command(name: str | None, **fields: str | None) -> None:
    """Set what a session starts without, or its task."""
    from gitledger.errors import LedgerError
    from gitledger.git.repository import discover
    from gitledger.services import sessions

    told = {key: value for key, value in fields.items() if value is not None}
    if not told:
        raise LedgerError("nothing to set", "give at least one option, see 'session set -h'")
    repo = discover()
    kept = sessions.named(repo, name)
    sessions.change(repo, kept.session.session_id, lambda _: [("session-set", told)])


@session.command("archive")
@click.argument("name", required=False, metavar="[ID]")
@json_option
def archive(name: str | None, as_json: bool) -> None:
    """Archive a session: its documents and its record move out of the way.

    Documents below the state directory's plans move to plans/archive. Phases need not
    be completed. An archive that was killed on the way is finished.
    """
    from gitledger.cli.session_view import told_archived
    from gitledger.git.repository import discover
    from gitledger.services import session_archive

    done = session_archive.archive(discover(), name)
    if as_json:
        json_document(
            "ledger.session-archive/1",
            session_id=done.session.session_id,
            archived_files=done.archived_files,
            warnings=done.warnings,
        )
        return
    told_archived(done)


@session.command("verify")
@click.argument("name", required=False, metavar="[ID]")
@json_option
def verify(name: str | None, as_json: bool) -> None:
    """Say where a session and its documents are, and whether its archive is whole.

    Exits 1 where something is wrong or unfinished. Without ID: the active session,
    else every archived one.
    """
    from gitledger.errors import Found
    from gitledger.git.repository import discover
    from gitledger.services import session_verify, sessions

    repo = discover()
    names = [name] if name or sessions.active(repo) else None
    every = names or [one.session.session_id for one in sessions.read_all(repo)]
    found = [session_verify.verify(repo, one) for one in every]
    if as_json:
        json_document("ledger.session-verify/1", sessions=[one.document() for one in found])
    else:
        for one in found:
            put(f"{one.session.session_id}: {one.place}")
            for source, where in one.documents:
                put(f"  {shown(source)}: {where}")
            for fault in one.faults:
                put(f"  fault: {shown(fault)}")
    faults = sum(len(one.faults) for one in found)
    if faults:
        raise Found(f"{plural(faults, 'fault')} found")
