"""The files that stand changed in a worktree, as blobs, without its index.

An index of 5,000 entries that is copied, changed, written and read again for three
edited files takes longer than all the rest. So it is done without wherever the index
has no say in what git would make of the files.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.process import data
from gitledger.git.status import FILES, GONE, status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.status import Entry, Status
    from gitledger.git.trees import Changes

_UNASKABLE = (b"\n", b"\r", b'"')  # in a list of paths these mean something else
_EDITED = frozenset((b"M", b"?"))
_CHUNK = 1 << 20
_MOST_HELD = 1 << 20  # bytes of one worktree's files, beyond which git reads them itself


class Edits(NamedTuple):
    """What a worktree's status names. `modes` is what each path would have in a tree.

    `contents` are the bytes of the edited files, None where they are too many to be held.
    """

    entries: Sequence[Entry]
    modes: Mapping[bytes, bytes]
    contents: Mapping[bytes, bytes] | None

    @property
    def edited(self) -> list[bytes]:
        """The paths whose content is not in the index."""
        return [one.path for one in self.entries if one.state in _EDITED]

    def changes(self, ids: Mapping[bytes, bytes]) -> Changes:
        """Path to what is there now, on top of the status's commit; `ids` of the edited files."""
        return {
            one.path: None if mode == GONE else (mode, ids.get(one.path, one.staged[1]))
            for one in self.entries
            if (mode := self.modes[one.path])
        }


def standing(repo: Repository, *, crowded: bool = False) -> tuple[Status, Edits | None]:
    """What `git status` names, and what stands there. `crowded`: others are asked meanwhile."""
    found = status(repo, crowded=crowded)
    return found, edits_of(repo, found) if found.entries else None


def edits_of(repo: Repository, found: Status) -> Edits | None:
    """What stands changed there; None where the index must help.

    It must for what is unmerged, for submodules and links, for an executable new file
    (`core.fileMode` has a say), and for carriage returns: git leaves them alone in a file
    that has them in the index.
    """
    entries = found.entries or ()
    modes: dict[bytes, bytes] = {}
    for one in entries:
        mode = None if any(sign in one.path for sign in _UNASKABLE) else _mode(repo, one)
        if mode is None:
            return None
        modes[one.path] = mode
    return _read(repo, Edits(entries, modes, None))


def _mode(repo: Repository, one: Entry) -> bytes | None:
    """What the path would have in a tree; None where that is not for us to say."""
    if not one.plain:
        return None
    match one.state:
        case b"?":
            return _new_mode(_whole(repo, one.path))
        case b".":
            return one.staged[0]
        case b"D":
            return GONE
        case b"M" if one.mode in FILES and one.staged[0] in FILES:
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


def _read(repo: Repository, found: Edits) -> Edits | None:
    """With the contents; None where a file can't be read, or has a carriage return in it."""
    contents, room = {}, _MOST_HELD
    for path in found.edited:
        held = []
        try:
            with open(_whole(repo, path), "rb") as file:
                while chunk := file.read(_CHUNK):
                    if b"\r" in chunk:
                        return None
                    room -= len(chunk)
                    held += [chunk] if room >= 0 else []
        except OSError:
            return None
        contents[path] = b"".join(held)
    return found._replace(contents=contents if room >= 0 else None)


def hashed(repo: Repository, paths: Sequence[bytes], scratch: Scratch) -> dict[bytes, bytes] | None:
    """Files as git stores them, filters and all, by path; None where it can't."""
    asked = b"".join(path + b"\n" for path in paths)
    words = ("-c", "core.safecrlf=false", "hash-object", "-w", "--stdin-paths")
    done = repo.git.try_run(*words, stdin=asked, env=scratch.env)
    named = done.stdout.split()
    told = done.status == 0 and len(named) == len(paths)
    return dict(zip(paths, named, strict=True)) if told else None
