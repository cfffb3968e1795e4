"""What changed between commits or trees: many comparisons in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.process import text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.repository import Repository

_WORDS = {"A": "created", "M": "modified", "T": "modified", "D": "deleted", "R": "renamed"}
Changes = tuple[tuple[str, str], ...]  # (change, path), sorted by path


def changed_paths(
    repo: Repository, trees: Sequence[tuple[str, str]], env: Mapping[str, str] | None = None
) -> dict[tuple[str, str], Changes]:
    """Old and new tree to what changed between them, without rename detection.

    A renamed file is a deletion and a creation: both names are touched.
    """
    wanted = list(dict.fromkeys(trees))
    if not wanted:
        return {}
    asked = "".join(f"{old} {new}\n" for old, new in wanted).encode()
    words = ("diff-tree", "--stdin", "-r", "-z", "--no-renames", "--name-status")
    out = repo.git.run(*words, stdin=asked, env=env).stdout
    found = dict(_parsed(out))
    return {pair: found.get(pair, ()) for pair in wanted}


def _parsed(out: bytes) -> list[tuple[tuple[str, str], Changes]]:
    """A head line `<old> <new>` before the records of each pair that differs."""
    found: list[tuple[tuple[str, str], list[tuple[str, str]]]] = []
    fields = iter(out.split(b"\0")[:-1])
    for field in fields:
        head, newline, rest = field.rpartition(b"\n")
        if newline:
            for line in head.split(b"\n"):
                old, new = line.decode().split(" ")
                found.append(((old, new), []))
        status = (rest if newline else field).decode()
        found[-1][1].append((_WORDS.get(status[:1], "modified"), text(next(fields))))
    return [(pair, tuple(sorted(paths, key=lambda one: one[1]))) for pair, paths in found]
