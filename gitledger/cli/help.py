"""help: the same words as `-h`, the man page and the completions, wherever it is installed."""

from __future__ import annotations

import os
import sys

import click

from gitledger.cli.main import PROGRAM, LazyGroup, find, no_such
from gitledger.errors import LedgerError, NotUsable

SHARE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "share")
COMPLETIONS = {"bash": "git-ledger.bash", "zsh": "_git-ledger", "fish": "git-ledger.fish"}


@click.command("help")
@click.argument("command", nargs=-1)
@click.option("--man", is_flag=True, help="Open the man page, also where man does not find it.")
@click.option(
    "--completion",
    "shell",
    type=click.Choice(list(COMPLETIONS)),
    help="Print the completion of that shell, which works through git's own.",
)
@click.pass_context
def help_command(
    ctx: click.Context, command: tuple[str, ...], man: bool, shell: str | None
) -> None:
    """Show help for git ledger or one of its commands."""
    if man:
        _open_page()
    elif shell:
        sys.stdout.write(_shared(COMPLETIONS[shell]))
    else:
        click.echo(_context(ctx.find_root(), command).get_help())


def _context(root: click.Context, words: tuple[str, ...]) -> click.Context:
    context = root
    for name in words:
        found = _within(context.command, context.command_path, name)
        context = click.Context(found, info_name=name, parent=context)
    return context


def _within(parent: click.Command, path: str, name: str) -> click.Command:
    if isinstance(parent, LazyGroup):
        return find(name)
    if not isinstance(parent, click.Group):
        raise LedgerError(f"'{path}' has no commands of its own")
    if name not in parent.commands:
        raise no_such(name, parent.commands, path)
    return parent.commands[name]


def _shared(name: str) -> str:
    with open(os.path.join(SHARE, name), encoding="utf-8") as file:
        return file.read()


def _open_page() -> None:
    sys.stdout.flush()
    try:
        os.execvp("man", ["man", os.path.join(SHARE, "git-ledger.1")])  # noqa: S606
    except OSError:
        raise NotUsable("there is no 'man' here", f"'{PROGRAM} help' works without it") from None
