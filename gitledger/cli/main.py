"""The group: commands loaded by name, help without loading them, one way to fail."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from gitledger import __version__
from gitledger.cli import table
from gitledger.cli.failures import exit_code, reason
from gitledger.cli.options import color_option, share
from gitledger.errors import LedgerError, NotUsable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PROGRAM = "git ledger"
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(table.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return load(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0].startswith("-"):
            return super().resolve_command(ctx, args)  # click's own words for a bad option
        return args[0], find(args[0]), args[1:]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands first: they are what somebody who asks for help looks for."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        longest = max(map(len, table.COMMANDS))
        for title, section in table.SECTIONS.items():
            rows = [(name.ljust(longest), entry.help) for name, entry in section.items()]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def load(name: str) -> click.Command | None:
    """The command of that name, its module imported; None where there is none."""
    entry = table.COMMANDS.get(name)
    if entry is None:
        return None
    module, _, function = entry.where.partition(":")
    found = getattr(import_module(module), function)
    assert isinstance(found, click.Command), entry.where  # noqa: S101 - a slip in the table
    share(found)
    return found


def find(name: str) -> click.Command:
    """As `load`. Raises LedgerError, with the nearest names, where there is none."""
    command = load(name)
    if command is None:
        raise no_such(name, table.COMMANDS, PROGRAM)
    return command


def no_such(name: str, known: Iterable[str], path: str) -> LedgerError:
    """The error for a command that does not exist, with the nearest that do."""
    from difflib import get_close_matches

    near = " or ".join(f"'{one}'" for one in get_close_matches(name, list(known), n=3))
    help_words = path.replace(PROGRAM, f"{PROGRAM} help", 1)
    hint = f"did you mean {near}?" if near else f"'{help_words}' lists them all"
    return LedgerError(f"no such command '{name}'", hint)


def _go_to(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:  # noqa: ARG001
    for path in value:
        try:
            os.chdir(path)
        except OSError as error:
            raise NotUsable(f"cannot change to '{path}': {reason(error)}") from None


@click.group(
    cls=LazyGroup,
    context_settings=SETTINGS,
    options_metavar="[-C PATH]",
    subcommand_metavar="COMMAND [ARGS]...",
)
@click.option(
    "-C",
    "paths",
    type=click.Path(),
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_go_to,
    help="Run as if started in PATH.",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def cli() -> None:
    """Who works in which worktree, who made this commit, and which branches will collide."""


cli.params.append(color_option(hidden=False))


def run(words: Sequence[str]) -> int:
    """Run `git ledger WORDS…`; the exit code. Every way to fail ends in `failures`."""
    _prepare_streams()
    try:
        # Not click's own main(): it would have words and exit codes of its own.
        with cli.make_context(PROGRAM, list(words)) as ctx:
            cli.invoke(ctx)
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - this is where everything ends
        return exit_code(error, words)
    return 0


def _prepare_streams() -> None:
    """Names as git prints them, byte for byte; a stream that is closed is one nobody reads."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        getattr(sys, name).reconfigure(encoding="utf-8", errors="surrogateescape")
