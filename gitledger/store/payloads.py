"""What is too long for a line: a blob of its own, named by the event and kept by a tree.

Source: DESIGN section 2, "A payload over 16 KB is a blob in the tree …/files".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gitledger.git.objects import resolve, write_blob
from gitledger.git.refs import Update

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

LARGEST = 16 * 1024  # bytes of a line


def with_payload_apart(repo: Repository, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The body with its long values moved to a blob, and that blob's id."""
    long = {key: value for key, value in body.items() if len(json.dumps(value)) > LARGEST // 8}
    blob = write_blob(repo, json.dumps(long, separators=(",", ":")).encode())
    return {**{k: v for k, v in body.items() if k not in long}, "payload": blob}, blob


def grown_tree(repo: Repository, ref: str, named: dict[str, str]) -> Update:
    """The files tree with one entry more an event: event id to blob."""
    found = resolve(repo, [ref])[0]
    old = found[0] if found else None
    entries = repo.git.run("ls-tree", "-z", old).stdout if old else b""
    fresh = b"".join(b"100644 blob %s\t%s\0" % (b.encode(), e.encode()) for e, b in named.items())
    return Update(ref, repo.git.run("mktree", "-z", stdin=entries + fresh).line, old)
