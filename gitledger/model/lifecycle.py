"""What an agent may become, and by which command: one table, and who may read it.

Source: REQUIREMENTS section 2. Statuses are those that other programs write too;
a state is derived from one and tells whether it is at work, waiting or over.
"""

from __future__ import annotations

from gitledger.errors import LedgerError

QUEUED = "queued"
SPAWNED = "spawned"
INTERRUPTED = "interrupted"
RESUMED = "resumed"
AWAITING = "awaiting-review"
COMPLETED = "completed"
FAILED = "failed"
STATUSES = (QUEUED, SPAWNED, RESUMED, AWAITING, INTERRUPTED, COMPLETED, FAILED)

RUNNING_STATE, CLOSED_STATE = "running", "closed"
STATES = (QUEUED, RUNNING_STATE, AWAITING, INTERRUPTED, CLOSED_STATE)

_STATE = {
    SPAWNED: RUNNING_STATE,
    RESUMED: RUNNING_STATE,
    COMPLETED: CLOSED_STATE,
    FAILED: CLOSED_STATE,
}
RUNNING = frozenset({SPAWNED, RESUMED})
TERMINAL = frozenset({COMPLETED, FAILED})

_UNENDED = (QUEUED, SPAWNED, RESUMED, AWAITING, INTERRUPTED)
_ACCEPTED: dict[str | None, str] = {one: COMPLETED for one in _UNENDED if one != QUEUED}
_GIVEN_UP: dict[str | None, str] = dict.fromkeys(_UNENDED, FAILED)

# Command to what it makes of each status that it takes. None is: not recorded yet.
TRANSITIONS: dict[str, dict[str | None, str]] = {
    "queue": {None: QUEUED},
    "spawn": {None: SPAWNED},
    "start": {QUEUED: SPAWNED},
    "report": {SPAWNED: AWAITING, RESUMED: AWAITING, INTERRUPTED: AWAITING},
    "revise": {AWAITING: SPAWNED},
    "interrupt": {SPAWNED: INTERRUPTED, RESUMED: INTERRUPTED},
    "resume": {INTERRUPTED: RESUMED},
    "complete": {**_ACCEPTED},
    "close --accepted": {**_ACCEPTED},
    "merge": {**_ACCEPTED},
    "fail": {**_GIVEN_UP},
    "close --rejected": {**_GIVEN_UP},
    "abandon": {**_GIVEN_UP},
    "retry": {COMPLETED: COMPLETED, FAILED: FAILED},  # a new agent; the old one stays as it is
}

# Kind of event to what it makes of each status: how a log is read.
EVENTS: dict[str, dict[str | None, str]] = {
    "queued": TRANSITIONS["queue"],
    "spawned": {**TRANSITIONS["spawn"], **TRANSITIONS["start"]},
    "reported": TRANSITIONS["report"],
    "revised": TRANSITIONS["revise"],
    "interrupted": TRANSITIONS["interrupt"],
    "resumed": TRANSITIONS["resume"],
    "completed": TRANSITIONS["complete"],
    "failed": TRANSITIONS["fail"],
}


def state(status: str) -> str:
    """The state of a status: queued, running, awaiting-review, interrupted or closed."""
    return _STATE.get(status, status)


def allowed(status: str | None) -> list[str]:
    """The commands that a status takes, in the table's order."""
    return [command for command, moves in TRANSITIONS.items() if status in moves]


def check(status: str, command: str, agent_id: str = "agent") -> str:
    """The status after the command. Raises LedgerError naming both, and what is allowed."""
    moves = TRANSITIONS[command]
    if status in moves:
        return moves[status]
    takes = ", ".join(one for one in moves if one)
    commands = ", ".join(allowed(status))
    raise LedgerError(
        f"cannot {command} '{agent_id}': it is {status}, and {command} takes {takes}",
        f"an agent that is {status} takes: {commands}",
    )
