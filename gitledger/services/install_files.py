"""Files and settings as values: what is, what shall be, and the step between, undone on failure."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.errors import GitError, NotUsable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.process import Git


SCRATCH = ".git-ledger-new"


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands at a path: a file's bytes and mode, or the text of a symbolic link."""

    content: bytes
    mode: int = 0o755
    link: str | None = None

    @property
    def executable(self) -> bool:
        return self.link is not None or bool(self.mode & 0o111)


def standing(path: str) -> Kept | None:
    """What is at a path now, None for nothing. Raises NotUsable for what can't be read."""
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return Kept(b"", 0o777, os.readlink(path))
        if not stat.S_ISREG(found.st_mode):
            raise NotUsable(f"not a file: '{path}'", "move it out of the way")
        with open(path, "rb") as file:
            return Kept(file.read(), stat.S_IMODE(found.st_mode))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotUsable(f"cannot read '{path}': {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path from one state to another; None is absence."""

    path: str
    before: Kept | None
    after: Kept | None

    def apply(self) -> None:
        _put(self.path, self.after)

    def undo(self) -> None:
        _put(self.path, self.before)

    def __str__(self) -> str:
        if self.after is None:
            return f"remove {self.path}"
        return f"{'write' if self.before is None else 'change'} {self.path}"


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One configuration key of one scope (`--local`, `--worktree`), seen from `git`."""

    git: Git
    scope: str
    key: str
    before: str | None
    after: str | None

    def apply(self) -> None:
        _configure(self.git, self.scope, self.key, self.after)

    def undo(self) -> None:
        _configure(self.git, self.scope, self.key, self.before)

    def __str__(self) -> str:
        if self.after is None:
            return f"unset {self.key}"
        return f"set {self.key} = {self.after}"


Change = FileChange | SettingChange


def apply_all(changes: Iterable[Change]) -> None:
    """Every change, or none: when one fails those before it are taken back.

    Raises NotUsable naming the change that failed.
    """
    done: list[Change] = []
    try:
        for change in changes:
            done.append(change)
            change.apply()
    except (OSError, GitError) as error:
        take_back(done)
        words = error.strerror if isinstance(error, OSError) else error.message
        raise NotUsable(f"cannot {done[-1]}: {words}", "nothing was changed") from None
    except BaseException:
        take_back(done)
        raise


def take_back(done: list[Change]) -> None:
    """Undo in reverse order, as far as it goes."""
    for change in reversed(done):
        with contextlib.suppress(OSError, GitError):
            change.undo()


def _put(path: str, wanted: Kept | None) -> None:
    """A path in the wanted state by one rename, so that no reader sees half of it."""
    if wanted is None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    scratch = f"{path}{SCRATCH}"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(scratch)  # of one that was killed: there is one installer at a time
    try:
        _write(scratch, wanted)
        os.replace(scratch, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise


def _write(path: str, wanted: Kept) -> None:
    if wanted.link is not None:
        os.symlink(wanted.link, path)
        return
    with open(path, "xb") as file:
        file.write(wanted.content)
        os.fchmod(file.fileno(), wanted.mode)


def _configure(git: Git, scope: str, key: str, value: str | None) -> None:
    if value is None:
        git.run("config", scope, "--unset-all", key, ok=(0, 5))  # 5: it was not there
    else:
        git.run("config", scope, "--replace-all", key, value)
