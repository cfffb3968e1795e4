"""What the man page says beside the commands themselves."""

from __future__ import annotations

NAME = "git-ledger - who works in which worktree, who made this commit, and which branches will collide"

BEFORE = """
# DESCRIPTION

Several agents, or people, work on one repository at once, each in a git worktree.
git ledger records who was spawned where, from which commit, and every commit that
each one makes. It keeps that record inside git itself, in refs and notes, so that it
survives a crash, a lost context and a removed worktree. From it git ledger says, before
anything is merged, who will collide with whom and over what.

It is installed in a repository by `git ledger init` as git hooks that take milliseconds
and never fail a git command. After that plain git is enough: every `git worktree add`
is a spawn, every `git commit` is recorded.

An agent is named by its id, its branch, or a unique beginning of its id. Where a command
may leave it out, the agent of the current worktree is meant.
"""

# Settings that the code reads; a test holds that these are all.
CONFIG = {
    "ledger.target": (
        "The branch that work is to be merged into, where neither a command nor the agent "
        "names one (default: the branch of the main worktree)."
    ),
    "ledger.worktreeDir": (
        "Where `git ledger spawn` makes worktrees, from the main worktree (default: beside it)."
    ),
    "ledger.autoSpawn": (
        "With `branches`, each new branch in the main worktree is an agent too (default: off)."
    ),
    "ledger.gate": "What the gates do about a conflict: warn (default), block or off.",
    "ledger.<hook>.gate": "The same for one hook, such as ledger.pre-push.gate.",
    "ledger.trailer": (
        "Whether `Ledger-Agent: ID` in a commit message says whose commit it is (default: false)."
    ),
    "ledger.churnThreshold": (
        "From which report on an agent is flagged as churning: its task was probably cut "
        "wrong (default: 4)."
    ),
    "ledger.maxEntries": (
        "How many agents are kept before those that ended longest ago go to the archive "
        "(default: 50)."
    ),
    "ledger.quietPeriod": (
        "For how many seconds nothing may have moved before an agent whose process is gone "
        "counts as interrupted (default: 600)."
    ),
    "ledger.autoArchive": (
        "Whether a session is archived by itself once all its phases are completed (default: true)."
    ),
    "ledger.stateDir": "Where orchestration sessions keep their files (default: docs/maestro).",
}

_SETTINGS = "\n".join(f": {name} = {meaning}" for name, meaning in CONFIG.items())

AFTER = f"""
# CONFIGURATION

{_SETTINGS}
: color.ledger = When to use colour, as `color.ui` for this command alone.

# EXIT STATUS

: 0 = Done, and nothing found.
: 1 = The check found something: conflicts, missing parts, a fault, no agent here.
: 2 = Bad usage, a name that does not resolve, or a step that the agent's state does not allow.
: 3 = It can't be told, and the reason is printed. Never the same as clean.
: 4 = Refused until a person says so (--yes).
: 70 = A bug in git ledger; the path of a report is printed.
: 128 = Not a repository, or one that cannot be used.

# ENVIRONMENT

: GIT_LEDGER_AGENT = The id of the agent that works here, over the one that the worktree names.
: GIT_LEDGER_PID = The process that runs the agents spawned here, as with --pid.
: NO_COLOR = When set to anything, no colour unless --color asks for it.

# FILES

: refs/ledger/ = The ledger: the logs of agents and sessions, and what keeps their commits.
: refs/notes/ledger/ = Which agent made which commit; shown by `git log --notes='ledger/*'`.

# SEE ALSO

git-worktree(1), git-merge(1), git-merge-tree(1), git-notes(1), githooks(5)
"""
