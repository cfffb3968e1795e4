"""The one door to `git`: scrubbed environment, bytes in and out, NUL-separated.

Hook environments carry GIT_DIR and GIT_INDEX_FILE, and a git call about another
worktree that inherits them silently answers for the wrong one. So the location
variables are dropped here, once, and each call says by its directory what it is
about. What `git -c name=value ledger …` hands down (GIT_CONFIG_PARAMETERS) stays:
the user means it, and the worktrees of one repository share their configuration.
"""

from __future__ import annotations

import os
import subprocess
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import GitError, NotUsable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# `git rev-parse --local-env-vars`, less those that carry configuration.
LOCATION_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)

LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}  # a path is a path, whatever characters are in it

# Our own gate asks again at pre-merge-commit; `merge` has asked already.
MERGING = {"GIT_LEDGER_MERGING": "1"}


class Result(NamedTuple):
    """What a git process left: exit status, stdout as bytes, stderr as text."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def line(self) -> str:
        """Stdout as one line without its newline; odd bytes as surrogate escapes."""
        return text(self.stdout).removesuffix("\n")

    @property
    def records(self) -> list[bytes]:
        """Stdout cut at NUL, without the empty last piece."""
        return self.stdout.split(b"\0")[:-1]


def text(data: bytes) -> str:
    """Bytes of git's as text that turns back into the same bytes with `data()`."""
    return data.decode("utf-8", "surrogateescape")


def data(words: str) -> bytes:
    """The bytes behind `text()`'s words."""
    return words.encode("utf-8", "surrogateescape")


def clean_environment(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment without what would point git elsewhere."""
    chosen = os.environ if source is None else source
    kept = {name: value for name, value in chosen.items() if name not in LOCATION_VARIABLES}
    kept["LC_ALL"] = "C"
    kept["GIT_OPTIONAL_LOCKS"] = "0"
    kept["GIT_TERMINAL_PROMPT"] = "0"
    return kept


class Git(NamedTuple):
    """git, run in one directory. `git_dir` pins the repository where it is known.

    Raises GitError from `run` for any exit status not in `ok`.
    """

    directory: str
    git_dir: str | None = None
    extra: Mapping[str, str] = MappingProxyType({})

    def environment(self, env: Mapping[str, str] | None = None) -> dict[str, str]:
        chosen = clean_environment()
        if self.git_dir is not None:
            chosen["GIT_DIR"] = self.git_dir
        return {**chosen, **self.extra, **(env or {})}

    def run(
        self,
        *words: str | bytes,
        stdin: bytes | None = None,
        ok: Iterable[int] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> Result:
        """Run `git WORDS…` to its end. `ok` lists the exit statuses that are answers."""
        found = self._finished(words, stdin, env)
        if found.status not in ok:
            raise GitError(_name(words), found.status, found.stderr)
        return found

    def try_run(
        self,
        *words: str | bytes,
        stdin: bytes | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Result:
        """Run git where any exit status is an answer."""
        return self._finished(words, stdin, env)

    def _finished(
        self, words: tuple[str | bytes, ...], stdin: bytes | None, env: Mapping[str, str] | None
    ) -> Result:
        try:
            done = subprocess.run(
                ["git", *words],
                cwd=self.directory,
                env=self.environment(env),
                stdin=subprocess.DEVNULL if stdin is None else None,
                input=stdin,
                capture_output=True,
                check=False,
            )
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            raise _unstartable(self.directory, error) from None
        return Result(done.returncode, done.stdout, text(done.stderr))

    def start(
        self, *words: str | bytes, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """A git process with open pipes, for `--stdin` and `--batch` conversations."""
        return subprocess.Popen(
            ["git", *words],
            cwd=self.directory,
            env=self.environment(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def hand_over(self, *words: str | bytes) -> int:
        """Run git on our own stdin, stdout and stderr, its pager included; its exit status."""
        done = subprocess.run(
            ["git", *words], cwd=self.directory, env=self.environment(), check=False
        )
        return done.returncode

    def lines(self, *words: str | bytes, stdin: bytes | None = None) -> Iterator[str]:
        """Stdout line by line, for output whose lines hold only ids and safe names."""
        return iter(text(self.run(*words, stdin=stdin).stdout).splitlines())


def _name(words: tuple[str | bytes, ...]) -> str:
    """The subcommand, without the `-c name=value` before it."""
    plain = [word if isinstance(word, str) else text(word) for word in words]
    while plain[:1] == ["-c"]:
        plain = plain[2:]
    return plain[0] if plain else ""


def _unstartable(directory: str, error: OSError) -> NotUsable:
    if not os.path.isdir(directory):
        return NotUsable(f"no such directory '{directory}'")
    return NotUsable(f"cannot run git: {error.strerror}", "install git 2.39 or newer")
