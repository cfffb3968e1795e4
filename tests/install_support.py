"""What the tests of installing share: stand-ins for the recorders, and photographs."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from gitledger.git.repository import discover
from gitledger.services import install

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

# Stands in for every recorder: notes its call and reads its input.
RECORDER = b"""#!/bin/sh
common=$(git rev-parse --path-format=absolute --git-common-dir)
printf '%s|%s|%s\\n' "${0##*/}" "$*" "$(tr '\\n' ';')" >> "$common/recorded"
echo noise; echo noise >&2
exit 0
"""


def init(place: Place, **options: bool) -> install.Done:
    return install.init(discover(str(place.path)), **options)


def deinit(place: Place) -> install.Done:
    return install.deinit(discover(str(place.path)))


def hook(place: Place, name: str, content: str | bytes, mode: int = 0o755) -> Path:
    place.write(name, content)
    (place.path / name).chmod(mode)
    return place.path / name


def photograph(*roots: Path) -> dict[str, tuple[int, bytes | str]]:
    """Every file below the roots with mode and bytes, links with their text."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in (path for root in roots for path in [root, *sorted(root.rglob("*"))]):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            found[str(path)] = (mode, str(path.readlink()))
        elif path.is_file():
            found[str(path)] = (mode, path.read_bytes())
        elif path.is_dir():
            found[str(path)] = (mode, "directory")
    return found


def installed_state(place: Place) -> dict[str, tuple[int, bytes | str]]:
    git = place.path / ".git"
    found = photograph(git / "hooks")
    for path in (git / "config", git / "ledger"):
        if path.exists():
            found.update(photograph(path))
    return found


def recorded(place: Place) -> list[str]:
    """What the recorders noted since the last call."""
    path = place.path / ".git" / "recorded"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return [line.partition("|")[0] for line in lines]


def log_of(place: Place) -> list[str]:
    path = place.path / ".git" / "theirs"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return lines


NOTES_ITSELF = (
    'printf "%s|%s|%s|%s\\n" "$0" "${1-}" "${2-}" "$(tr "\\n" ";")"'
    ' >> "$(git rev-parse --path-format=absolute --git-common-dir)/theirs"\n'
)
