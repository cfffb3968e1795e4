"""A page of commands that is so: each `$ command` in it is run, its output compared.

`python -m tests.walkthrough PAGE` writes the outputs anew.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from tests.support import Place, new_repository, sealed_environment

# What differs from run to run, as it stands in a page.
_SETTLED = [
    (r"\b[0-9a-f]{40}\b", "1f6a03b2c4d5e6f708192a3b4c5d6e7f80912a3b"),
    (r"(?<!batch-)\b(?=[0-9a-f]*\d)[0-9a-f]{10}\b", "1f6a03b2c4"),  # one in a hundred is all digits
    (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+Z)?( \(\w+ ago\))?", "2026-01-15 14:22:10"),
    (r"batch-\d{10}", "batch-1768486930"),
    (r"  (?:now|\d\ds|\ds )  ", "  now  "),
    (r"process \d+", "process 4242"),
]


def settled(words: str, place: Path) -> str:
    """An output without what differs from run to run."""
    words = words.replace(str(place), "~")
    for pattern, instead in _SETTLED:
        words = re.sub(pattern, instead, words)
    return words


def played(page: str, place: Place) -> str:
    """The page with what its commands print now, each run where the last `cd` led."""
    home = place.path.parent
    return re.sub(
        r"```console\n(.*?)```",
        lambda found: f"```console\n{_block(found[1], place, home)}```",
        page,
        flags=re.DOTALL,
    )


def _block(block: str, place: Place, home: Path) -> str:
    told = []
    for command in re.findall(r"^\$ (.*(?:\n> .*)*)", block, flags=re.MULTILINE):
        script = command.replace("\n> ", "\n")
        # stderr into stdout: a person sees both, in this order.
        done = place.run("bash", "-c", f"exec 2>&1\n{_here(home)}\n{script}\n{_there(home)}")
        told.append(f"$ {command}\n{settled(done.stdout, home)}")
    return "".join(told)


def _here(home: Path) -> str:
    return f'[ ! -e "{home}/cwd" ] || cd "$(cat "{home}/cwd")"'


def _there(home: Path) -> str:
    return f'code=$?; pwd > "{home}/cwd"; [ $code -eq 0 ] || echo "[exit $code]"'


def main(path: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch).resolve()
        place = new_repository(home / "repo", sealed_environment(home / "home"))
        path.write_text(played(path.read_text(encoding="utf-8"), place), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
