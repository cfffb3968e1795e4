"""What changed between pairs of texts, by git's own diff: one process for any number of them.

Each pair is a path of two trees made for the purpose. Importing libgit2 would cost as
much as twenty processes, and it lacks the algorithm that git merges by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitledger.git.repository import Repository

Hunk = tuple[int, int, int, int]  # old start, old end, new start, new end; lines from 0
Texts = tuple[str, str]  # blob ids, old and new

_DIFF = (
    *("diff-tree", "-p", "-U0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff"),
    # merge-ort compares by this, whatever `diff.algorithm` says.
    *("--no-textconv", "--no-renames", "--diff-algorithm=histogram"),
)


def hunks(
    repo: Repository, pairs: Sequence[Texts], env: Mapping[str, str]
) -> dict[Texts, list[Hunk] | None]:
    """The changed lines of each pair, without context; None where git calls one binary.

    The blobs must be there. With `env` the trees go to a scratch store.
    """
    wanted = list(dict.fromkeys(pairs))
    differing = [one for one in wanted if one[0] != one[1]]
    found: dict[Texts, list[Hunk] | None] = {one: [] for one in wanted}
    if differing:
        trees = _trees(repo, differing, env)
        out = repo.git.run(*_DIFF, *trees, env=env).stdout
        found |= {differing[number]: told for number, told in _parsed(out)}
    return found


def _trees(repo: Repository, pairs: Sequence[Texts], env: Mapping[str, str]) -> list[str]:
    """Two trees, in which a pair's texts have its number for a name."""
    sides = zip(*pairs, strict=True)
    listed = (
        "".join(f"100644 blob {oid}\t{number:06}\n" for number, oid in enumerate(side))
        for side in sides
    )
    asked = "\n".join(listed).encode()
    return (
        repo.git.run("mktree", "--batch", "--missing", stdin=asked, env=env).stdout.decode().split()
    )


def _parsed(out: bytes) -> Iterator[tuple[int, list[Hunk] | None]]:
    """Without context a line of a text begins with a sign, and any other is git's own."""
    number, found = -1, list[Hunk]()
    for line in out.split(b"\n"):
        if line.startswith(b"diff --git "):
            if number >= 0:
                yield number, found
            number, found = int(line.rpartition(b"/")[2]), []
        elif line.startswith(b"@@ "):
            found.append(_placed(line))
        elif line.startswith(b"Binary files "):
            yield number, None
            number = -1
    if number >= 0:
        yield number, found


def _placed(line: bytes) -> Hunk:
    """`@@ -start,count +start,count @@`: from 1, an empty side by the line before it."""
    old, new = (_range(word[1:]) for word in line.split(b" ")[1:3])
    return *old, *new


def _range(word: bytes) -> tuple[int, int]:
    first, _, count = word.partition(b",")
    lines = int(count) if count else 1
    start = int(first) - 1 if lines else int(first)
    return start, start + lines
