"""The configured checks of an agent, really run. Source: REQUIREMENTS section 1, `checks`."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.git.process import LOCATION_VARIABLES
from gitledger.model.event import now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.services.live import LiveAgent


def parse(words: Iterable[str]) -> list[dict[str, str]]:
    """`name=command` as checks. Raises LedgerError for anything else, or a name twice."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, command = word.partition("=")
        if not name or not equals or not command:
            raise LedgerError(f"'{word}' is no check", "write it as name=command")
        if name in found:
            raise LedgerError(f"check '{name}' is given twice")
        found[name] = command
    return [{"name": name, "command": command} for name, command in found.items()]


def of_project(settings: Mapping[str, Any]) -> list[dict[str, str]]:
    """`[tool.gitledger.checks]`: name to command. Raises LedgerError for a wrong type."""
    table = settings.get("checks", {})
    if not isinstance(table, dict) or not all(isinstance(one, str) for one in table.values()):
        raise LedgerError(
            "'tool.gitledger.checks' is not a table of commands", 'write name = "command" in it'
        )
    return [{"name": name, "command": command} for name, command in table.items()]


def run(one: LiveAgent, checks: Iterable[Mapping[str, Any]], output: int) -> list[dict[str, Any]]:
    """Run each in the agent's worktree by `sh`; its exit code, time and commit.

    What they print goes to `output`, a file descriptor. Raises LedgerError without a
    worktree or without any check.
    """
    wanted = list(checks)
    if not wanted:
        raise LedgerError(
            f"'{one.id}' has no checks",
            "give '--check name=command' to 'spawn' or 'set', or write [tool.gitledger.checks]",
        )
    tree = one.worktree
    if tree is None or not tree.present:
        raise LedgerError(f"'{one.id}' has no worktree to run its checks in")
    return [_run(tree.path, tree.head, check, output) for check in wanted]


def _run(directory: str, head: str | None, check: Mapping[str, Any], output: int) -> dict[str, Any]:
    env = {name: value for name, value in os.environ.items() if name not in LOCATION_VARIABLES}
    done = subprocess.run(
        ["sh", "-c", check["command"]],
        cwd=directory,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        check=False,
    )
    ran = {"name": check["name"], "command": check["command"], "exit_code": done.returncode}
    return {**ran, "at": now(), **({"commit": head} if head else {})}
