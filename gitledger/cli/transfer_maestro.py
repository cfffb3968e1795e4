"""`import maestro` and `export maestro`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk
from gitledger.cli.text import shown

if TYPE_CHECKING:
    from gitledger.git.repository import Repository


@click.command("maestro")
@click.argument("paths", nargs=-1, metavar="[FILE]...")
@json_option
def import_maestro(paths: tuple[str, ...], as_json: bool) -> None:
    """Take Maestro's session files in.

    A session that is completed goes to the archive, another one becomes the active
    session. Left out, FILE is state/active-session.md below the state directory.
    """
    from gitledger.git.repository import discover
    from gitledger.services.session_start import read_text
    from gitledger.services.transfer_maestro import import_file

    repo = discover()
    done = [import_file(repo, read_text(one), one) for one in paths or (_default(repo),)]
    for one in done:
        for words in one.warnings:
            talk(f"warning: {shown(words)}")
    if as_json:
        told = [{"session_id": one.session.session_id, "changed": one.changed} for one in done]
        json_document("ledger.import/1", sessions=told)
        return
    for one in done:
        put(one.session.session_id)
        talk(f"{one.session.place}" if one.changed else "in the ledger already")


def _default(repo: Repository) -> str:
    from gitledger.services.session_paths import state_dir, top_of

    return os.path.join(top_of(repo, None), state_dir(repo), "state", "active-session.md")


@click.command("maestro")
@click.argument("name", required=False, metavar="[ID]")
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to stdout.")
def export_maestro(name: str | None, output: str | None) -> None:
    """Write a session as Maestro keeps it; left out, ID is the active session.

    What was imported and not changed since comes out word for word.
    """
    from gitledger.git.process import data
    from gitledger.git.repository import discover
    from gitledger.services.transfer_maestro import export_text
    from gitledger.store.places import write_whole

    text = export_text(discover(), name)
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data(text))
    else:
        write_whole(os.path.abspath(output), data(text))
