"""What `git status` tells of a worktree, untracked files included.

Source of the format: git-status(1), "Porcelain Format Version 2".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository

_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "-uall", "--no-renames"),
    *("--ignore-submodules=dirty", "--no-ahead-behind"),
)
_NO_THREADS = ("-c", "core.preloadIndex=false")
_HEAD = b"# branch.oid "
_FIELDS = {b"1": 8, b"u": 10}  # blanks before the path
GONE = b"000000"
FILES = frozenset((b"100644", b"100755"))
_PLAIN = FILES | {GONE, b"120000"}


class Entry(NamedTuple):
    """One path. `staged` is its mode and id in the index; `state` how the worktree differs from that.

    The state is git's letter (`.` where it does not differ, `?` for an untracked file),
    and `mode` what stands in the worktree. `plain`: nothing but files, and nothing unmerged.
    """

    path: bytes
    state: bytes
    mode: bytes = GONE
    staged: tuple[bytes, bytes] = (GONE, b"")
    plain: bool = True


class Status(NamedTuple):
    """All that is not as the last commit, `head`, has it; or `why` git can't tell."""

    entries: tuple[Entry, ...] | None
    head: str | None = None
    why: str | None = None

    @property
    def paths(self) -> tuple[bytes, ...]:
        return tuple(one.path for one in self.entries or ())


def status(repo: Repository, *, crowded: bool = False) -> Status:
    """What `git status` names in this worktree. `crowded`: others are asked at the same time."""
    git = repo.git
    few = _NO_THREADS if crowded and _is_near(git.directory) else ()
    asked = git.try_run(*few, *_STATUS)
    if asked.status:
        return Status(None, why=f"git status: {asked.stderr.strip()}")
    heads = [one.removeprefix(_HEAD).decode() for one in asked.records if one.startswith(_HEAD)]
    return Status(tuple(_entries(asked.records)), heads[0] if heads else None)


def _is_near(directory: str) -> bool:
    """Whether files are looked up in this machine: over a network git's many threads help.

    A file system on a network has no device, so its number is one without a major part.
    """
    try:
        return os.major(os.stat(directory).st_dev) != 0
    except OSError:
        return False


def _entries(records: Sequence[bytes]) -> list[Entry]:
    return [_entry(one) for one in records if not one.startswith(b"#") and not _is_repository(one)]


def _is_repository(record: bytes) -> bool:
    """An untracked repository or worktree inside this one is work of its own."""
    return record.startswith(b"? ") and record.endswith(b"/")


def _entry(record: bytes) -> Entry:
    kind, _, rest = record.partition(b" ")
    if kind == b"?":
        return Entry(rest, b"?")
    *fields, path = rest.split(b" ", _FIELDS[kind] - 1)
    if kind == b"u":
        return Entry(path, b"U", plain=False)
    letters, submodule, *modes, _, oid = fields
    plain = submodule == b"N..." and _PLAIN.issuperset(modes)
    return Entry(path, letters[1:], modes[2], (modes[1], oid), plain)
