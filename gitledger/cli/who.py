"""`who` and `reconcile`: which agent made a commit."""

from __future__ import annotations

import click

_HOW = {
    "hook": "recorded by a hook",
    "reconcile": "found in the reflog",
    "inferred": "inferred",
    "trailer": "named by its trailer",
}


@click.command("who", short_help="name the agent that made a commit")
@click.argument("commit", default="HEAD")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def who_command(commit: str, as_json: bool) -> None:
    """Name the agent that made COMMIT (default: HEAD), and say how that is known.

    Exits with 1 where the commit is on record for nobody.
    """
    from gitledger.git.repository import discover
    from gitledger.services.live import look
    from gitledger.services.who import commit_named, who

    repo = discover()
    answer = who(look(repo), commit_named(repo, commit))
    if as_json:
        _print_json(answer)
    elif answer.owner:
        title = f"  {answer.agent.agent.title}" if answer.agent else ""
        click.echo(f"{answer.owner.agent}{title}")
        click.echo(f"{answer.commit} {_HOW[answer.owner.how]}", err=True)
        if answer.superseded_by:
            click.echo(f"superseded by {answer.superseded_by}", err=True)
    else:
        click.echo(f"{answer.commit} is on record for nobody", err=True)
    if answer.owner is None:
        raise SystemExit(1)
