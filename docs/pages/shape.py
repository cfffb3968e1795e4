"""The commands as plain values: what every page is written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

import click

from gitledger.cli import main, table

# What an argument or an option's value may be completed with, by the name that
# the command gives it; whatever is not here is free text.
AGENTS = {"agent", "agents", "agent_id", "agent_ids", "parent", "depends_on"}
REFS = {"ref", "refs", "onto", "target", "commit", "revision", "start"}
FILES = {"PATH", "FILE", "DIR", "WORKTREE"}  # or a metavar that is one of these


@dataclass(frozen=True)
class Option:
    """`flags` with their dashes; `metavar` None for a switch; `values` what it may be."""

    flags: tuple[str, ...]
    metavar: str | None
    help: str
    values: str


@dataclass(frozen=True)
class Shape:
    """A command: its words after `git ledger`, and everything that help says of it.

    `arguments` and an option's `values` are `agents`, `refs`, `files`, `commands`,
    empty for free text, or a list of words such as `auto always never`.
    """

    path: tuple[str, ...]
    summary: str
    usage: str
    description: str
    options: tuple[Option, ...]
    arguments: str
    children: tuple[str, ...]

    @property
    def name(self) -> str:
        return " ".join(self.path)


def shapes() -> list[Shape]:
    """The group itself first, then every command in the order of the overview."""
    root = main.cli.make_context(main.PROGRAM, [], resilient_parsing=True)
    found = [_shape((), root)]
    for name in table.COMMANDS:
        found += _below((name,), click.Context(main.find(name), info_name=name, parent=root))
    return found


def _below(path: tuple[str, ...], context: click.Context) -> list[Shape]:
    found = [_shape(path, context)]
    if isinstance(context.command, click.Group):
        for name, child in context.command.commands.items():
            below = click.Context(child, info_name=name, parent=context)
            found += _below((*path, name), below)
    return found


def _shape(path: tuple[str, ...], context: click.Context) -> Shape:
    command = context.command
    help_text = (command.help or "").split("\f")[0].strip()
    pieces = command.collect_usage_pieces(context)
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    return Shape(
        path,
        help_text.partition("\n")[0].removesuffix("."),
        " ".join([context.command_path, *pieces]),
        help_text,
        tuple(_option(one, context) for one in command.get_params(context) if _is_shown(one)),
        _kinds(arguments, path),
        _children(command),
    )


def _children(command: click.Command) -> tuple[str, ...]:
    if isinstance(command, main.LazyGroup):
        return tuple(table.COMMANDS)
    return tuple(command.commands) if isinstance(command, click.Group) else ()


def _is_shown(param: click.Parameter) -> TypeGuard[click.Option]:
    return isinstance(param, click.Option) and not param.hidden


def _option(param: click.Option, context: click.Context) -> Option:
    switch = param.is_flag or param.count
    flags = (*param.opts, *param.secondary_opts)
    metavar = None if switch else param.make_metavar(context)
    return Option(flags, metavar, param.help or "", "" if switch else _kind(param))


def _kinds(arguments: list[click.Argument], path: tuple[str, ...]) -> str:
    """One answer for all the arguments of a command: nobody has two kinds to complete."""
    if path == ("help",):
        return "commands"
    return next((kind for kind in map(_kind, arguments) if kind), "")


def _kind(param: click.Parameter) -> str:
    if isinstance(param.type, click.Choice):
        return " ".join(param.type.choices)
    name = param.name or ""
    metavar = (param.metavar or name).strip("[].").upper()
    if isinstance(param.type, click.Path | click.File) or metavar in FILES:
        return "files"
    if name in AGENTS or "AGENT" in metavar:
        return "agents"
    return "refs" if name in REFS else ""
