"""`report` and `revise`: work handed in, and sent back."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gitledger.cli.fields import owner_told, pid_option
from gitledger.cli.lifecycle import agent_argument, done
from gitledger.cli.options import json_option
from gitledger.cli.render import talk
from gitledger.cli.text import shown
from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.git.repository import Repository
    from gitledger.services.live import LiveAgent

_STDERR = 2  # what the checks print is talk, as ours is
F = TypeVar("F", bound="Callable[..., Any]")

_COUNTED = [
    click.option("--input", type=click.IntRange(0), help="Tokens read."),
    click.option("--output", type=click.IntRange(0), help="Tokens written."),
    click.option("--cached", type=click.IntRange(0), help="Tokens read from a cache."),
    click.option("--tool-uses", type=click.IntRange(0), help="Uses of tools."),
    click.option("--turns", "turn_count", type=click.IntRange(0), help="Turns taken."),
    click.option(
        "--compactions", "compaction_count", type=click.IntRange(0), help="Compactions of context."
    ),
]


def usage_options(function: F) -> F:
    """What is added to the agent's sums; together they are keywords that `used` takes."""
    for option in reversed(_COUNTED):
        function = option(function)
    return function


def used(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, as an event has it: tokens together under `usage`."""
    told: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    tokens = {part: told.pop(part) for part in ("input", "output", "cached") if part in told}
    return {**told, "usage": tokens} if tokens else told


@click.command("report")
@agent_argument
@click.option("-m", "--summary", metavar="WORDS", help="What was done, in a few words.")
@click.option("--result", metavar="WORDS", help="The result in the agent's own words.")
@click.option("--outcome", metavar="WORD", help="As a completion marker has it: complete, partial.")
@click.option("--from-output", metavar="FILE", help="Take the outcome from its final output.")
@click.option("--summary-file", metavar="PATH", help="Its SUMMARY.md, with --from-output.")
@click.option("--run-checks", is_flag=True, help="Run its checks and record how they ended.")
@click.option(
    "--task", "tasks", multiple=True, metavar="TASK=STATUS", help="completed, failed or skipped."
)
@click.option("--checkpoints-skipped", type=click.IntRange(0), help="How many were skipped.")
@click.option("--output-file", metavar="PATH", help="Where its transcript is.")
@usage_options
@json_option
def report_command(
    agent: str | None,
    run_checks: bool,
    tasks: tuple[str, ...],
    from_output: str | None,
    summary_file: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Hand an agent's work in for review.

    What it did is taken from git: commits, files, lines. Its iteration goes up by one,
    and an interrupted agent is resumed by it. With --from-output its completion marker
    and what it left decide the outcome; one that says it failed is failed.
    """
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import report

    if from_output is None and summary_file is not None:
        raise LedgerError("'--summary-file' goes with '--from-output'")
    if from_output is not None and given["outcome"] is not None:
        raise LedgerError("'--outcome' or '--from-output', not both")

    repo = discover()
    told = used({**given, "task_results": _tasks(tasks) or None})
    if run_checks:
        told["checks"] = _run_checks(repo, agent)
    if from_output is None:
        done(report(repo, agent, told), "reported", as_json=as_json)
    else:
        _from_output(repo, agent, told, (from_output, summary_file), as_json=as_json)


def _from_output(
    repo: Repository,
    agent: str | None,
    told: dict[str, Any],
    files: tuple[str, str | None],
    *,
    as_json: bool,
) -> None:
    from gitledger.services.completion import report_from_output
    from gitledger.services.session_start import read_text

    step, found = report_from_output(repo, agent, read_text(files[0]), told, files[1])
    for words in found.warnings:
        talk(f"warning: {shown(words)}")
    failed = step.events[-1].kind == "failed"
    done(step, "failed" if failed else f"reported {found.verdict}:", as_json=as_json)


def _tasks(words: tuple[str, ...]) -> dict[str, Any]:
    from gitledger.model.fields import TASK_STATUSES

    found = {}
    for word in words:
        task, _, status = word.rpartition("=")
        if not task or status not in TASK_STATUSES:
            known = ", ".join(TASK_STATUSES)
            raise LedgerError(f"'{word}' is no task", f"write it as task=status, of {known}")
        found[task] = {"status": status}
    return found


def _run_checks(repo: Repository, agent: str | None) -> list[dict[str, Any]]:
    from gitledger.model.lifecycle import check
    from gitledger.services import checks
    from gitledger.services.find import find
    from gitledger.services.live import look
    from gitledger.services.project import settings

    one: LiveAgent = find(look(repo), agent)
    check(one.agent.status, "report", one.id)
    wanted = one.agent.checks or checks.of_project(settings(repo))
    sys.stderr.flush()
    ran = checks.run(one, wanted, _STDERR)
    for each in ran:
        code = each["exit_code"]
        talk(f"check {each['name']} {'passed' if code == 0 else f'failed with {code}'}")
    return ran


@click.command("revise")
@agent_argument
@click.option("-m", "--why", metavar="WORDS", required=True, help="What is to be changed.")
@pid_option
@json_option
def revise_command(agent: str | None, why: str, pid: int | None, as_json: bool) -> None:
    """Send an agent's reported work back to it, saying why."""
    from gitledger.git.repository import discover
    from gitledger.services.lifecycle import revise

    step = revise(discover(), agent, why, owner_told(pid))
    done(step, "sent back", as_json=as_json)
