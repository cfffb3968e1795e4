"""`spawn` and `adopt`: how agents come into the ledger by command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.agents import print_agent_json
from gitledger.cli.fields import field_options, parent_of, pid_option, told
from gitledger.cli.fields import from_plan as plan_told
from gitledger.cli.options import json_option, yes_option
from gitledger.cli.render import put, talk

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.services.spawn import Order, Spawned

_KNOWN_BY = {
    "reflog": "the worktree's reflog",
    "merge-base": "the merge base with the target",
    "head": "where the worktree stands now",
}


place_options = (
    click.option("-b", "--branch", metavar="BRANCH", help="Its branch (default: agent/<id>)."),
    click.option(
        "--path", metavar="PATH", help="Where the worktree goes (default: beside the main one)."
    ),
    click.option(
        "--from", "start", metavar="COMMIT", default="HEAD", help="Where it starts (default: HEAD)."
    ),
)


def _placed(function: Any) -> Any:
    for option in reversed(place_options):
        function = option(function)
    return function


@click.command("spawn")
@click.argument("title")
@click.option("--id", "agent_id", metavar="ID", help="The agent's id (default: from the title).")
@_placed
@click.option("--here", is_flag=True, help="Record the current worktree instead of making one.")
@click.option("--queue", "queued", is_flag=True, help="Only record it; 'start' makes the worktree.")
@click.option(
    "--from-plan", metavar="FILE", help="Take phase, plan, dependencies and files from a PLAN.md."
)
@field_options
@json_option
def spawn_command(
    title: str,
    agent_id: str | None,
    branch: str | None,
    path: str | None,
    start: str,
    here: bool,
    queued: bool,
    from_plan: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Make a branch and a worktree for a new agent, and print the path.

    TITLE says in a line what the agent is to do. As in:
    cd "$(git ledger spawn 'parse dates strictly')"
    """
    from gitledger.errors import LedgerError
    from gitledger.git.repository import discover
    from gitledger.services.queueing import settled
    from gitledger.services.spawn import Order, spawn, spawn_here

    if queued and (here or branch or path):
        raise LedgerError("a queued agent has no worktree yet", "give these to 'start'")
    repo = discover()
    fields = {**(plan_told(from_plan) if from_plan else {}), **told(given)}
    fields.setdefault("parent", parent_of(repo))
    known = {key: value for key, value in fields.items() if value is not None}
    order = settled(repo, Order(title, agent_id, branch, path, start, known))
    if queued:
        _queue(repo, order, as_json=as_json)
        return
    made = spawn_here(repo, order) if here else spawn(repo, order)
    _keep(repo)
    _announce(made, as_json=as_json)


def _queue(repo: Repository, order: Order, *, as_json: bool) -> None:
    from gitledger.services.queueing import queue

    made = queue(repo, order)
    if as_json:
        print_agent_json(made.id)
    else:
        put(made.id)
        talk(f"queued; 'git ledger start {made.id}' makes its worktree")


def _keep(repo: Repository) -> None:
    """What spawn does for the ledger: who was cut off is found, the oldest are archived."""
    from gitledger.services.keeping import keep

    kept = keep(repo)
    for one in kept.interrupted:
        talk(f"{one} was cut off: 'git ledger resume {one}'")
    for one in kept.archived:
        talk(f"archived {one}")


def _announce(made: Spawned, *, as_json: bool) -> None:
    if made.warning:
        talk(f"warning: a hook failed while the worktree was made: {made.warning}")
    if as_json:
        print_agent_json(made.id)
    else:
        put(made.path)
        talk(f"spawned {made.id} on {made.branch or 'a detached HEAD'}")


@click.command("start")
@click.argument("agent")
@_placed
@pid_option
@yes_option
@json_option
def start_command(
    agent: str,
    branch: str | None,
    path: str | None,
    start: str,
    pid: int | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Give a queued agent its worktree, and print the path.

    Refused while what it depends on is unfinished, unless --yes.
    """
    from gitledger.git.repository import discover
    from gitledger.services.queueing import start as start_queued
    from gitledger.services.spawn import Order

    repo = discover()
    order = Order("", None, branch, path, start, told({"pid": pid}))
    made = start_queued(repo, agent, order, yes=yes)
    _announce(made, as_json=as_json)


@click.command("retry")
@click.argument("agent")
@click.option("--title", metavar="TITLE", default="", help="Another title than the first one's.")
@click.option("--id", "agent_id", metavar="ID", help="The new agent's id.")
@_placed
@field_options
@json_option
def retry_command(
    agent: str,
    title: str,
    agent_id: str | None,
    branch: str | None,
    path: str | None,
    start: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Spawn a new agent for the task of one that has ended.

    It takes over what the first one was told, unless an option says otherwise.
    """
    from gitledger.git.repository import discover
    from gitledger.services.queueing import retry
    from gitledger.services.spawn import Order

    repo = discover()
    made = retry(repo, agent, Order(title, agent_id, branch, path, start, told(given)))
    _announce(made, as_json=as_json)


@click.command("adopt")
@click.argument("worktrees", nargs=-1, metavar="[WORKTREE]...")
@click.option("--all", "everything", is_flag=True, help="Every linked worktree without an agent.")
@click.option("--id", "agent_id", metavar="ID", help="The agent's id; for one worktree.")
@click.option("--title", metavar="TITLE", help="What the agent does; for one worktree.")
def adopt_command(
    worktrees: tuple[str, ...], everything: bool, agent_id: str | None, title: str | None
) -> None:
    """Record worktrees that stand without an agent.

    Such are those made before the ledger came. WORKTREE is a path, a branch or git's own name for it; left out, the current one.
    """
    from gitledger.errors import LedgerError
    from gitledger.git.repository import discover
    from gitledger.services.adopt import adopt

    if everything and (worktrees or agent_id or title):
        raise LedgerError(
            "'--all' takes every worktree", "leave out the names, '--id' and '--title'"
        )
    if len(worktrees) > 1 and (agent_id or title):
        raise LedgerError("'--id' and '--title' are for one worktree", "adopt them one by one")
    repo = discover()
    names = () if everything else worktrees or (repo.worktree,)
    adopted = adopt(repo, names, agent_id=agent_id, title=title)
    for one in adopted:
        put(f"{one.id}  {one.path}")
        talk(f"spawn commit by {_KNOWN_BY[one.source]}")
    if not adopted:
        talk("no worktree without an agent")
