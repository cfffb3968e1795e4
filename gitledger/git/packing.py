"""Objects made here, given to git as one pack: one process, however many they are.

Source of the format: gitformat-pack(5). git reads it as it would a fetched one, so a
damaged object does not get in.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

_TYPES = {"commit": 1, "tree": 2, "blob": 3}
_AS_IT_IS = 0  # ids do not compress, and the pack lives as long as the question

Made = tuple[str, bytes]  # type and content


def put(repo: Repository, objects: Mapping[str, Made], scratch: Scratch) -> None:
    """Put the objects (by id) into the scratch store. Raises GitError where git won't."""
    if objects:
        stdin = _pack(repo.hash_name, objects.values())
        repo.git.run("index-pack", "--stdin", stdin=stdin, env=scratch.env)


def _pack(hash_name: str, objects: Iterable[Made]) -> bytes:
    parts = [_entry(one) for one in objects]
    content = b"".join([b"PACK", (2).to_bytes(4), len(parts).to_bytes(4), *parts])
    return content + hashlib.new(hash_name, content, usedforsecurity=False).digest()


def _entry(made: Made) -> bytes:
    """Type and size in groups of 4 and then 7 bits, the lowest first; then the content."""
    kind, content = made
    size = len(content)
    head = [_TYPES[kind] << 4 | size & 15]
    size >>= 4
    while size:
        head[-1] |= 128
        head.append(size & 127)
        size >>= 7
    return bytes(head) + zlib.compress(content, _AS_IT_IS)
