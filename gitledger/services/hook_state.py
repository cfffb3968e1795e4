"""Which agent was handed work to just now: short-lived, apart from the ledger.

One file a session, `ledger/hooks/<session>/active-agent` in the git dir, for programs
that look there. Losing it loses nothing. Source: REQUIREMENTS section 5.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from gitledger.model.names import encode

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

STALE = 2 * 60 * 60  # seconds
_FILE = "active-agent"


def write(repo: Repository, session: str, agent: str) -> None:
    """Say who is active in a session. Where it can't be written, nothing is."""
    directory = os.path.join(_root(repo), encode(session))
    temporary = os.path.join(directory, f".{_FILE}.{os.getpid()}")
    with contextlib.suppress(OSError):
        os.makedirs(directory, exist_ok=True)
        with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(agent + "\n")
        os.replace(temporary, os.path.join(directory, _FILE))


def read(repo: Repository, session: str) -> str | None:
    return _content(os.path.join(_root(repo), encode(session), _FILE))


def clear(repo: Repository, agent: str) -> None:
    """Take an agent that ended out of every worktree's git dir."""
    for directory in _directories(repo):
        if _content(os.path.join(directory, _FILE)) == agent:
            _remove(directory)


def prune(repo: Repository, now: float | None = None) -> list[str]:
    """Remove what is older than two hours; the directories removed."""
    limit = (time.time() if now is None else now) - STALE
    old = [one for one in _directories(repo) if _changed(one) < limit]
    for directory in old:
        _remove(directory)
    return old


def _root(repo: Repository) -> str:
    return repo.path("ledger/hooks")


def _directories(repo: Repository) -> list[str]:
    """The sessions' directories in the git dirs of all worktrees."""
    admin = repo.path("worktrees")
    roots = [_root(repo), os.path.join(repo.common_dir, "ledger", "hooks")]
    roots += [os.path.join(admin, one, "ledger", "hooks") for one in _names(admin)]
    found = [os.path.join(root, one) for root in dict.fromkeys(roots) for one in _names(root)]
    return [one for one in found if os.path.isdir(one) and not os.path.islink(one)]


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _content(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().removesuffix("\n")
    except OSError:
        return None


def _changed(directory: str) -> float:
    """When the newest of what lies in it was written."""
    times = [_time(os.path.join(directory, one)) for one in _names(directory)]
    return max([_time(directory), *times])


def _time(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _remove(directory: str) -> None:
    """Our own files, and the directory where nothing else is in it."""
    with contextlib.suppress(OSError):
        for name in _names(directory):
            if name == _FILE or name.startswith(f".{_FILE}."):
                os.remove(os.path.join(directory, name))
        os.rmdir(directory)
