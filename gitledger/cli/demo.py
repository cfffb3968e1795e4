"""demo: what git ledger does, on one screen, in a repository made for it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

import click

from gitledger.cli.render import put, talk
from gitledger.cli.terminal import paint


@click.command()
@click.argument("path", required=False, type=click.Path())
@click.option("--keep", is_flag=True, help="Keep the repository to look around in it.")
def demo(path: str | None, keep: bool) -> None:
    """Show what git ledger does, in a throw-away repository.

    Four agents work in four worktrees and commit with plain git. The list, the matrix
    of conflicts, a merge and a refused merge are real commands with their real output.
    With PATH the repository is made there, and kept.
    """
    directory = os.path.abspath(path) if path else tempfile.mkdtemp(prefix="git-ledger-demo-")
    try:
        _play(directory)
    finally:
        if not (path or keep):
            shutil.rmtree(directory, ignore_errors=True)
    put()
    if path or keep:
        talk(f"the repository is kept: cd '{os.path.join(directory, 'shop')}'")
    put(f"{paint('# In a repository of your own:', 'dim')}\n{paint('$ git ledger init', 'bold')}")


def _play(directory: str) -> None:
    from gitledger.services import demo as story

    environment = story.prepare(directory)
    for act in story.SCENERY:
        story.perform(act, directory, environment)
    for act in story.ACTS:
        if act.shown:
            put()
            put(paint(f"# {act.says}", "dim"))
            put(paint(f"$ {act.line}", "bold"))
            sys.stdout.flush()
        story.perform(act, directory, environment)
