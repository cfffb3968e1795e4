"""Trees of commits with some paths changed, without an index: any number in one process."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git.objects import read_objects
from gitledger.git.process import text
from gitledger.model.names import object_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitledger.git.packing import Made
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

State = tuple[bytes, bytes]  # mode, and id in hex
Changes = dict[bytes, State | None]  # path to what is there now; None: nothing is
Row = tuple[bytes, bytes]  # mode, and id in bytes, as a tree has them
_TREE = b"40000"


@dataclass
class _Folder:
    """What changes in one directory, itself by its path."""

    path: bytes
    files: dict[bytes, State | None] = field(default_factory=dict)
    folders: dict[bytes, _Folder] = field(default_factory=dict)

    def put(self, names: Sequence[bytes], state: State | None) -> None:
        first, *rest = names
        if not rest:
            self.files[first] = state
            return
        above = self.path + b"/" if self.path else b""
        self.folders.setdefault(first, _Folder(above + first)).put(rest, state)

    def walk(self) -> Iterator[_Folder]:
        yield self
        for one in self.folders.values():
            yield from one.walk()


def changed_trees(
    repo: Repository, works: Sequence[tuple[str, Changes]], scratch: Scratch
) -> tuple[list[str], dict[str, Made]]:
    """The tree of each commit with its changes, and the trees that are new, to be stored.

    Paths with a newline can't be asked for. Raises GitError where a tree is missing.
    """
    roots = [_root(changes) for _, changes in works]
    places = [
        (commit, one.path)
        for (commit, _), root in zip(works, roots, strict=True)
        for one in root.walk()
    ]
    asked = [f"{commit}:{text(path)}" for commit, path in places]
    found = read_objects(repo, asked, scratch.env)
    # A directory that is new is missing as well: whoever stands above it knows.
    known = {
        place: one.content
        for place, one in zip(places, found, strict=True)
        if one and one.kind == "tree"
    }
    maker = _Maker(repo.hash_name, known)
    trees = [maker.root(commit, root) for (commit, _), root in zip(works, roots, strict=True)]
    return trees, maker.made


def _root(changes: Changes) -> _Folder:
    root = _Folder(b"")
    for path, state in changes.items():
        root.put(path.split(b"/"), state)
    return root


@dataclass
class _Maker:
    """Makes trees out of what was read; `made` are those that are new, by id."""

    hash_name: str
    known: Mapping[tuple[str, bytes], bytes]
    made: dict[str, Made] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """Bytes of an object's id."""
        return 32 if self.hash_name == "sha256" else 20

    def root(self, commit: str, folder: _Folder) -> str:
        return self._tree(self._entries(commit, folder, there=True))

    def _entries(self, commit: str, folder: _Folder, *, there: bool) -> dict[bytes, Row]:
        content = self.known.get((commit, folder.path), b"") if there else b""
        if there and (commit, folder.path) not in self.known:
            raise GitError("cat-file", 0, f"missing tree of '{text(folder.path)}'")
        found = _parsed(content, self.width)
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
        oid = object_name(self.hash_name, *made)
        self.made[oid] = made
        return oid


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
