"""`verify`: everything that was recorded is there, and as it was written, or it says what is not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import json_document, put, talk
from gitledger.cli.terminal import progress
from gitledger.cli.text import plural, shown
from gitledger.errors import Undecided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.services.verdicts import Verdict
    from gitledger.services.verify import Verified

WORDS = {"same": "same", "differs": "differs", "not-derivable": "can't be derived"}


@click.command("verify")
@click.option("--verdicts", is_flag=True, help="Derive every verdict on record again, by git.")
@json_option
@click.pass_context
def verify_command(ctx: click.Context, verdicts: bool, as_json: bool) -> None:
    """Walk every log and name what is broken, changed or missing.

    Live and archived logs, the refs around them and all notes. With --verdicts each
    verdict that merge and the gates recorded is derived again from its two commits. Exits
    with 1 where something is wrong, else with 3 where a verdict can't be derived any
    more; writes nothing.
    """
    from gitledger.git.repository import discover
    from gitledger.services.verify import verify

    with progress("verdicts") as tell:
        found = verify(discover(), tell if verdicts else None)
    if as_json:
        _document(found)
    else:
        _report(found)
    ctx.exit(1 if found.faults else Undecided.exit_code if found.unsure else 0)


def _document(found: Verified) -> None:
    faults = [
        {"ref": one.ref, "what": one.what} | ({"line": one.line} if one.line else {})
        for one in found.faults
    ]
    more: dict[str, Any] = {}
    if found.verdicts is not None:
        more["verdicts"] = [_entry(one) for one in found.verdicts]
        more["verdict_counts"] = _counts(found.verdicts)
    counts = {"logs": found.logs, "events": found.events, "notes": found.notes}
    json_document("ledger.verify/1", **counts, faults=faults, **more)


def _entry(one: Verdict) -> dict[str, Any]:
    differences = [
        {"field": each.field, "recorded": each.recorded, "derived": each.derived}
        for each in one.found.differences
    ]
    where = one.recorded
    return {
        "ref": where.ref,
        "line": where.line,
        "event": where.event.id,
        "agent": where.agent,
        "status": one.found.status,
        "differences": differences,
        **({"reason": one.found.reason} if one.found.reason else {}),
    }


def _counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    counted = Counter(one.found.status for one in verdicts)
    return {name: counted[name] for name in WORDS}


def _report(found: Verified) -> None:
    for one in (*found.faults, *found.unsure):
        line = f", line {one.line}" if one.line else ""
        put(shown(f"{one.ref}{line}: {one.what}"))
    walked = f"{plural(found.logs, 'log')}, {plural(found.events, 'event')}"
    wrong = plural(len(found.faults), "fault") if found.faults else "nothing is wrong"
    talk(f"{walked}, {plural(found.notes, 'note')}: {wrong}")
    if found.verdicts is not None:
        counts = _counts(found.verdicts)
        each = ", ".join(f"{counts[name]} {words}" for name, words in WORDS.items() if counts[name])
        talk(f"{plural(len(found.verdicts), 'verdict')}" + (f": {each}" if each else ""))
