"""merge: judged first, made by git, recorded."""

from __future__ import annotations

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk


@click.command()
@click.argument("agent", required=False)
@click.option("--onto", metavar="BRANCH", help="Merge into this branch instead of the target.")
@click.option("--no-ff", is_flag=True, help="Make a merge commit in any case.")
@click.option("--ff-only", is_flag=True, help="Merge only where no merge commit is needed.")
@click.option("-m", "--message", metavar="TEXT", help="The message of the merge commit.")
@click.option("--override", is_flag=True, help="Leave a conflict to git merge, and standing.")
@click.option("--remove", is_flag=True, help="Remove the worktree and the branch afterwards.")
@json_option
def merge(
    agent: str | None,
    onto: str | None,
    no_ff: bool,
    ff_only: bool,
    message: str | None,
    override: bool,
    remove: bool,
    as_json: bool,
) -> None:
    """Merge an agent's branch into its target, and complete the agent.

    A conflict is refused (1), as is what can't be told (3) and a target with
    uncommitted changes (4): then nothing has changed. AGENT is an id, a branch or a
    prefix (default: the agent here).
    """
    from gitledger.cli.told import tell_conflict
    from gitledger.git.repository import discover
    from gitledger.services.merge import Wanted, plan_merge
    from gitledger.services.merge import merge as make

    plan = plan_merge(discover(), agent, onto)
    wanted = Wanted(onto, not no_ff, ff_only, message, override, remove)
    if not as_json:
        tell_conflict(plan.judged)
    done = make(plan, wanted)
    if as_json:
        merged = {"into": plan.target.name, "commit": done.commit}
        json_document("ledger.merge/1", agent=plan.one.id, **merged)
        return
    put(done.commit)
    how = "fast-forward" if done.fast_forward else "merged"
    talk(f"{how} {plan.one.id} into {plan.target.name}; {plan.one.id} is completed")
