"""What `git merge` would make of pairs of commits: git's own answer, many in one process.

Source of the format: git-merge-tree(1), "OUTPUT", with `-z`, `--stdin` and messages.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.process import text

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Mapping, Sequence

    from gitledger.git.process import Git


class Stage(NamedTuple):
    """One side of a conflicted path: 1 is the base, 2 ours, 3 theirs."""

    mode: str
    oid: str
    number: int
    path: str


class Message(NamedTuple):
    """What git says of some paths; `kind` is its stable name, such as `CONFLICT (contents)`."""

    paths: tuple[str, ...]
    kind: str
    words: str


class Outcome(NamedTuple):
    """git's answer for one pair. `clean` is None where git gave none, and `reason` says why."""

    clean: bool | None
    tree: str | None = None
    stages: tuple[Stage, ...] = ()
    messages: tuple[Message, ...] = ()
    reason: str | None = None


Pair = tuple[str, str]  # commit ids, ours and theirs
# A diff3 conflict names the base by a short id, which grows with the repository: by the
# whole one the same merge makes the same tree at any time.
_WORDS = ("-c", "core.abbrev=no", "merge-tree", "--write-tree", "-z", "--messages", "--stdin")


def merge_trees(
    git: Git, pairs: Sequence[Pair], env: Mapping[str, str], options: Sequence[str] = ()
) -> list[Outcome]:
    """An outcome for every pair, in order.

    A bad object or an assertion inside git ends the whole process and loses what it
    had buffered: what is unanswered is asked again in halves, so that only the pair
    that git can't do stays without an answer.
    """
    outcomes, stderr = _run(git, pairs, env, options)
    rest = pairs[len(outcomes) :]
    if not rest:
        return outcomes
    if len(pairs) == 1:
        return [Outcome(None, reason=_reason(stderr))]
    if len(rest) == 1:
        return outcomes + merge_trees(git, rest, env, options)
    middle = len(rest) // 2
    first = merge_trees(git, rest[:middle], env, options)
    return outcomes + first + merge_trees(git, rest[middle:], env, options)


def _reason(stderr: str) -> str:
    words = [line for line in stderr.splitlines() if line.strip()]
    last = words[-1] if words else "git merge-tree gave no answer"
    missing = any(sign in stderr for sign in ("unable to read", "missing", "could not fetch"))
    last = last.removeprefix("fatal: ").removeprefix("error: ")
    return f"missing objects: {last}" if missing else f"git failed: {last}"


def _run(
    git: Git, pairs: Sequence[Pair], env: Mapping[str, str], options: Sequence[str]
) -> tuple[list[Outcome], str]:
    child = git.start(*options, *_WORDS, env=env)
    feeder = threading.Thread(target=_feed, args=(child, pairs))
    errors: list[bytes] = []
    listener = threading.Thread(target=_listen, args=(child, errors))
    feeder.start()
    listener.start()
    out = child.stdout.read() if child.stdout else b""
    feeder.join()
    listener.join()
    child.wait()
    if child.stdout:
        child.stdout.close()
    return list(parse(out)), text(b"".join(errors))


def _feed(child: subprocess.Popen[bytes], pairs: Sequence[Pair]) -> None:
    """From a thread: a child whose answers nobody reads stalls at 64 KB."""
    if child.stdin is None:
        return
    try:
        with child.stdin as pipe:
            pipe.write("".join(f"{ours} {theirs}\n" for ours, theirs in pairs).encode())
    except BrokenPipeError:
        pass  # the child died; what it answered tells where


def _listen(child: subprocess.Popen[bytes], errors: list[bytes]) -> None:
    if child.stderr:
        with child.stderr as pipe:
            errors.append(pipe.read())


def parse(out: bytes) -> Iterator[Outcome]:
    """Every complete record; what a dying git left half-written is not among them."""
    fields = iter(out.split(b"\0")[:-1])
    while (status := next(fields, None)) is not None:
        try:
            yield _record(status, fields)
        except _Cut:
            return


class _Cut(Exception):
    """The output ends in the middle of a record."""


def _take(fields: Iterator[bytes]) -> bytes:
    for field in fields:
        return field
    raise _Cut


def _record(status: bytes, fields: Iterator[bytes]) -> Outcome:
    tree = _take(fields).decode()
    stages = []
    while entry := _take(fields):
        meta, _, path = entry.partition(b"\t")
        mode, oid, number = meta.decode().split(" ")
        stages.append(Stage(mode, oid, int(number), text(path)))
    messages = []
    # git < 2.41 prints its advice on submodules, bare, in the place of the empty last field.
    while (count := _take(fields)).isdigit():
        paths = tuple([text(_take(fields)) for _ in range(int(count))])
        kind, words = text(_take(fields)), text(_take(fields))
        messages.append(Message(paths, kind, words.strip()))
    return Outcome(status == b"1", tree, tuple(stages), tuple(messages))
