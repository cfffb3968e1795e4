"""How trees differ from one reference tree: many comparisons in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.model.candidates import Shape, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitledger.git.process import Git

_WORDS = ("diff-tree", "--stdin", "-r", "-t", "-z", "--raw", "--no-renames", "--always")
_TREE = "040000"
_NOTHING = "000000"


def shapes(git: Git, reference: str, commits: Sequence[str]) -> dict[str, Shape | None]:
    """Each commit's tree as it differs from the reference commit's; None where objects miss.

    Without rename detection: a renamed file is a deletion and a creation.
    """
    wanted = list(dict.fromkeys(commits))
    if not wanted:
        return {}
    # A commit followed by another is compared with it as if that were its parent.
    asked = "".join(f"{one} {reference}\n" for one in wanted).encode()
    done = git.try_run(*_WORDS, stdin=asked)
    if done.status == 0:
        found = dict(_parsed(done.stdout))
        return {one: found.get(one) for one in wanted}
    if len(wanted) == 1:
        return {wanted[0]: None}
    middle = len(wanted) // 2  # one that can't be read ends the whole process
    halves = wanted[:middle], wanted[middle:]
    return {one: shape for half in halves for one, shape in shapes(git, reference, half).items()}


def _parsed(out: bytes) -> Iterator[tuple[str, Shape]]:
    commit = None
    rows: list[tuple[str, State, State]] = []
    fields = iter(out.split(b"\0")[:-1])
    for field in fields:
        if not field.startswith(b":"):
            if commit is not None:
                yield commit, Shape.of(rows)
            commit, rows = field.decode(), []
            continue
        old_mode, mode, old, oid, _ = field[1:].decode().split(" ")
        path = text(next(fields))
        rows += _rows(path, (old_mode, old), (mode, oid))
    if commit is not None:
        yield commit, Shape.of(rows)


def _rows(path: str, old: State, new: State) -> Iterator[tuple[str, State, State]]:
    """One entry; two where a directory took the place of a file, or the other way round."""
    keys = [_key(path, one) for one in (old, new)]
    if keys[0] == keys[1] or None in keys:
        key = keys[0] or keys[1]
        yield str(key), old if keys[0] else None, new if keys[1] else None
        return
    yield str(keys[0]), old, None
    yield str(keys[1]), None, new


def _key(path: str, state: State) -> str | None:
    if state is None or state[0] == _NOTHING:
        return None
    return path + "/" if state[0] == _TREE else path
