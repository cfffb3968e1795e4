"""The hook managers people use, the real ones: how each is configured and installed."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.support import BIN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

RECORDED = ("post-checkout", "post-commit", "post-merge", "post-rewrite")
EVENTS = ("post-checkout", "post-commit", "post-rewrite")
NPM = ("husky@9", "lefthook@2", "simple-git-hooks@2")
NOTE = 'echo {} >> "$(git rev-parse --path-format=absolute --git-common-dir)/theirs"'


@dataclass(frozen=True)
class Manager:
    """`command` installs it; `files` configure a hook for each event that notes its name.

    `everywhere` is False where a linked worktree gets no hooks until it is installed
    there too, but for the post-checkout of `git worktree add` itself.
    """

    name: str
    command: tuple[str, ...]
    files: dict[str, str]
    everywhere: bool = True
    npm: bool = True

    def configure(self, place: Place) -> None:
        for name, content in self.files.items():
            place.write(name, content)
        place.commit(f"use {self.name}")
        (place.path / ".git/theirs").unlink(missing_ok=True)

    def install(self, place: Place, tools: Path) -> None:
        program, *words = self.command
        found = tools / program if self.npm else BIN / program
        done = place.run(found, *words)
        assert done.returncode == 0, done.stdout + done.stderr


def _framework(events: tuple[str, ...]) -> str:
    """A configuration of pre-commit's, which prek reads too."""
    hooks = "".join(
        f"""
      - id: {event}
        name: {event}
        language: system
        entry: sh -c '{NOTE.format(event)}'
        stages: [{event}]
        always_run: true
        pass_filenames: false"""
        for event in events
    )
    return f"repos:\n  - repo: local\n    hooks:{hooks}\n"


def _lefthook(events: tuple[str, ...]) -> str:
    jobs = (f"{event}:\n  jobs:\n    - run: {NOTE.format(event)}\n" for event in events)
    return "output: false\n" + "".join(jobs)


TYPES = tuple(word for event in EVENTS for word in ("-t", event))
MANAGERS = (
    Manager(
        "husky",
        ("husky",),
        {f".husky/{event}": NOTE.format(event) + "\n" for event in EVENTS},
        everywhere=False,
    ),
    Manager("lefthook", ("lefthook", "install"), {"lefthook.yml": _lefthook(EVENTS)}),
    Manager(
        "simple-git-hooks",
        ("simple-git-hooks",),
        {
            "package.json": json.dumps(
                {"simple-git-hooks": {event: NOTE.format(event) for event in EVENTS}}
            )
        },
    ),
    Manager(
        "pre-commit",
        ("pre-commit", "install", *TYPES),
        {".pre-commit-config.yaml": _framework(EVENTS)},
        npm=False,
    ),
    Manager(
        "prek",
        ("prek", "install", *TYPES),
        {".pre-commit-config.yaml": _framework(EVENTS)},
        npm=False,
    ),
)


def npm_tools(cache: Path) -> Path:
    """The directory of the npm tools' programs, installed once for all test processes."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: husky, lefthook and simple-git-hooks are not tried")
    cache.mkdir(exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (cache / "tried").exists():
            (cache / "tried").touch()
            _install(cache)
    if not (cache / "node_modules/.bin").exists():
        pytest.skip("npm could not install husky, lefthook and simple-git-hooks")
    return cache / "node_modules/.bin"


def _install(cache: Path) -> None:
    # lefthook's own install script would install hooks in the repository around us.
    options = "--ignore-scripts --no-audit --no-fund --prefix . --fetch-retries 1"
    words = ["npm", "install", *options.split(), *NPM]
    try:
        done = subprocess.run(words, cwd=cache, check=False, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        if os.environ.get("CI"):
            raise
        return
    # A machine without npm's registry may go without these tests; ours may not.
    assert done.returncode == 0 or not os.environ.get("CI"), done.stderr


def configure(place: Place, published: Place, *ids: str) -> None:
    hooks = "".join(f"      - id: {one}\n" for one in ids)
    where = f"  - repo: {published.path}\n    rev: {published.git('rev-parse', 'HEAD')}\n"
    place.write(".pre-commit-config.yaml", f"repos:\n{where}    hooks:\n{hooks}")
    place.commit("use the ledger")


def install_framework(place: Place, framework: str, *types: str) -> None:
    words = [word for one in types for word in ("--hook-type", one)]
    done = place.run(BIN / framework, "install", "--allow-missing-config", *words)
    assert done.returncode == 0, done.stderr
