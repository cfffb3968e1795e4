"""Objects in batches: one process for many, whatever the format of the repository."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import GitError
from gitledger.git.process import data, text

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.repository import Repository


class Found(NamedTuple):
    """An object: its id, type (`blob`, `tree`, `commit`, `tag`) and content."""

    oid: str
    kind: str
    content: bytes


def read_objects(
    repo: Repository, names: Sequence[str], env: Mapping[str, str] | None = None
) -> list[Found | None]:
    """What each name (`<id>`, `<ref>:<path>`) is, None where it is missing. One process.

    A name with a newline in it is missing: the protocol has no way to ask for it.
    """
    if not names:
        return []
    out = _converse(repo, ("cat-file", "--batch"), names, env)
    return list(_parsed(out, len(names)))


def resolve(
    repo: Repository, names: Sequence[str], env: Mapping[str, str] | None = None
) -> list[tuple[str, str] | None]:
    """The id and type of each name, None where it names nothing. One process."""
    if not names:
        return []
    out = _converse(repo, ("cat-file", "--batch-check"), names, env)
    # Only good answers have three words: "<name> missing", "<name> ambiguous".
    return [_checked(line) for line in out.split(b"\n")[: len(names)]]


def _checked(line: bytes) -> tuple[str, str] | None:
    words = line.split(b" ")
    if len(words) == 3 and words[2].isdigit():  # noqa: PLR2004
        return words[0].decode(), words[1].decode()
    return None


def _converse(
    repo: Repository, words: tuple[str, ...], names: Sequence[str], env: Mapping[str, str] | None
) -> bytes:
    child = repo.git.start(*words, env=env)
    asked = b"".join((b"" if "\n" in name else data(name)) + b"\n" for name in names)
    feeder = threading.Thread(target=_feed, args=(child, asked))
    errors: list[bytes] = []
    listener = threading.Thread(target=lambda: errors.append(_all(child.stderr)))
    feeder.start()
    listener.start()
    out = _all(child.stdout)
    feeder.join()
    listener.join()
    if child.wait() != 0:
        raise GitError(words[0], child.returncode, text(b"".join(errors)))
    return out


def _all(stream: object) -> bytes:
    with stream as pipe:  # type: ignore[attr-defined]
        return pipe.read()  # type: ignore[no-any-return]


def _feed(child: subprocess.Popen[bytes], asked: bytes) -> None:
    """From a thread: a child that nobody reads stalls once its pipe is full."""
    pipe = child.stdin
    if pipe is None:
        return
    try:
        with pipe:
            pipe.write(asked)
    except BrokenPipeError:
        pass  # the child died; its status says so


def _parsed(out: bytes, count: int) -> Iterable[Found | None]:
    place = 0
    for _ in range(count):
        end = out.index(b"\n", place)
        words = out[place:end].split(b" ")
        place = end + 1
        if len(words) != 3 or not words[2].isdigit():  # noqa: PLR2004
            yield None
            continue
        size = int(words[2])
        yield Found(words[0].decode(), words[1].decode(), out[place : place + size])
        place += size + 1


def write_blob(repo: Repository, content: bytes) -> str:
    """Write a blob and return its id. Raises GitError (read-only store, full disk)."""
    return repo.git.run("hash-object", "-w", "--stdin", stdin=content).line
