"""`set path diff wait prune`: what a day with agents needs beside their lives."""

from __future__ import annotations

import sys
from typing import Any

import click

from gitledger.cli.fields import field_options, told
from gitledger.cli.lifecycle import agent_argument, done
from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk
from gitledger.errors import Found, LedgerError


@click.command("set")
@click.argument("agent", required=False)
@click.option("--title", metavar="TITLE", help="The task in a line.")
@field_options
@click.option("--unset", multiple=True, metavar="FIELD", help="Take a field away, as in role.")
@json_option
def set_command(
    agent: str | None, title: str | None, unset: tuple[str, ...], as_json: bool, **given: Any
) -> None:
    """Change fields of an agent's record.

    AGENT is left out for the current worktree's.
    """
    from gitledger.git.repository import discover
    from gitledger.services.amending import amend

    changed = told(given)
    if title is not None:
        changed["title"] = title
    if not changed and not unset:
        raise LedgerError("nothing to set", "give a field, as in --role coder")
    done(amend(discover(), agent, changed, unset), "changed", as_json=as_json)


@click.command("path")
@agent_argument
def path_command(agent: str | None) -> None:
    """Print the path of an agent's worktree.

    As in: cd "$(git ledger path ID)"
    """
    from gitledger.git.repository import discover
    from gitledger.services.find import sight

    _, one, _ = sight(discover(), agent)
    if one.worktree is None or not one.worktree.present:
        raise LedgerError(
            f"'{one.id}' has no worktree now", "'git ledger resume --recreate-worktree' makes one"
        )
    put(one.worktree.path)


@click.command("diff", context_settings={"ignore_unknown_options": True})
@click.argument("agent", required=False)
@click.option("--uncommitted", is_flag=True, help="With what stands uncommitted in its worktree.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def diff_command(agent: str | None, uncommitted: bool, options: tuple[str, ...]) -> None:
    """Show what an agent itself changed, as git diff does.

    Other options go to git diff, as in: git ledger diff ID --stat.
    """
    from gitledger.git.repository import discover
    from gitledger.services.differing import own_diff

    name, words = (None, (agent, *options)) if agent and agent.startswith("-") else (agent, options)
    sys.stdout.flush()
    status = own_diff(discover(), name, words, uncommitted=uncommitted)
    if status:
        click.get_current_context().exit(status)


@click.command("wait")
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--group", metavar="GROUP", help="All of a group.")
@click.option("--ended", is_flag=True, help="Until they are completed or failed.")
@click.option("--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Give up after that.")
@json_option
def wait_command(
    agents: tuple[str, ...],
    group: str | None,
    ended: bool,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Wait until agents have reported, ended or been cut off.

    Exits with 1 where one was cut off or failed, or the time is up.
    """
    from gitledger.git.repository import discover
    from gitledger.services.waiting import wait, waited_for

    repo = discover()
    ids = [one.id for one in waited_for(repo, agents, group)]

    def tell(name: str, status: str) -> None:
        if not as_json:
            put(f"{name}  {status}")
            sys.stdout.flush()

    found = wait(repo, ids, ended=ended, timeout=timeout, tell=tell)
    if as_json:
        json_document("ledger.wait/1", agents=found)
    bad = {name: status for name, status in found.items() if status not in _GOOD[ended]}
    if bad:
        raise Found(", ".join(f"'{name}' is {status}" for name, status in bad.items()))


_GOOD = {True: {"completed"}, False: {"completed", "awaiting-review"}}


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.option("--max", "most", type=click.IntRange(0), help="Keep as many (ledger.maxEntries, 50).")
@click.option("--delete", is_flag=True, help="Delete instead of moving to the archive.")
@json_option
def prune_command(dry_run: bool, most: int | None, delete: bool, as_json: bool) -> None:
    """Archive the oldest agents that have ended.

    As many go as there are over ledger.maxEntries. The oldest completed go first, then the oldest failed; what has not ended stays.
    'show', 'log', 'who' and 'list --archived' read the archive.
    """
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import prepared
    from gitledger.services.pruning import over, prune

    repo = discover()
    chosen = over(repo, most)
    if chosen and not dry_run:
        prune(prepared(repo), chosen, delete=delete)
    verb = "delete" if delete else "archive"
    if as_json:
        ids = [one.id for one in chosen]
        json_document("ledger.prune/1", dry_run=dry_run, **{f"{verb}d": ids})
        return
    for one in chosen:
        put(f"would {verb} {one.id}" if dry_run else f"{verb}d {one.id}")
    if not chosen:
        talk("nothing can go: no more than is kept, or none has ended")
