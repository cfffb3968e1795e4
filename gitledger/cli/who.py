"""`who` and `reconcile`: which agent made a commit, and what no hook saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk

if TYPE_CHECKING:
    from gitledger.services.reconcile import Report
    from gitledger.services.who import Answer

_HOW = {
    "hook": "recorded by a hook",
    "reconcile": "found in the reflog",
    "inferred": "inferred",
    "trailer": "named by its trailer",
}


@click.command("who")
@click.argument("commit", default="HEAD")
@json_option
@click.pass_context
def who_command(ctx: click.Context, commit: str, as_json: bool) -> None:
    """Name the agent that made a commit.

    COMMIT is any name of one (default: HEAD). How the answer is known is said beside
    it. Exits with 1 where the commit is on record for nobody.
    """
    from gitledger.git.repository import discover
    from gitledger.services.live import look
    from gitledger.services.who import commit_named, who

    repo = discover()
    answer = who(look(repo), commit_named(repo, commit))
    if as_json:
        json_document("ledger.who/1", **_document(answer))
    else:
        _tell(answer)
    ctx.exit(0 if answer.owner else 1)


def _document(answer: Answer) -> dict[str, Any]:
    agent = answer.owner.agent if answer.owner else None
    known: dict[str, Any] = {"commit": answer.commit, "agent": agent}
    if answer.owner:
        known["how"] = answer.owner.how
    if answer.owner and answer.owner.sources:
        known["from"] = list(answer.owner.sources)
    if answer.agent:
        known |= {"title": answer.agent.agent.title, "status": answer.agent.agent.status}
    if answer.note:
        known |= {"iteration": answer.note.iteration, "supersedes": list(answer.note.supersedes)}
    if answer.superseded_by:
        known["superseded_by"] = answer.superseded_by
    return known


def _tell(answer: Answer) -> None:
    if answer.owner is None:
        talk(f"{answer.commit} is on record for nobody")
        return
    title = f"  {answer.agent.agent.title}" if answer.agent else ""
    put(f"{answer.owner.agent}{title}")
    talk(f"{answer.commit} {_HOW[answer.owner.how]}")
    for source in answer.owner.sources:
        talk(f"picked from {source}")
    if answer.superseded_by:
        talk(f"superseded by {answer.superseded_by}")


@click.command("reconcile")
@json_option
def reconcile_command(as_json: bool) -> None:
    """Record what no hook saw: worktrees, commits, rewrites.

    It is found in reflogs, on branches and in the commits themselves. Every command
    that writes does this first; running it again changes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.services.reconcile import reconcile

    report = reconcile(discover())
    if as_json:
        json_document("ledger.reconcile/1", **_reconciled(report))
        return
    for ref in report.healed:
        put(f"made whole {ref}")
    for agent in report.spawned:
        put(f"spawned {agent}")
    for commit, owner in report.noted.items():
        put(f"noted {commit} as {owner.agent} ({_HOW[owner.how]})")
    for agent in report.completed:
        put(f"completed {agent}: its work is merged, and its worktree is gone")
    for commit, olds in report.superseded.items():
        put(f"noted {commit} in place of {' '.join(olds)}")
    if not report:
        talk("nothing to do: everything is on record")


def _reconciled(report: Report) -> dict[str, Any]:
    return {
        "spawned": report.spawned,
        "noted": [
            {"commit": oid, "agent": owner.agent, "how": owner.how}
            for oid, owner in report.noted.items()
        ],
        "superseded": [
            {"commit": oid, "supersedes": list(olds)} for oid, olds in report.superseded.items()
        ],
        "heads": report.heads,
        "healed": report.healed,
        "completed": report.completed,
    }
