"""plan: in which order the most branches merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitledger.cli.conflicts import judging_options
from gitledger.cli.render import columns, json_document, put, talk

if TYPE_CHECKING:
    from gitledger.services.judging import Judgement
    from gitledger.services.plan import LeftOut, Planned

SCHEMA = "ledger.plan/1"
_MOST = 5


@click.command()
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@judging_options
def plan(
    agents: tuple[str, ...], onto: str | None, no_drivers: bool, no_fetch: bool, as_json: bool
) -> None:
    """Tell the order in which the most agents merge.

    Found by merging the branches one after another, in a place of its own. For each
    that does not merge after the others: with whom and over what, and what would merge
    if it went first. Judges commits. Writes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.services import plan as planning
    from gitledger.services.judging import Asked, judge_all
    from gitledger.services.live import look
    from gitledger.services.question import Terms

    view = look(discover())
    terms = Terms(no_drivers, no_fetch)
    asked = Asked(onto, committed_only=True, terms=terms, beside=False)
    judged = judge_all(view, agents, asked)
    planned = planning.plan(view, judged, terms)
    if as_json:
        json_document(SCHEMA, **planning.document(planned, judged))
    elif not judged.forecast.facts:
        talk("no live agent: 'git worktree add' or 'git ledger spawn' makes one")
    else:
        _tell(planned, judged)


def _tell(planned: Planned, judged: Judgement) -> None:
    target = judged.target.name if judged.target else ""
    files = {one.side.id: len(one.files) for one in judged.forecast.facts}
    meant = len(files) - len(planned.elsewhere)
    put(
        f"{len(planned.order)} of {meant} merge into {target}, in this order:"
        if meant
        else f"nothing is meant to be merged into {target}"
    )
    columns(
        [
            [f"{n:>3}", one, f"{files[one]} {'file' if files[one] == 1 else 'files'}"]
            for n, one in enumerate(planned.order, 1)
        ]
    )
    for one in planned.left:
        put()
        already = judged.integrated.get(one.id)
        known = f"already in {target} as {already.commit[:12]}" if already and already.whole else ""
        _tell_left(one, planned, target, known)
    if planned.elsewhere:
        put()
    for name in planned.elsewhere:
        put(f"elsewhere  {name} into {judged.into(name) or 'nothing'}")


def _tell_left(one: LeftOut, planned: Planned, target: str, known: str) -> None:
    why = one.reason or known
    put(f"left out  {one.id}" + (f" ({why})" if why else ""))
    columns([[f"    {path.path}", path.kind] for path in one.paths[:_MOST]])
    foes = [pair.b if pair.a == one.id else pair.a for pair in one.against]
    standing = [foe or target for foe in foes if foe is None or foe in planned.order]
    if standing:
        put(f"    conflicts with {', '.join(standing)}")
    if not one.instead:
        return
    lost = [name for name in planned.order if name not in one.instead]
    if lost:
        put(f"    merged first, {len(one.instead)} merge: without {', '.join(lost)}")
