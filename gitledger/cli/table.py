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
_AGENTS = "gitledger.cli.agents"
_LIFE = "gitledger.cli.lifecycle"
_REPORT = "gitledger.cli.reporting"
_AROUND = "gitledger.cli.around"

START: Section = {
    "init": Entry(
        f"{_SETUP}:init", "Install the hooks that record, beside whatever hooks are there"
    ),
    "demo": Entry(
        "gitledger.cli.demo:demo", "Show what git ledger does, in a throw-away repository"
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
    "list": Entry(f"{_AGENTS}:list_command", "List the agents, the most recent first"),
    "show": Entry(
        f"{_AGENTS}:show_command", "Show one agent: what is on record, and its work by git"
    ),
    "log": Entry(
        f"{_AGENTS}:log_command",
        "Tell an agent's life in order: events, and commits among them",
    ),
    "current": Entry(
        f"{_AGENTS}:current_command", "Print the id of the agent that works in this worktree"
    ),
    "path": Entry(
        f"{_AROUND}:path_command",
        "Print the path of an agent's worktree",
    ),
    "diff": Entry(f"{_AROUND}:diff_command", "Show what an agent itself changed, as git diff does"),
    "who": Entry("gitledger.cli.who:who_command", "Name the agent that made a commit"),
    "set": Entry(f"{_AROUND}:set_command", "Change fields of an agent's record"),
    "reconcile": Entry(
        "gitledger.cli.who:reconcile_command",
        "Record what no hook saw: worktrees, commits, rewrites",
    ),
    "verify": Entry(
        "gitledger.cli.verify:verify_command",
        "Walk every log and name what is broken, changed or missing",
    ),
    "prune": Entry(f"{_AROUND}:prune_command", "Archive the oldest agents that have ended"),
}
LIFE: Section = {
    "start": Entry(
        "gitledger.cli.spawn:start_command", "Give a queued agent its worktree, and print the path"
    ),
    "report": Entry(f"{_REPORT}:report_command", "Hand an agent's work in for review"),
    "revise": Entry(
        f"{_REPORT}:revise_command", "Send an agent's reported work back to it, saying why"
    ),
    "complete": Entry(f"{_LIFE}:complete_command", "Record that an agent has finished"),
    "fail": Entry(f"{_LIFE}:fail_command", "Record that an agent has failed, and why"),
    "close": Entry(
        f"{_LIFE}:close_command", "End an agent after review: its work is accepted or rejected"
    ),
    "interrupt": Entry(
        f"{_LIFE}:interrupt_command",
        "Record that a running agent was cut off",
    ),
    "resume": Entry(
        "gitledger.cli.resume:resume_command", "Take up again an agent that was cut off"
    ),
    "retry": Entry(
        "gitledger.cli.spawn:retry_command",
        "Spawn a new agent for the task of one that has ended",
    ),
    "abandon": Entry(
        f"{_LIFE}:abandon_command", "Give an agent up, or a group's interrupted and queued ones"
    ),
    "wait": Entry(
        f"{_AROUND}:wait_command", "Wait until agents have reported, ended or been cut off"
    ),
}
MERGE: Section = {
    "conflicts": Entry(
        "gitledger.cli.conflicts:conflicts",
        "Foresee which agents collide with the target and with each other",
    ),
    "check": Entry(
        "gitledger.cli.conflicts:check", "Say whether a merge would go through, before it is made"
    ),
    "plan": Entry("gitledger.cli.plan:plan", "Tell the order in which the most agents merge"),
    "merge": Entry(
        "gitledger.cli.merge:merge",
        "Merge an agent's branch into its target, and complete the agent",
    ),
    "gate": Entry("gitledger.cli.gate:gate", "Judge what git is about to do, as a hook"),
}
ORCHESTRATE: Section = {
    "session": Entry(
        "gitledger.cli.sessions:session",
        "Keep an orchestration: phases, agents, errors, files, usage",
    ),
    "usage": Entry("gitledger.cli.usage:usage", "Count what agents have used"),
    "detect": Entry(
        "gitledger.cli.contracts:detect",
        "Say how an agent's run ended, by its last words and what it left",
    ),
    "markers": Entry(
        "gitledger.cli.contracts:markers", "List the completion markers of the known agents"
    ),
    "handoff": Entry(
        "gitledger.cli.contracts:handoff", "Check the documents that one agent hands to the next"
    ),
    "import": Entry(
        "gitledger.cli.transfer:import_group", "Take another tool's records into the ledger"
    ),
    "export": Entry(
        "gitledger.cli.transfer:export_group",
        "Write records of the ledger as another tool keeps them",
    ),
}

SECTIONS: dict[str, Section] = {
    "Start here": START,
    "Record and follow agents": WORK,
    "Take an agent through its life": LIFE,
    "Foresee conflicts and merge": MERGE,
    "Orchestrate": ORCHESTRATE,
}
COMMANDS: Section = {name: entry for part in SECTIONS.values() for name, entry in part.items()}
