"""One thing that `git ledger doctor` has to say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Something wrong (`fault`) or worth knowing, the worktree's path, and what to do about it."""

    what: str
    fix: str
    worktree: str | None = None
    fault: bool = True
