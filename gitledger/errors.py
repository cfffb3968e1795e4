"""What goes wrong for a reason that the user can do something about.

Every error has a message (`error: …`) and may have a hint (`hint: …`). A child
class exists only where somebody catches it or where the exit code differs.
"""

from __future__ import annotations


class LedgerError(Exception):
    """Base of all: bad usage, a name that does not resolve, a transition not allowed.

    `exit_code` follows the table in DESIGN section 5: 2 usage, 1 found
    something, 3 unknown, 4 refused until a person says so, 128 no usable repository.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Found(LedgerError):
    """A check found what it looked for: conflicts, missing parts, a fault."""

    exit_code = 1


class Undecided(LedgerError):
    """It can't be told, and the message says why. Never shown as clean."""

    exit_code = 3


class Refused(LedgerError):
    """Possible, but not until a person says so."""

    exit_code = 4


class NotUsable(LedgerError):
    """Not a repository, or one that cannot be read or written."""

    exit_code = 128


class GitError(NotUsable):
    """git itself failed; `status` is its exit code and `stderr` its own words."""

    def __init__(self, command: str, status: int, stderr: str) -> None:
        first = next((line for line in stderr.splitlines() if line.strip()), "")
        words = first.removeprefix("fatal: ").removeprefix("error: ")
        super().__init__(f"git {command}: {words or f'exit status {status}'}")
        self.status = status
        self.stderr = stderr


class Contended(NotUsable):
    """A ref kept moving, or stayed locked, through every bounded retry."""
