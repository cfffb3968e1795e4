"""The demonstration: a throw-away repository, real worktrees, real hooks, real commands.

Every act is a command that a user would type. It runs in an environment with nothing
of the user's own in it: no identity, no signing, no hooks path, no templates.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from shlex import quote
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError, NotUsable
from gitledger.git.process import clean_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

HOME = "shop"  # the main worktree; the others stand beside it
_PRICES = """def price(item):
    return item.cents


def total(items):
    return sum(price(item) for item in items)


def receipt(items):
    lines = [item.name for item in items]
    return "\\n".join(lines)
"""
_TOTAL = "return sum(price(item) for item in items)"
_LINES = "lines = [item.name for item in items]"


@dataclass(frozen=True)
class Act:
    """A line that a user would type, where, and the files that are edited before it.

    `shown` acts are printed with all they print, the others are the scenery.
    `status` is the exit status that the story needs.
    """

    line: str
    place: str = HOME
    files: Mapping[str, str] = field(default_factory=dict)
    shown: bool = False
    status: int = 0
    says: str = ""


def _spawn(name: str, title: str) -> Act:
    return Act(f"git ledger spawn {quote(title)} --id {name} --path ../{name}")


def _work(place: str, message: str, files: Mapping[str, str]) -> Act:
    """An agent's edit and commit, in its worktree, with plain git."""
    return Act(f"git add -A && git commit -q -m {quote(message)}", place, files)


def _prices(old: str, new: str) -> dict[str, str]:
    return {"prices.py": _PRICES.replace(old, new)}


SCENERY = (
    Act(
        "git init -q -b main --template= && git add -A && git commit -q -m 'Prices and receipts'",
        files={"prices.py": _PRICES},
    ),
)
ACTS = (
    Act("git ledger init", shown=True, says="A small shop. Its repository gets the hooks, once:"),
    Act(
        "git worktree add -q -b taxes ../taxes",
        shown=True,
        says="Four agents get a worktree each: one with plain git, three with a title.",
    ),
    _work("taxes", "Add the tax", _prices(_TOTAL, "return round(sum(map(price, items)) * 1.19)")),
    _spawn("discounts", "Take discounts off the total"),
    _work(
        "discounts",
        "Take the discount off",
        _prices(_TOTAL, "return sum(price(item) - item.discount for item in items)"),
    ),
    _spawn("receipts", "Print the price beside the name"),
    _work(
        "receipts",
        "Print prices",
        _prices(_LINES, 'lines = [f"{item.name} {price(item)}" for item in items]'),
    ),
    _spawn("search", "Find items by name"),
    _work("search", "Find items", {"search.py": "def find(items, name): ...\n"}),
    Act(
        "git ledger list", shown=True, says="They edit and commit, with plain git. Who is at work?"
    ),
    Act("git ledger conflicts", shown=True, says="Before anything is merged, who will collide?"),
    Act("git ledger merge discounts", shown=True, says="One of the two may go in ..."),
    Act("git ledger merge taxes", shown=True, status=1, says="... then the other may not:"),
    Act("git ledger who main", shown=True, says="And whose commit is this?"),
)


def sealed(directory: str) -> dict[str, str]:
    """An environment for the acts: the caller's, without any configuration for git."""
    dropped = ("GIT_CONFIG", "GIT_LEDGER_", "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_TEMPLATE", "XDG_")
    kept = {k: v for k, v in clean_environment().items() if not k.startswith(dropped)}
    people = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "Demo"), ("EMAIL", "demo@example.invalid"))
    }
    home = os.path.join(directory, "home")
    places = {"HOME": home, "XDG_CONFIG_HOME": os.path.join(home, ".config")}
    config = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.path.join(home, ".gitconfig")}
    path = os.pathsep.join((os.path.join(home, "bin"), kept.get("PATH", os.defpath)))
    return {**kept, **people, **places, **config, "PATH": path}


def prepare(directory: str) -> dict[str, str]:
    """Make the directories and a `git-ledger` that is this one; the environment to run in.

    Raises LedgerError when something lies in the directory already.
    """
    if os.path.lexists(directory) and not (os.path.isdir(directory) and not os.listdir(directory)):
        raise LedgerError(f"'{directory}' is in the way", "name a path where nothing is yet")
    environment = sealed(directory)
    os.makedirs(os.path.join(directory, HOME), exist_ok=True)
    _make_launcher(os.path.join(directory, "home", "bin"))
    return environment


def _make_launcher(directory: str) -> None:
    os.makedirs(directory)
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    code = f"import sys; sys.path.append({package!r}); from gitledger.__main__ import main; main()"
    path = os.path.join(directory, "git-ledger")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        # Not Python in the first line: its path may be too long for one, or hold a blank.
        file.write(f'#!/bin/sh\nexec {quote(sys.executable)} -c {quote(code)} "$@"\n')
    os.chmod(path, stat.S_IRWXU)


def perform(act: Act, directory: str, environment: Mapping[str, str]) -> None:
    """Run one act. Raises NotUsable when it ends with another status than the story needs."""
    place = os.path.join(directory, act.place)
    for name, content in act.files.items():
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(content)
    done = subprocess.run(
        ["sh", "-c", act.line],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=None if act.shown else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != act.status:
        said = (done.stdout or b"").decode("utf-8", "surrogateescape").strip()
        what = f"'{act.line}' exited with {done.returncode}"
        raise NotUsable(f"the demo stopped: {what}", said or None)
