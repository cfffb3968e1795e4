"""Options for the fields of an agent's record, the same in every command that takes them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gitledger.model.fields import GRANULARITIES, MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.git.repository import Repository

F = TypeVar("F", bound="Callable[..., Any]")

pid_option = click.option(
    "--pid", type=click.IntRange(1), help="The process that runs it (or GIT_LEDGER_PID)."
)
_OPTIONS = [
    click.option("--role", metavar="ROLE", help="The kind of agent."),
    click.option("--target", metavar="BRANCH", help="The branch that its work is merged into."),
    click.option("--parent", metavar="ID", help="The agent that spawned it."),
    click.option("--phase", metavar="PHASE", help="Its phase, as in 02 or 02.1."),
    click.option("--plan", metavar="PLAN", help="Its plan in the phase."),
    click.option("--segment", type=click.IntRange(0), help="Its segment of the plan."),
    click.option("--group", metavar="GROUP", help="Its batch: a name, 'auto' or 'new'."),
    click.option("--granularity", type=click.Choice(GRANULARITIES), help="What it carries out."),
    click.option("--mode", "execution_mode", type=click.Choice(MODES), help="How it runs."),
    click.option(
        "--depends-on", multiple=True, metavar="ID", help="An agent or plan (02-01) it waits for."
    ),
    click.option(
        "--file", "files_declared", multiple=True, metavar="PATH", help="A path it will touch."
    ),
    click.option(
        "--check", "checks", multiple=True, metavar="NAME=COMMAND", help="A check of its work."
    ),
    click.option("--background/--foreground", "is_background", default=None, help="Where it runs."),
    click.option("--max-turns", type=click.IntRange(0), help="How many turns it may take."),
    click.option("--output-file", metavar="PATH", help="Where its transcript is."),
    click.option("--session-phase", metavar="PHASE", help="The phase of the session it works on."),
    pid_option,
]


def field_options(function: F) -> F:
    """Every option for a field; together they arrive as keywords that `told` takes."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def told(given: dict[str, Any]) -> dict[str, Any]:
    """The fields that were given, as an event has them. Raises LedgerError for a bad check."""
    from gitledger.services.checks import parse

    found = {name: value for name, value in given.items() if value not in (None, ())}
    for name in ("depends_on", "files_declared"):
        if name in found:
            found[name] = list(dict.fromkeys(found[name]))
    if "checks" in found:
        found["checks"] = parse(found["checks"])
    owner = owner_told(found.pop("pid", None))
    return {**found, "owner": owner} if owner else found


def owner_told(pid: int | None) -> dict[str, Any] | None:
    """The process of that number, else of GIT_LEDGER_PID. Raises LedgerError."""
    from gitledger.services.interruption import owner_of

    number = pid or _environment_pid()
    return owner_of(number) if number else None


def _environment_pid() -> int | None:
    from gitledger.errors import LedgerError

    words = os.environ.get("GIT_LEDGER_PID")
    if not words:
        return None
    if not words.isdigit() or int(words) == 0:
        raise LedgerError(f"'{words}' in GIT_LEDGER_PID is no process id", "unset or correct it")
    return int(words)


def from_plan(path: str) -> dict[str, Any]:
    """What a PLAN.md says of the agent that carries it out. Raises LedgerError."""
    from gitledger.contracts.handoff import plan_fields
    from gitledger.services.session_start import read_text

    return plan_fields(read_text(path))


def parent_of(repo: Repository) -> str | None:
    """The agent that runs this: named by the environment, else the worktree's."""
    from gitledger.services.find import VARIABLE
    from gitledger.services.live import current_agent

    named = os.environ.get(VARIABLE)
    if named:
        return named
    found = current_agent(repo)
    return found.id if found else None
