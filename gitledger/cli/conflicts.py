"""conflicts, check: what would collide, before anything is merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitledger.cli import terminal
from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, talk
from gitledger.cli.told import tell_drift, tell_judgement

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.services.judging import Asked, Judgement
    from gitledger.services.live import View

SCHEMA = "ledger.conflicts/1"


def judging_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `conflicts` and `check` share."""
    onto = click.option("--onto", metavar="REF", help="The target to judge against.")
    drivers = click.option(
        "--no-drivers", is_flag=True, help="Run no merge driver of the configuration."
    )
    fetch = click.option("--no-fetch", is_flag=True, help="Fetch no missing object.")
    return onto(drivers(fetch(json_option(function))))


def diff_option(function: Callable[..., Any]) -> Callable[..., Any]:
    words = "Show both sides' hunks in the files of each conflict."
    return click.option("--diff", "hunks", is_flag=True, help=words)(function)


@click.command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@judging_options
@diff_option
@click.option(
    "--drift",
    "drifting",
    metavar="AGENT",
    help="Tell only what the target changed of the agent's files since it began.",
)
@click.option("--committed", is_flag=True, help="Leave uncommitted work out.")
@click.option("--all-pairs", is_flag=True, help="Tell the clean pairs too.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 for a conflict, 3 for an unknown.")
@click.pass_context
def conflicts(
    ctx: click.Context,
    agents: tuple[str, ...],
    onto: str | None,
    no_drivers: bool,
    no_fetch: bool,
    as_json: bool,
    hunks: bool,
    drifting: str | None,
    committed: bool,
    all_pairs: bool,
    exit_code: bool,
) -> None:
    """Foresee which agents collide with the target and with each other.

    The verdict is what git merge would do, uncommitted and untracked work included.
    Without AGENT every live agent is looked at. Writes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.model import verdict
    from gitledger.services.judging import judge_all
    from gitledger.services.live import look

    view = look(discover())
    asked = _asked(
        onto, no_drivers, no_fetch, committed=committed, others=True, hunks=hunks, as_json=as_json
    )
    if drifting is not None:
        _drift(view, drifting, asked, as_json=as_json)
        return
    judged = judge_all(view, agents, asked)
    if as_json:
        _document(judged, view.repo, every_pair=all_pairs)
    elif not judged.forecast.facts:
        talk("no live agent: 'git worktree add' or 'git ledger spawn' makes one")
    else:
        tell_judgement(judged, view.repo, every_pair=all_pairs)
    ctx.exit(verdict.exit_code(one.verdict for one in judged.forecast.pairs) if exit_code else 0)


@click.command()
@click.argument("name", required=False, metavar="[AGENT|BRANCH|COMMIT]")
@judging_options
@diff_option
@click.option("--others", is_flag=True, help="Look at the other live agents too.")
@click.option("--uncommitted", is_flag=True, help="Take uncommitted work in.")
@click.pass_context
def check(
    ctx: click.Context,
    name: str | None,
    onto: str | None,
    no_drivers: bool,
    no_fetch: bool,
    as_json: bool,
    hunks: bool,
    others: bool,
    uncommitted: bool,
) -> None:
    """Say whether a merge would go through, before it is made.

    Judges the commits of one agent, branch or commit (default: the agent here)
    against its target. Exits with 0 when git would merge, 1 for a conflict, 3 where
    it can't be told. Writes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.model import verdict
    from gitledger.services.find import here
    from gitledger.services.judging import judge_one
    from gitledger.services.live import look

    view = look(discover())
    asked = _asked(
        onto,
        no_drivers,
        no_fetch,
        committed=not uncommitted,
        others=others,
        hunks=hunks,
        as_json=as_json,
    )
    judged = judge_one(view, name or here(view).id, asked)
    if as_json:
        _document(judged, view.repo, every_pair=True)
    else:
        tell_judgement(judged, view.repo, every_pair=True)
    main = [one.verdict for one in judged.forecast.pairs if one.b is None]
    ctx.exit(verdict.exit_code(main))


def _drift(view: View, name: str, asked: Asked, *, as_json: bool) -> None:
    """The drift of one agent alone; of its pairs nothing is told."""
    from gitledger.errors import Undecided
    from gitledger.services.find import find
    from gitledger.services.judging import judge_one, no_drift_known

    agent = find(view, name)
    judged = judge_one(view, agent.id, asked._replace(others=False))
    why = no_drift_known(judged)
    if as_json:
        _document(judged, view.repo, every_pair=True)
    if why:
        raise Undecided(f"can't tell the drift of '{agent.id}': {why}")
    if as_json:
        return
    if not judged.drift.get(agent.id):
        talk(f"no drift: the target changed no file of {agent.id} since it began")
    else:
        tell_drift(judged)


def _asked(
    onto: str | None,
    no_drivers: bool,
    no_fetch: bool,
    *,
    committed: bool,
    others: bool,
    hunks: bool,
    as_json: bool,
) -> Asked:
    from gitledger.services.judging import Asked
    from gitledger.services.question import Terms

    diff = ("always" if terminal.color_wanted() and not as_json else "never") if hunks else None
    return Asked(onto, committed, others, Terms(no_drivers, no_fetch), diff)


def _document(judged: Judgement, repo: Any, *, every_pair: bool) -> None:
    from gitledger.services.judging import document

    json_document(SCHEMA, **document(judged, repo, every_pair=every_pair))
