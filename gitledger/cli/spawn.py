"""`spawn` and `adopt`: how agents come into the ledger by command."""

from __future__ import annotations

import os
from typing import Any

import click

from gitledger.cli.render import put, talk

_KNOWN_BY = {
    "reflog": "the worktree's reflog",
    "merge-base": "the merge base with the target",
    "head": "where the worktree stands now",
}


@click.command("spawn")
@click.argument("title")
@click.option("--id", "agent_id", metavar="ID", help="The agent's id (default: from the title).")
@click.option("-b", "--branch", metavar="BRANCH", help="Its branch (default: agent/<id>).")
@click.option(
    "--path", metavar="PATH", help="Where the worktree goes (default: beside the main one)."
)
@click.option(
    "--from", "start", metavar="COMMIT", default="HEAD", help="Where it starts (default: HEAD)."
)
@click.option("--here", is_flag=True, help="Record the current worktree instead of making one.")
@click.option("--role", metavar="ROLE", help="The kind of agent.")
@click.option("--target", metavar="BRANCH", help="The branch that its work is to be merged into.")
@click.option("--parent", metavar="ID", help="The agent that spawned it (default: the one here).")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="A path it is expected to touch."
)
def spawn_command(
    title: str,
    agent_id: str | None,
    branch: str | None,
    path: str | None,
    start: str,
    here: bool,
    role: str | None,
    target: str | None,
    parent: str | None,
    files: tuple[str, ...],
) -> None:
    """Make a branch and a worktree for a new agent, and print the path.

    TITLE says in a line what the agent is to do. As in:
    cd "$(git ledger spawn 'parse dates strictly')"
    """
    from gitledger.git.repository import discover
    from gitledger.services.spawn import Order, spawn, spawn_here

    repo = discover()
    fields: dict[str, Any] = {"role": role, "target": target, "parent": parent or _parent(repo)}
    fields["files_declared"] = sorted(set(files)) or None
    known = {key: value for key, value in fields.items() if value is not None}
    order = Order(title, agent_id, branch, path, start, known)
    made = spawn_here(repo, order) if here else spawn(repo, order)
    if made.warning:
        talk(f"warning: a hook failed while the worktree was made: {made.warning}")
    put(made.path)
    talk(f"spawned {made.id} on {made.branch or 'a detached HEAD'}")


def _parent(repo: Any) -> str | None:
    """The agent that runs this: named by the environment, else the worktree's."""
    from gitledger.services.live import current_agent

    named = os.environ.get("GIT_LEDGER_AGENT")
    if named:
        return named
    found = current_agent(repo)
    return found.id if found else None


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
