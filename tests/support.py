"""Real repositories in a sealed environment, set up with the commands a user would type."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent


def sealed_environment(home: Path) -> dict[str, str]:
    """An environment with nothing of the machine in it but PATH."""
    home.mkdir(parents=True, exist_ok=True)
    places = [launcher_directory(home), str(BIN), os.environ["PATH"]]
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "PATH": os.pathsep.join(places),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "COLUMNS": "100",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        **sealed_git(),
        "PYTHONWARNINGS": "error",
    }


def sealed_git() -> dict[str, str]:
    """An identity, and nothing that asks."""
    return {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "dev",
        "GIT_AUTHOR_EMAIL": "dev@example.invalid",
        "GIT_COMMITTER_NAME": "dev",
        "GIT_COMMITTER_EMAIL": "dev@example.invalid",
        "GIT_EDITOR": "true",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_TEST_FSYNC": "0",  # nothing here has to outlive a power cut
    }


def launcher_directory(home: Path) -> str:
    """Where `git-ledger` is: the installed one, else one made for this tree."""
    if (BIN / "git-ledger").exists():
        return str(BIN)
    launcher = home / "bin" / "git-ledger"
    launcher.parent.mkdir(exist_ok=True)
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    launcher.write_text(
        f"#!{sys.executable}\n{code}\nfrom gitledger.__main__ import main\nmain()\n"
    )
    launcher.chmod(0o755)
    return str(launcher.parent)


@dataclass(frozen=True)
class Place:
    """A directory that commands run in: a repository, a worktree of it, or neither."""

    path: Path
    env: dict[str, str]

    def run(
        self, *words: str | bytes | Path, env: dict[str, str] | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[str]:
        """Any command, whatever its exit status; output as text with surrogate escapes."""
        return subprocess.run(
            words,
            cwd=self.path,
            env={**self.env, **(env or {})},
            input=stdin.decode("utf-8", "surrogateescape"),
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )

    def git(self, *words: str | bytes | Path, env: dict[str, str] | None = None) -> str:
        """git, which must succeed; its stdout without the last newline."""
        done = self.run("git", *words, env=env)
        assert done.returncode == 0, f"git {words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout.removesuffix("\n")

    def ledger(
        self, *words: str | Path, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`git ledger …`, whatever its exit status."""
        return self.run("git", "ledger", *words, env=env)

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The running Python, with this tree's package, whatever its exit status."""
        return self.run(sys.executable, *words, env={"PYTHONPATH": str(ROOT)})

    def write(self, name: str, content: str | bytes) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, message: str, **files: str) -> str:
        """Write the files (`name=content`, `__` for `.`), commit everything, return the id."""
        for name, content in files.items():
            self.write(name.replace("__", "."), content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def at(self, path: str | Path) -> Place:
        return Place(self.path / path, self.env)

    def worktree(self, name: str, branch: str | None = None, *start: str) -> Place:
        """`git worktree add -q -b BRANCH ../NAME`, as a user types it."""
        self.git("worktree", "add", "-q", "-b", branch or name, f"../{name}", *start)
        return self.at(f"../{name}")

    def is_clean_for_fsck(self) -> bool:
        done = self.run("git", "fsck", "--no-dangling", "--no-progress")
        return done.returncode == 0 and not done.stderr


def git_calls(place: Place, *words: str) -> list[str]:
    """What a command of ours, which must succeed, asks git: each process with its arguments."""
    trace = place.path.parent / "git-calls"
    trace.unlink(missing_ok=True)
    done = place.ledger(*words, env={"GIT_TRACE2_PERF": str(trace)})
    assert (done.returncode, done.stderr) == (0, "")
    lines = (line.split("|") for line in trace.read_text().splitlines())
    return [line[-1].strip() for line in lines if line[3].strip() == "start"]


def new_repository(directory: Path, env: dict[str, str], *options: str) -> Place:
    """`git init` with branch `main` and one commit of a ten-line file `f`."""
    directory.mkdir(parents=True)
    place = Place(directory, env)
    place.git("init", "-q", "-b", "main", *options)
    place.write("f", "".join(f"line {n}\n" for n in range(1, 11)))
    place.commit("base")
    return place


def shells() -> list[list[str]]:
    """The shells that the hooks must run under, those that this machine has."""
    wanted = (["dash"], ["bash", "--posix"], ["bash"], ["busybox", "sh"])
    return [words for words in wanted if shutil.which(words[0])]


def put_hooks(place: Place, shell: list[str]) -> None:
    """Our hooks as the repository's own files, run by `shell` instead of `sh`."""
    folder = place.path / place.git("rev-parse", "--git-path", "hooks")
    folder.mkdir(exist_ok=True)
    first = f"#!/usr/bin/env -S {' '.join(shell)}\n"
    for source in (ROOT / "hooks").iterdir():
        text = source.read_text()
        target = folder / source.name
        target.write_text(text.replace("#!/bin/sh\n", first, 1))
        target.chmod(source.stat().st_mode)
