"""Which pages there are, and the parts of the README that are written from the commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from docs.pages import bash, fish, man, schema, zsh
from docs.pages.shape import shapes
from gitledger.cli.table import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs.pages.shape import Shape

ROOT = Path(__file__).resolve().parent.parent.parent
SNAPSHOT = ROOT / "docs" / "SNAPSHOT.md"
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
    return _with("session", session(), _with("commands", commands(), _current()))


def snapshot() -> str:
    """docs/SNAPSHOT.md with its table of fields and its schema as they are now."""
    text = SNAPSHOT.read_text(encoding="utf-8")
    return _with("schema", schema.block(), _with("fields", schema.table(), text))


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
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return told(done.stdout)


def told(printed: str) -> str:
    """What the demo printed, as the README has it: one commit id, one agent's id, no delay."""
    text = re.sub(r"\b[0-9a-f]{40}\b", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", printed)
    text = re.sub(r"\b[0-9a-f]{12}\b", "4b825dc642cb", text)
    text = re.sub(r"(?<=taxes-)[0-9a-f]{6}\b", "3fa9c1", text)
    text = re.sub(r"\b\d+[sm] +", "now  ", text)
    return f"```console\n{text.strip()}\n```\n"
