"""Our own files under the common dir: locks, caches, the hooks' error log. Never the truth."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from gitledger.errors import NotUsable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitledger.git.repository import Repository


def place(repo: Repository, *names: str) -> str:
    """A path below our directory in the common dir, which git names."""
    return os.path.join(repo.common_dir, "ledger", *names)


@contextlib.contextmanager
def held(repo: Repository, name: str) -> Iterator[None]:
    """Hold a lock that its owner's death releases. Raises NotUsable where it can't be made."""
    path = place(repo, f"{name}.lock")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise NotUsable(f"cannot write '{path}': {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_whole(path: str, content: bytes) -> None:
    """Write a file so that a reader sees the old or the new one, never half of it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "wb") as file:
        file.write(content)
    os.replace(temporary, path)
