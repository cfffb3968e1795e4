"""`resume`: what was cut off is shown whole, then taken up again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gitledger.cli import terminal
from gitledger.cli.fields import owner_told, pid_option
from gitledger.cli.options import json_option, yes_option
from gitledger.cli.render import json_document, put, talk
from gitledger.cli.text import plural, shown
from gitledger.errors import LedgerError, Refused

if TYPE_CHECKING:
    from gitledger.model.agent import Agent
    from gitledger.services.live import LiveAgent, View
    from gitledger.services.resume import Brief

_SHORT = 10


@click.command("resume")
@click.argument("agent", required=False)
@click.option("--batch", is_flag=True, help="Every interrupted agent of a group: AGENT names it.")
@click.option("--recreate-worktree", is_flag=True, help="Make a worktree that is gone again.")
@click.option("--dry-run", is_flag=True, help="Show the brief, and write nothing.")
@pid_option
@yes_option
@json_option
def resume_command(
    agent: str | None,
    batch: bool,
    recreate_worktree: bool,
    dry_run: bool,
    pid: int | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Take up again an agent that was cut off.

    First its brief: the task, its work so far, and what the target has changed of its
    files since, by whom. It asks where there is such drift, or where nothing proves
    that the agent was cut off. AGENT is left out for the worktree's, else the newest
    interrupted one; with --batch it is a group.
    """
    from gitledger.git.repository import discover
    from gitledger.services import resume
    from gitledger.services.lifecycle import prepared
    from gitledger.services.live import look

    view = look(discover()) if dry_run else prepared(discover())
    how = _How(recreate_worktree, dry_run, yes, as_json, owner_told(pid))
    if not batch:
        _print_json(how, None, [_one(view, resume.chosen(view, agent), how)])
        return
    group, members, queued = resume.batch(view, agent)
    rows = [_going_on(view, one, how) for one in members]
    if not as_json:
        for one in queued:
            talk(f"{one.id} stays queued")
    _print_json(how, group, rows)
    refused = [row["id"] for row in rows if not row["resumed"] and not dry_run]
    if refused:
        raise resume.refused_summary(refused, len(rows))


class _How(NamedTuple):
    """What the user said."""

    recreate: bool
    dry_run: bool
    yes: bool
    as_json: bool
    owner: dict[str, Any] | None


def _going_on(view: View, one: LiveAgent, how: _How) -> dict[str, Any]:
    """One row of a batch: what is refused is told, and the next one comes."""
    try:
        return _one(view, one, how)
    except LedgerError as error:
        if not how.as_json:
            talk(shown(error.message))
        return {"id": one.id, "resumed": False, "why": error.message}


def _one(view: View, one: LiveAgent, how: _How) -> dict[str, Any]:
    from gitledger.services import resume

    found = resume.brief(view, one)
    if not how.as_json:
        _print_brief(found)
    if not how.dry_run:
        questions = found.questions
        if questions and not how.yes:
            _ask(found, questions)
        resume.resume(view, found, recreate_worktree=how.recreate, owner=how.owner)
        if not how.as_json:
            talk(f"resumed {one.id}")
    return {"id": one.id, "resumed": not how.dry_run, **_document(found)}


def _ask(found: Brief, questions: list[str]) -> None:
    """On a terminal; without one it is refused."""
    doubts = "; ".join(questions)
    try:
        terminal.confirm(f"{found.agent.id}: {doubts}; resume it all the same?", yes=False)
    except Refused:
        raise Refused(
            f"'{found.agent.id}' is not resumed: {doubts}", "give --yes to resume it"
        ) from None


def _document(found: Brief) -> dict[str, Any]:
    agent = found.agent
    told: dict[str, Any] = {
        "title": agent.title,
        "status": agent.status,
        "phase": agent.phase,
        "plan": agent.plan,
        "branch": found.one.branch or agent.branch,
        "worktree": agent.worktree,
        "spawn_commit": agent.spawn_commit,
        "summary": agent.summary,
        "revised": agent.revised_why,
        "doubt": found.doubt,
    }
    known = {name: value for name, value in told.items() if value is not None}
    return {
        **known,
        "worktree_gone": found.worktree_gone,
        "evidence": found.evidence or agent.evidence or [],
        "files": sorted(found.own.paths or ()),
        "uncommitted": found.uncommitted,
        "commits": [{"commit": oid, "subject": words} for oid, words in found.commits],
        "drift": [{"path": d.path, "by": d.by, "commit": d.commit} for d in found.drift],
    }


def _print_json(how: _How, group: str | None, rows: list[dict[str, Any]]) -> None:
    if how.as_json:
        named = {"group": group} if group is not None else {}
        json_document("ledger.resume/1", **named, agents=rows)


def _print_brief(found: Brief) -> None:
    """What to restart from, in an order in which one reads it."""
    told = _document(found)
    put(f"{terminal.paint(shown(found.agent.id), 'bold')}  {shown(found.agent.title)}")
    _print_facts(found, told)
    for one in found.commits:
        put(f"    {terminal.paint(one[0][:_SHORT], 'yellow')} {shown(one[1])}")
    _print_paths("changed", told["files"])
    _print_paths("uncommitted", found.uncommitted)
    if found.drift:
        put(terminal.paint("  changed on the target since:", "yellow", "bold"))
        for drifted in found.drift:
            put(f"    {shown(drifted.path)} by {shown(drifted.by)} in {drifted.commit[:_SHORT]}")


def _print_facts(found: Brief, told: dict[str, Any]) -> None:
    from gitledger.cli.render import Cell, columns

    agent = found.agent
    plan = [f"{name} {told[name]}" for name in ("phase", "plan") if name in told]
    gone = " (gone)" if found.worktree_gone else ""
    rows = [
        ("status", _standing(agent)),
        ("plan", ", ".join(plan)),
        ("branch", told.get("branch", "")),
        ("worktree", f"{told['worktree']}{gone}" if "worktree" in told else ""),
        ("spawned", f"{agent.spawned_at} from {(agent.spawn_commit or '')[:_SHORT]}"),
        ("cut off", ", ".join(map(str, told["evidence"]))),
        ("last report", agent.summary or ""),
        ("sent back", agent.revised_why or ""),
        ("declared", ", ".join(agent.files_declared)),
    ]
    columns([Cell(f"  {name}", ("dim",)), words] for name, words in rows if words)


def _standing(agent: Agent) -> str:
    reports = f", {plural(agent.iteration, 'report')}" if agent.iteration else ""
    return agent.status + reports


def _print_paths(name: str, paths: list[str]) -> None:
    if paths:
        put(f"  {name}: {', '.join(map(shown, paths))}")
