"""What depends on who is reading: colour, width, questions and progress."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import click

from gitledger.cli.options import COLOR
from gitledger.cli.text import shown
from gitledger.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
PATIENCE = 0.5  # seconds that a person waits without wondering


def is_person() -> bool:
    """Whether somebody reads stdout: a terminal, or the pager that git put before it."""
    return sys.stdout.isatty() or os.environ.get("GIT_PAGER_IN_USE") == "true"


def line_width() -> int | None:
    """The columns of the terminal; None where nobody looks and lines stay whole."""
    return shutil.get_terminal_size().columns if is_person() else None


def paint(words: str, *styles: str) -> str:
    """The text in those styles (`red`, `bold`, …) where colour is wanted."""
    if not words or not color_wanted():
        return words
    codes = ";".join(_CODES[style] for style in styles)
    return f"\x1b[{codes}m{words}\x1b[m"


def color_wanted() -> bool:
    """`--color`, else NO_COLOR, else what git says of color.ledger and color.ui."""
    context = click.get_current_context(silent=True)
    asked = context.meta.get(COLOR, "auto") if context else "auto"
    return asked == "always" if asked != "auto" else _color_by_default()


@cache
def _color_by_default() -> bool:
    if not is_person() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    import subprocess

    asked = ["git", "config", "--get-colorbool", "color.ledger", "true"]
    return subprocess.run(asked, capture_output=True, check=False).stdout.strip() == b"true"


def confirm(question: str, *, yes: bool, hint: str = "give --yes to do it") -> None:
    """Ask, unless `yes`. Raises Refused (exit 4) for a no, or with nobody to ask."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(question, hint)
    sys.stderr.write(f"{shown(question)} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise Refused("not done", hint)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, of): shown on a terminal once it takes over 0.5 s."""
    begun = time.monotonic()
    drawn = False

    def tell(done: int, total: int) -> None:
        nonlocal drawn
        if sys.stderr.isatty() and time.monotonic() - begun > PATIENCE:
            drawn = True
            sys.stderr.write(f"\r{what}: {done}/{total}\x1b[K")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
