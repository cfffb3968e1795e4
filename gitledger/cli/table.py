"""Every command: its name, its line of help, and where it lives.

The line stands here so that the overview imports no command; a test holds that it
equals the command's own.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """`where` is `module:function` of a click command or group."""

    where: str
    help: str


Section = dict[str, Entry]

_HELP = "gitledger.cli.help"
_SETUP = "gitledger.cli.setup"

START: Section = {
    "init": Entry(
        f"{_SETUP}:init", "Install the hooks that record, beside whatever hooks are there"
    ),
    "deinit": Entry(f"{_SETUP}:deinit", "Take the hooks out; every other hook and setting stays"),
    "doctor": Entry(
        f"{_SETUP}:doctor",
        "Say which worktrees record, what does not, and what mends it",
    ),
    "help": Entry(f"{_HELP}:help_command", "Show help for git ledger or one of its commands"),
}
WORK: Section = {
    "spawn": Entry(
        "gitledger.cli.spawn:spawn_command",
        "Make a branch and a worktree for a new agent, and print the path",
    ),
    "adopt": Entry(
        "gitledger.cli.spawn:adopt_command", "Record worktrees that stand without an agent"
    ),
    "who": Entry("gitledger.cli.who:who_command", "Name the agent that made a commit"),
    "reconcile": Entry(
        "gitledger.cli.who:reconcile_command",
        "Record what no hook saw: worktrees, commits, rewrites",
    ),
}
MERGE: Section = {}
ORCHESTRATE: Section = {}

SECTIONS: dict[str, Section] = {
    "Start here": START,
    "Record and follow agents": WORK,
    "Foresee conflicts and merge": MERGE,
    "Orchestrate": ORCHESTRATE,
}
COMMANDS: Section = {name: entry for part in SECTIONS.values() for name, entry in part.items()}
