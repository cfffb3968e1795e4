"""gate: what the gate hooks ask before git goes on."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from gitledger.errors import Found

if TYPE_CHECKING:
    from gitledger.services.gate import Decision

HOOKS = ["pre-commit", "pre-merge-commit", "pre-push", "manual"]


@click.command()
@click.argument("hook", type=click.Choice(HOOKS))
@click.argument("arguments", nargs=-1, metavar="[ARGUMENT]...")
def gate(hook: str, arguments: tuple[str, ...]) -> None:  # noqa: ARG001 - git's own, not needed
    """Judge what git is about to do, as a hook.

    Warns of a conflict, or stops git with exit code 1 where ledger.gate (or
    ledger.HOOK.gate) is `block`. `git ledger init --gates` installs it.
    """
    from gitledger.git.repository import discover
    from gitledger.services.gate import decide
    from gitledger.services.gate_subjects import Call

    stdin = sys.stdin.buffer.read() if hook == "pre-push" and not sys.stdin.isatty() else b""
    _tell(decide(discover(), Call(hook, stdin, dict(os.environ))), hook)


def _tell(decision: Decision, hook: str) -> None:
    from gitledger.cli.told import tell_conflict

    for judged in decision.judged:
        tell_conflict(judged)
    if decision.blocked:
        raise Found(
            "stopped by ledger.gate, which is 'block'",
            f"resolve it first, or go on once with: git -c ledger.{hook}.gate=off …",
        )
