"""Which pages there are, and the parts of the README that are written from the commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from docs.pages import bash, fish, man, zsh
from docs.pages.shape import shapes
from gitledger.cli.table import COMMANDS, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs.pages.shape import Shape

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES: dict[str, Callable[[list[Shape]], str]] = {
    "git-ledger.1": man.page,
    "git-ledger.bash": bash.page,
    "_git-ledger": zsh.page,
    "git-ledger.fish": fish.page,
}


def written(name: str) -> str:
    """The content of that page for the commands as they are."""
    return PAGES[name](shapes())


def readme() -> str:
    """The README with its list of commands and its session as they are now."""
    text = _with("commands", commands(), _current())
    return _with("session", session(), text) if "demo" in COMMANDS else text


def _current() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def part(name: str) -> str:
    """What stands in the README between the marks of that name."""
    found = re.search(_between(name), _current(), re.DOTALL)
    return found[2] if found else ""


def _with(name: str, content: str, text: str) -> str:
    return re.sub(
        _between(name), lambda found: found[1] + content + found[3], text, flags=re.DOTALL
    )


def _between(name: str) -> str:
    return rf"(<!-- {name}: [^\n]*-->\n)(.*?)(<!-- end -->)"


def commands() -> str:
    """The commands as a table, a section of the overview after the other."""
    lines = ["| command | what it does |", "|---|---|"]
    for title, section in SECTIONS.items():
        if section:
            lines.append(f"| **{title}** | |")
        lines += [f"| `{name}` | {entry.help} |" for name, entry in section.items()]
    return "\n".join(lines) + "\n"


def session() -> str:
    """What the demo prints, with ids that stand for those that differ each time."""
    done = subprocess.run(
        [sys.executable, "-m", "gitledger", "demo"],
        env={**os.environ, "COLUMNS": "100"},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return f"```console\n{with_fixed_ids(done.stdout).strip()}\n```\n"


def with_fixed_ids(text: str) -> str:
    """Each id in hex, whole or at the end of an agent's id, by the order of appearance."""
    seen: dict[str, str] = {}

    def fixed(found: re.Match[str]) -> str:
        return seen.setdefault(found[0], f"{len(seen) + 1:x}" * len(found[0]))

    return re.sub(r"\b(?=[0-9a-f]*[0-9])(?:[0-9a-f]{6,12}|[0-9a-f]{40})\b", fixed, text)
