"""`usage`: tokens and counters, added to an agent's or a role's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.render import talk
from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

_COUNT = click.IntRange(min=0)
_PARTS = ("input", "output", "cached")


@click.group("usage")
def usage() -> None:
    """Count what agents have used."""


@usage.command("add")
@click.argument("agent", required=False)
@click.option("--role", metavar="ROLE", help="Of no agent on record: counted by role.")
@click.option("--input", "input_", type=_COUNT, default=0, metavar="N", help="Tokens read.")
@click.option("--output", type=_COUNT, default=0, metavar="N", help="Tokens written.")
@click.option("--cached", type=_COUNT, default=0, metavar="N", help="Tokens read from a cache.")
@click.option("--tool-uses", type=_COUNT, default=0, metavar="N")
@click.option("--turns", "turn_count", type=_COUNT, default=0, metavar="N")
@click.option("--compactions", "compaction_count", type=_COUNT, default=0, metavar="N")
def add(
    agent: str | None, role: str | None, input_: int, output: int, cached: int, **counters: int
) -> None:
    """Add to what an agent has used; to the active session's, with --role.

    AGENT is left out for the current worktree's. Everything is added, nothing is set.
    """
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import add_usage

    tokens = dict(zip(_PARTS, (input_, output, cached), strict=True))
    counted = {name: count for name, count in counters.items() if count}
    if not counted and not any(tokens.values()):
        raise LedgerError("nothing to add", "give at least one count, see 'usage add -h'")
    repo = discover()
    if role is not None:
        _of_role(repo, role, tokens, alone=agent is None and not counted)
        return
    told: dict[str, Any] = {**counted, **({"usage": tokens} if any(tokens.values()) else {})}
    talk(f"added to {add_usage(repo, agent, told).id}")


def _of_role(repo: Repository, role: str, tokens: dict[str, int], *, alone: bool) -> None:
    from gitledger.services import sessions

    if not alone:
        raise LedgerError("'--role' counts tokens of no agent", "leave out the agent and counters")
    kept = sessions.need_active(repo)
    body = {"by": role, "usage": tokens}
    sessions.change(repo, kept.session.session_id, lambda _: [("usage", body)])
    talk(f"added to {role} in {kept.session.session_id}")
