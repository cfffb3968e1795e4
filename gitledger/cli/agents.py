"""`list`, `show`, `log` and `current`: what the ledger knows of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.options import json_option, porcelain_option
from gitledger.cli.render import json_document, put, records, talk
from gitledger.cli.text import plural, shown
from gitledger.model.lifecycle import STATES, STATUSES

if TYPE_CHECKING:
    from gitledger.model.snapshot import Snapshot
    from gitledger.services.live import LiveAgent, View


@click.command("list")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only these."
)
@click.option("--state", "states", multiple=True, type=click.Choice(STATES), help="Only these.")
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="Only of that group.")
@click.option("--in-group", is_flag=True, help="Only those that have a group.")
@click.option("--role", "roles", multiple=True, metavar="ROLE", help="Only of that role.")
@click.option("--phase", "phases", multiple=True, metavar="PHASE", help="Only of that phase.")
@click.option("--plan", "plans", multiple=True, metavar="PLAN", help="Only of that plan.")
@click.option("--parent", "parents", multiple=True, metavar="ID", help="Only those it spawned.")
@click.option("--churn", is_flag=True, help="Only those sent back again and again.")
@click.option("--since", metavar="WHEN", help="Only from then on: 2h, 3d, 2026-01-15.")
@click.option("--archived", is_flag=True, help="Those in the archive instead.")
@click.option("--tree", "as_tree", is_flag=True, help="Show who spawned whom.")
@json_option
@porcelain_option
def list_command(
    as_json: bool, porcelain: bool, null: bool, as_tree: bool, archived: bool, **wanted: Any
) -> None:
    """List the agents, the most recent first.

    It shows what is true now, commits that no hook saw included, from any worktree.
    The lines of --porcelain are id, status, branch, worktree, head and title.
    """
    from gitledger import api
    from gitledger.services import roster

    since = wanted.pop("since")
    chosen = roster.Filter(**wanted, since=roster.since(since) if since else None)
    found = [one for one in api.open().agents(archived=archived) if chosen.takes(one)]
    if as_json:
        json_document("ledger.list/1", agents=found)
    elif porcelain or null:
        records([_line(one) for one in found], null=null)
    else:
        _print_table(found, as_tree=as_tree)


def _line(one: Snapshot) -> list[str]:
    known: Any = one
    return [known.get(name, "") for name in ("id", "status", "branch", "worktree", "head", "title")]


def _print_table(found: list[Snapshot], *, as_tree: bool) -> None:
    from gitledger.cli.agent_view import print_list
    from gitledger.services.roster import tree

    if not found:
        talk("no agents; 'git ledger spawn TITLE' or 'git worktree add' makes one")
    print_list(tree(found) if as_tree else [(0, one) for one in found])


@click.command("show")
@click.argument("agent", required=False)
@json_option
def show_command(agent: str | None, as_json: bool) -> None:
    """Show one agent: what is on record, and its work by git.

    AGENT is an id, a branch or the beginning of an id; left out, the current
    worktree's agent. Archived ones are shown too.
    """
    from gitledger.git.repository import discover
    from gitledger.services.find import sight

    view, one, ref = sight(discover(), agent)
    _warn_of_broken(view, one, ref)
    if as_json:
        print_document(view, one)
        return
    from gitledger.cli.agent_view import print_agent

    told, work = _document(view, one)
    print_agent(one, told, work)


def _warn_of_broken(view: View, one: LiveAgent, ref: str) -> None:
    lines = len(view.broken.get(ref, ()))
    if lines:
        told = f"{plural(lines, 'line')} of the log of '{shown(one.id)}' can't be read"
        talk(f"warning: {told}: 'git ledger verify' says which")


def _document(view: View, one: LiveAgent) -> tuple[Snapshot, dict[str, Any]]:
    from gitledger.services.snapshots import snapshots
    from gitledger.services.work import document, own_changes

    own = own_changes(view, [one])[one.id]
    return snapshots(view, [one])[0], document(view, one, own)


def print_document(view: View, one: LiveAgent) -> None:
    """`ledger.agent/1` of an agent."""
    told, work = _document(view, one)
    json_document("ledger.agent/1", agent=told, work=work)


def print_agent_json(agent_id: str) -> None:
    """`ledger.agent/1` of an agent as it is now, by its exact id."""
    from gitledger.git.repository import discover
    from gitledger.services.find import sight

    view, one, _ = sight(discover(), agent_id)
    print_document(view, one)


@click.command("log")
@click.argument("agent", required=False)
@json_option
@porcelain_option
def log_command(agent: str | None, as_json: bool, porcelain: bool, null: bool) -> None:
    """Tell an agent's life in order: events, and commits among them.

    The lines of --porcelain are time, kind, id and words. --json has the events
    as they are on record.
    """
    from gitledger.git.repository import discover
    from gitledger.services.find import sight
    from gitledger.services.history import events_of, life

    view, one, ref = sight(discover(), agent)
    _warn_of_broken(view, one, ref)
    if as_json:
        json_document("ledger.log/1", agent=one.id, events=events_of(view, ref))
        return
    moments = life(view, one, ref)
    if porcelain or null:
        records([(m.at, m.kind, m.oid, m.words) for m in moments], null=null)
        return
    from gitledger.cli.agent_view import print_life

    print_life(moments)


@click.command("current")
@json_option
@click.pass_context
def current_command(ctx: click.Context, as_json: bool) -> None:
    """Print the id of the agent that works in this worktree.

    Exits with 1 where there is none, or where it has ended.
    """
    from gitledger.git.repository import discover
    from gitledger.services.find import current

    found = current(discover())
    if found is None:
        talk("no agent works in this worktree")
        ctx.exit(1)
    elif as_json:
        print_agent_json(found)
    else:
        put(found)
