"""`verify`: everything that was recorded is there, and as it was written, or it says what is not."""

from __future__ import annotations

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk
from gitledger.cli.text import plural, shown


@click.command("verify")
@json_option
@click.pass_context
def verify_command(ctx: click.Context, as_json: bool) -> None:
    """Walk every log and name what is broken, changed or missing.

    Live and archived logs, the refs around them and all notes. Exits with 1 where
    something is wrong; writes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.services.verify import verify

    found = verify(discover())
    if as_json:
        faults = [
            {"ref": one.ref, "what": one.what} | ({"line": one.line} if one.line else {})
            for one in found.faults
        ]
        counts = {"logs": found.logs, "events": found.events, "notes": found.notes}
        json_document("ledger.verify/1", **counts, faults=faults)
    else:
        for one in found.faults:
            put(shown(f"{one.ref}{f', line {one.line}' if one.line else ''}: {one.what}"))
        walked = f"{plural(found.logs, 'log')}, {plural(found.events, 'event')}"
        wrong = plural(len(found.faults), "fault") if found.faults else "nothing is wrong"
        talk(f"{walked}, {plural(found.notes, 'note')}: {wrong}")
    ctx.exit(1 if found.faults else 0)
