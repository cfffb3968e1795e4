"""`import gsd` and `export gsd`."""

from __future__ import annotations

import os
import sys

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk
from gitledger.cli.text import plural, shown


@click.command("gsd")
@click.argument("path", required=False, metavar="[FILE]")
@json_option
def import_gsd(path: str | None, as_json: bool) -> None:
    """Take GSD's agent history in.

    Left out, FILE is .planning/agent-history.json. The agent that current-agent-id.txt
    beside it names becomes the one that works in this worktree. Twice changes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.services.transfer_gsd import HISTORY, import_file

    repo = discover()
    done = import_file(repo, path or os.path.join(repo.work_tree or "", HISTORY))
    for words in done.warnings:
        talk(f"warning: {shown(words)}")
    if as_json:
        changed, unchanged = done.changed, done.unchanged
        json_document(
            "ledger.import/1", changed=changed, unchanged=unchanged, warnings=done.warnings
        )
        return
    for one in done.changed:
        put(one)
    talk(f"imported {plural(len(done.changed), 'agent')}, {len(done.unchanged)} as they were")
    if done.bound:
        talk(f"{shown(done.bound)} works here")


@click.command("gsd")
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to stdout.")
def export_gsd(output: str | None) -> None:
    """Write the agents as GSD keeps them, one entry a run.

    What was imported comes out word for word, but for what has changed since. With -o
    the current agent's id is written to current-agent-id.txt beside FILE.
    """
    from gitledger.git.process import data
    from gitledger.git.repository import discover
    from gitledger.services.transfer_gsd import CURRENT, export
    from gitledger.store.places import write_whole

    found = export(discover())
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data(found.text))
        return
    path = os.path.abspath(output)
    write_whole(path, data(found.text))
    beside = os.path.join(os.path.dirname(path), CURRENT)
    if found.current is not None:
        write_whole(beside, data(found.current + "\n"))
    elif os.path.exists(beside):
        os.remove(beside)  # as GSD does once nobody works
