"""Trees of commits with some paths changed, without an index: any number in one process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git.objects import read_objects
from gitledger.git.process import text
from gitledger.model.names import object_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gitledger.git.packing import Made
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

State = tuple[bytes, bytes]  # mode, and id in hex
Changes = dict[bytes, State | None]  # path to what is there now; None: nothing is
Row = tuple[bytes, bytes]  # mode, and id in bytes, as a tree has them
_TREE = b"40000"


class _Folder:
    """What changes in one directory, itself by its path."""

    def __init__(self, path: bytes) -> None:
        self.path = path
        self.files: dict[bytes, State | None] = {}
        self.folders: dict[bytes, _Folder] = {}

    def put(self, names: Sequence[bytes], state: State | None) -> None:
        first, *rest = names
        if not rest:
            self.files[first] = state
            return
        above = self.path + b"/" if self.path else b""
        self.folders.setdefault(first, _Folder(above + first)).put(rest, state)


class Trees:
    """The directories of commits in which some paths lie, read in one process.

    `made` are the trees, by id, that `changed` has made and that are stored nowhere yet.
    """

    def __init__(
        self,
        repo: Repository,
        paths: Iterable[tuple[str, Iterable[bytes]]],
        scratch: Scratch,
        name: Callable[[str, bytes], str] | None = None,
    ) -> None:
        """`paths` below each commit; those with a newline can't be asked for.

        `name` is what git is asked for a directory of a commit: the same where it is the same.
        """
        wanted = ((commit, folder) for commit, below in paths for folder in folders(below))
        named = name or _by_path
        places = {at: named(*at) for at in dict.fromkeys(wanted)}
        names = list(dict.fromkeys(places.values()))
        found = dict(zip(names, read_objects(repo, names, scratch.env), strict=True))
        # A directory that is new is missing as well: whoever stands above it knows.
        self._known = {
            at: one.content
            for at, as_named in places.items()
            if (one := found[as_named]) and one.kind == "tree"
        }
        self._hash_name = repo.hash_name
        self._width = 32 if repo.hash_name == "sha256" else 20  # bytes of an object's id
        self.made: dict[str, Made] = {}

    def has(self, commit: str, folder: bytes, name: bytes) -> bool:
        """Whether that directory, one of those that were read, seems to have such an entry."""
        return b" %s\0" % name in self._known.get((commit, folder), b"")

    def changed(self, commit: str, changes: Changes) -> str:
        """The tree of the commit with its changes. Raises GitError where a tree is missing."""
        return self._tree(self._entries(commit, _root(changes), there=True))

    def _entries(self, commit: str, folder: _Folder, *, there: bool) -> dict[bytes, Row]:
        content = self._known.get((commit, folder.path), b"") if there else b""
        if there and (commit, folder.path) not in self._known:
            raise GitError("cat-file", 0, f"missing tree of '{text(folder.path)}'")
        found = _parsed(content, self._width)
        for name, below in folder.folders.items():
            old = found.get(name)
            was_there = old is not None and old[0] == _TREE
            inside = self._entries(commit, below, there=was_there)
            if inside:
                found[name] = _TREE, bytes.fromhex(self._tree(inside))
            elif was_there:
                del found[name]
        for name, state in folder.files.items():
            if state is not None:
                found[name] = state[0], bytes.fromhex(state[1].decode())
            elif name in found and found[name][0] != _TREE:
                del found[name]
        return found

    def _tree(self, entries: Mapping[bytes, Row]) -> str:
        made = "tree", _encoded(entries)
        oid = object_name(self._hash_name, *made)
        self.made[oid] = made
        return oid


def _by_path(commit: str, folder: bytes) -> str:
    return f"{commit}:{text(folder)}"


def folders(paths: Iterable[bytes]) -> list[bytes]:
    """The directories above paths, each once; the top is empty."""
    found = {b""}
    for path in paths:
        names = path.split(b"/")[:-1]
        found.update(b"/".join(names[: n + 1]) for n in range(len(names)))
    return sorted(found)


def _root(changes: Changes) -> _Folder:
    root = _Folder(b"")
    for path, state in changes.items():
        root.put(path.split(b"/"), state)
    return root


def _parsed(content: bytes, width: int) -> dict[bytes, Row]:
    """A tree's entries by name. Source of the format: `git cat-file tree`."""
    rows = re.findall(rb"(\d+) ([^\0]+)\0(.{%d})" % width, content, re.DOTALL)
    return {name: (mode, oid) for mode, name, oid in rows}


def _encoded(entries: Mapping[bytes, Row]) -> bytes:
    """git sorts a directory as if its name ended in a slash."""
    rows = sorted(
        (name + b"/" if mode == _TREE else name, b"%s %s\0%s" % (mode, name, oid))
        for name, (mode, oid) in entries.items()
    )
    return b"".join(row for _, row in rows)
