"""The files that stand changed in a worktree, as blobs, without its index.

An index of 5,000 entries that is copied, changed, written and read again for three
edited files takes longer than all the rest. So git hashes the files alone, filters
and all, wherever the index has no say in what it would make of them.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from gitledger.git.process import data
from gitledger.git.status import FILES, GONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.status import Entry, Status
    from gitledger.git.trees import Changes

_UNASKABLE = (b"\n", b"\r", b'"')  # in a list of paths these mean something else
_CHUNK = 1 << 20


def standing_changes(repo: Repository, found: Status, scratch: Scratch) -> Changes | None:
    """Path to what is there now, on top of the status's commit; None where the index must help.

    It must for what is unmerged, for submodules and links, for an executable new file
    (`core.fileMode` has a say), and for carriage returns: git leaves them alone in a file
    that has them in the index.
    """
    entries = found.entries or ()
    modes = {one.path: _mode(repo, one) for one in entries}
    if None in modes.values() or any(sign in path for path in modes for sign in _UNASKABLE):
        return None
    edited = [one.path for one in entries if one.state in {b"M", b"?"}]
    if any(_has_return(_whole(repo, path)) for path in edited):
        return None
    ids = _hashed(repo, edited, scratch)
    if ids is None:
        return None
    blobs = dict(zip(edited, ids, strict=True))
    return {
        one.path: None if mode == GONE else (mode, blobs.get(one.path, one.index[1]))
        for one in entries
        if (mode := modes[one.path])
    }


def _mode(repo: Repository, one: Entry) -> bytes | None:
    """What the path would have in a tree; None where that is not for us to say."""
    if not one.plain:
        return None
    match one.state:
        case b"?":
            return _new_mode(_whole(repo, one.path))
        case b".":
            return one.index[0]
        case b"D":
            return GONE
        case b"M" if one.mode in FILES and one.index[0] in FILES:
            return one.mode
        case _:
            return None


def _new_mode(path: bytes) -> bytes | None:
    try:
        found = os.lstat(path).st_mode
    except OSError:
        return None
    return b"100644" if stat.S_ISREG(found) and not found & stat.S_IXUSR else None


def _whole(repo: Repository, path: bytes) -> bytes:
    return os.path.join(data(repo.git.directory), path)


def _has_return(path: bytes) -> bool:
    """Whether a file has a carriage return in it, or can't be read."""
    try:
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                if b"\r" in chunk:
                    return True
    except OSError:
        return True
    return False


def _hashed(repo: Repository, paths: Sequence[bytes], scratch: Scratch) -> list[bytes] | None:
    if not paths:
        return []
    asked = b"".join(path + b"\n" for path in paths)
    words = ("-c", "core.safecrlf=false", "hash-object", "-w", "--stdin-paths")
    done = repo.git.try_run(*words, stdin=asked, env=scratch.env)
    named = done.stdout.split()
    return named if done.status == 0 and len(named) == len(paths) else None
