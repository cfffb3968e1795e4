"""Options that several commands share, so that each means the same everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")
COLOR = "gitledger.color"


def _keep_color(ctx: click.Context, param: click.Parameter, value: str | None) -> None:  # noqa: ARG001
    if value is not None:
        ctx.meta[COLOR] = value


def color_option(*, hidden: bool) -> click.Option:
    """`--color WHEN`; `terminal` asks for it, so the command gets no argument."""
    return click.Option(
        ["--color"],
        type=click.Choice(["auto", "always", "never"]),
        expose_value=False,
        callback=_keep_color,
        hidden=hidden,
        help="When to use colour; the default asks color.ledger, color.ui and NO_COLOR.",
    )


def share(command: click.Command) -> None:
    """What every command has, and all below it: `--color`, and NUMBER for a number."""
    if all(one.name != "color" for one in command.params):
        command.params.append(color_option(hidden=True))
    for one in command.params:
        if isinstance(one, click.Option) and isinstance(one.type, click.IntRange):
            one.metavar = one.metavar or "NUMBER"
    if isinstance(command, click.Group):
        for below in command.commands.values():
            share(below)


def json_option(function: F) -> F:
    """`--json`, as the argument `as_json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document, for programs."
    )(function)


def porcelain_option(function: F) -> F:
    """`--porcelain` and `-z`, as `porcelain` and `null`; `-z` alone means porcelain too."""
    null = click.option("-z", "null", is_flag=True, help="End lines with NUL; implies --porcelain.")
    lines = click.option(
        "--porcelain", is_flag=True, help="Print tab-separated lines, for scripts."
    )
    return lines(null(function))


def yes_option(function: F) -> F:
    """`--yes`, as `yes`: what `terminal.confirm` would ask is answered already."""
    return click.option("-y", "--yes", is_flag=True, help="Do it without asking.")(function)
