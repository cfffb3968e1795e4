"""`markers`, `detect`, `handoff`: how an agent's end is known, and what it must leave."""

from __future__ import annotations

from typing import Any

import click

from gitledger.cli.options import json_option
from gitledger.cli.render import columns, json_document, put, talk
from gitledger.cli.text import plural, shown


@click.command("markers")
@click.option("--role", metavar="ROLE", help="Only this agent's, those that workflows match too.")
@json_option
def markers(role: str | None, as_json: bool) -> None:
    """List the completion markers of the known agents.

    A marker is a level-2 heading at the start of a line of an agent's final output. A
    project adds its own under [tool.gitledger.markers] in pyproject.toml.
    """
    from gitledger.errors import LedgerError
    from gitledger.git.repository import discover
    from gitledger.services.project import registry

    known = registry(discover())
    if role is not None and known.contract(role) is None:
        raise LedgerError(f"unknown agent '{role}'", "'git ledger markers' lists them")
    contracts = [one for one in known.contracts if role in {None, one.agent}]
    if as_json:
        json_document("ledger.markers/1", agents=[_entry(known, one) for one in contracts])
        return
    rows: list[list[str]] = []
    for contract in contracts:
        found = known.markers(contract.agent)
        rows += [[contract.agent, one.text, one.outcome] for one in found]
        if not found:
            rows.append([contract.agent, "no marker", _leaves(contract.leaves)])
    columns(rows, header=("agent", "marker", "outcome"), wide=1)


def _entry(known: Any, contract: Any) -> dict[str, Any]:
    found = [{"marker": one.text, "outcome": one.outcome} for one in known.markers(contract.agent)]
    leaves = {"leaves": contract.leaves} if contract.leaves else {}
    return {"agent": contract.agent, "role": contract.role, "markers": found, **leaves}


def _leaves(leaves: str | None) -> str:
    kind, _, what = (leaves or "").partition(":")
    words = {
        "files": "the files that it was to write",
        "section": f"its section '## {what}'",
        "json": f"JSON below {what}",
        "json-tags": "JSON in tags",
    }
    return "judged by " + words.get(kind, "what it says")


@click.group("handoff")
def handoff() -> None:
    """Check the documents that one agent hands to the next."""


@handoff.command("check")
@click.argument("kind", type=click.Choice(["plan", "summary"]))
@click.argument("path", metavar="FILE")
@json_option
def check(kind: str, path: str, as_json: bool) -> None:
    """Name what a PLAN.md or SUMMARY.md lacks; exit 1 where it lacks something.

    For a summary its commits and key files must exist too. FILE '-' is stdin.
    """
    from gitledger.errors import Found
    from gitledger.git.repository import discover
    from gitledger.services.handoff import missing
    from gitledger.services.session_start import read_text

    found = missing(discover(), kind, read_text(path))
    if as_json:
        json_document("ledger.handoff/1", kind=kind, path=path, missing=found)
    else:
        for one in found:
            put(f"missing: {shown(one)}")
    if found:
        raise Found(f"{shown(path)} lacks {plural(len(found), 'part')}")
    if not as_json:
        talk(f"{shown(path)} lacks nothing")


@click.command("detect")
@click.argument("agent", required=False)
@click.option("--output", required=True, metavar="FILE", help="Its final output; '-' is stdin.")
@click.option("--summary", metavar="FILE", help="Its SUMMARY.md, where it is not found.")
@json_option
def detect(agent: str | None, output: str, summary: str | None, as_json: bool) -> None:
    """Say how an agent's run ended, by its last words and what it left.

    Markers in its output, and a spot check: its summary, its commits, the files that it
    was to write. Nothing is recorded; 'git ledger report --from-output' does that.
    """
    from gitledger.git.repository import discover
    from gitledger.services import completion
    from gitledger.services.find import find
    from gitledger.services.live import look
    from gitledger.services.session_start import read_text

    view = look(discover())
    found = completion.detect(view, find(view, agent), read_text(output), summary)
    if as_json:
        json_document(
            "ledger.detect/1",
            source=found.source,
            verdict=found.verdict,
            evidence=found.evidence,
            warnings=list(found.warnings),
        )
        return
    put(f"{found.verdict}, by {found.source}")
    for marker in found.markers:
        put(f"  line {marker.line}: {shown(marker.written)} ({marker.outcome})")
    for one in found.checks:
        put(f"  {'✓' if one.ok else '✗'} {shown(one.words)}")
    for words in found.warnings:
        talk(f"warning: {shown(words)}")
