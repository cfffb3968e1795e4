"""Agent Trace 0.1.0 (cursor/agent-trace): which lines of a commit an agent wrote.

One record a commit. What the format has no word for is ours, under `metadata`.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from gitledger import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.model.snapshot import Snapshot

VERSION = "0.1.0"
_NAMESPACE = uuid.UUID("0b1c6a3e-6f0e-5d0b-9c37-7a1d3c1f4b52")  # ours: ids stay the same
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\", b"a": b"\a", b"b": b"\b"}
_ESCAPES |= {b"f": b"\f", b"r": b"\r", b"v": b"\v"}


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines `first` to `last` of a file, counted from 1, as a commit has them."""

    first: int
    last: int


def added(patches: bytes) -> dict[str, dict[str, list[Lines]]]:
    """Commit to path to the lines that it added, from `git diff-tree --stdin -p -U0`."""
    found: dict[str, dict[str, list[Lines]]] = {}
    files: dict[str, list[Lines]] = {}
    ranges: list[Lines] = []
    inside = 0  # lines of the hunk still to come: what looks like a header there is content
    for line in patches.split(b"\n"):
        if inside and line[:1] in {b"+", b"-", b"\\"}:
            inside -= line[:1] == b"+"
            continue
        hunk = _HUNK.match(line)
        if hunk:
            inside = int(hunk[2]) if hunk[2] is not None else 1
            if inside:
                ranges.append(Lines(int(hunk[1]), int(hunk[1]) + inside - 1))
        elif line.startswith(b"+++ "):
            ranges = []
            if line != b"+++ /dev/null":
                files[_path(line[4:])] = ranges
        elif re.fullmatch(rb"[0-9a-f]{40}|[0-9a-f]{64}", line):
            files = found.setdefault(line.decode(), {})
    return found


def _path(words: bytes) -> str:
    """A path as a patch has it, `b/` before it, in quotes where it is odd."""
    name = words.rstrip(b"\t")
    if name.startswith(b'"'):
        name = re.sub(rb"\\([0-7]{3}|.)", _unescaped, name[1:-1])
    return name.removeprefix(b"b/").decode("utf-8", "surrogateescape")


def _unescaped(found: re.Match[bytes]) -> bytes:
    word = found[1]
    return _ESCAPES[word] if word in _ESCAPES else bytes([int(word, 8)])


def record(
    agent: Snapshot, commit: str, made: int, files: Mapping[str, Sequence[Lines]]
) -> dict[str, Any]:
    """The record of one commit; `made` is when, in Unix seconds."""
    return {
        "version": VERSION,
        "id": str(uuid.uuid5(_NAMESPACE, f"{agent['id']} {commit}")),
        "timestamp": datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "vcs": {"type": "git", "revision": commit},
        "tool": {"name": "git-ledger", "version": __version__},
        "files": [
            {"path": path, "conversations": [_conversation(ranges)]}
            for path, ranges in sorted(files.items())
        ],
        "metadata": {"git-ledger": _ours(agent)},
    }


def _conversation(ranges: Iterable[Lines]) -> dict[str, Any]:
    told = [{"start_line": one.first, "end_line": one.last} for one in ranges]
    return {"contributor": {"type": "ai"}, "ranges": told}


def _ours(agent: Snapshot) -> dict[str, Any]:
    known: Any = agent
    names = ("id", "title", "role", "status", "iteration", "parent", "session", "session_phase")
    named = {name: known[name] for name in names if name in known}
    return {**named, "plan": known["plan"]} if "plan" in known else named
