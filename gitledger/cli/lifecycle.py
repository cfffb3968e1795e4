"""`complete`, `fail`, `close`: how an agent's work ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitledger.cli.options import json_option, yes_option
from gitledger.cli.render import json_document, talk
from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from gitledger.services.lifecycle import Step

agent_argument = click.argument("agent", required=False)


def done(step: Step, words: str, *, as_json: bool) -> None:
    """Say what was done; with --json, the agent as it is now."""
    from gitledger.cli.agents import print_agent_json

    if as_json:
        print_agent_json(step.id)
    else:
        talk(f"{words} {step.id}")


@click.command("complete")
@agent_argument
@click.option("-m", "--summary", metavar="WORDS", help="What was done.")
@click.option("--result", metavar="WORDS", help="The result in the agent's own words.")
@json_option
def complete_command(
    agent: str | None, summary: str | None, result: str | None, as_json: bool
) -> None:
    """Record that an agent has finished.

    Base, head and files are frozen. AGENT is left out for the current worktree's.
    """
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import complete

    done(complete(discover(), agent, summary=summary, result=result), "completed", as_json=as_json)


@click.command("fail")
@agent_argument
@click.option("-m", "--error", metavar="WORDS", required=True, help="What went wrong.")
@json_option
def fail_command(agent: str | None, error: str, as_json: bool) -> None:
    """Record that an agent has failed, and why.

    Its commits stay reachable. AGENT is left out for the current worktree's.
    """
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import fail

    done(fail(discover(), agent, error), "failed", as_json=as_json)


@click.command("close")
@agent_argument
@click.option("--accepted/--rejected", "accepted", default=None, help="The verdict on its work.")
@click.option("-m", "--message", metavar="WORDS", help="Why; a summary, or the error.")
@click.option("--remove", is_flag=True, help="Remove its worktree and branch too.")
@yes_option
@json_option
def close_command(
    agent: str | None,
    accepted: bool | None,
    message: str | None,
    remove: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """End an agent after review: its work is accepted or rejected.

    --remove is refused while the worktree has uncommitted changes, and, unless --yes
    is given, while its branch is not merged. The commits stay reachable either way.
    """
    from gitledger.git.repository import discover
    from gitledger.services.closing import close

    if accepted is None:
        raise LedgerError("accepted or rejected?", "say --accepted or --rejected")
    step = close(discover(), agent, accepted=accepted, message=message, remove=remove, unmerged=yes)
    done(step, "closed", as_json=as_json)


@click.command("interrupt")
@agent_argument
@click.option("-m", "--why", metavar="WORDS", help="Why it stops.")
@json_option
def interrupt_command(agent: str | None, why: str | None, as_json: bool) -> None:
    """Record that a running agent was cut off.

    'git ledger resume' takes it up again.
    """
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import interrupt

    done(interrupt(discover(), agent, why), "interrupted", as_json=as_json)


@click.command("abandon")
@agent_argument
@click.option("--group", metavar="GROUP", help="Every interrupted and queued agent of it.")
@click.option("--running", is_flag=True, help="With --group: the running ones too.")
@click.option("-m", "--why", metavar="WORDS", help="Why it is given up.")
@json_option
def abandon_command(
    agent: str | None, group: str | None, running: bool, why: str | None, as_json: bool
) -> None:
    """Give an agent up, or a group's interrupted and queued ones.

    Their commits stay reachable; 'retry' begins one anew.
    """
    from gitledger.git.repository import discover
    from gitledger.services.closing import abandon, abandon_group

    if group is None:
        if running:
            raise LedgerError("'--running' goes with '--group'")
        done(abandon(discover(), agent, why), "abandoned", as_json=as_json)
        return
    if agent is not None:
        raise LedgerError("an agent or a group, not both")
    steps = abandon_group(discover(), group, why, running=running)
    if as_json:
        json_document("ledger.abandon/1", group=group, abandoned=[step.id for step in steps])
        return
    for step in steps:
        talk(f"abandoned {step.id}")
    if not steps:
        talk(f"nothing to abandon in {group}")
