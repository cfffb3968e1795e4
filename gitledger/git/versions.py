"""The versions of git that matter, each with its reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitledger.git.process import Git

Version = tuple[int, ...]

OLDEST: Version = (2, 39)  # merge-tree --write-tree --stdin, update-ref transactions
CONFIGURED_HOOKS: Version = (2, 54)  # hook.<name>.command and hook.<name>.event
_known: dict[str, Version] = {}


def version(git: Git) -> Version:
    """`git version` as numbers: (2, 39, 5); what follows them (`.windows.1`, `-rc0`) is dropped."""
    place = git.environment().get("PATH", "")  # another git is on another one
    if place not in _known:
        found = re.search(r"\d+(\.\d+)+", git.run("version").line)
        _known[place] = tuple(int(part) for part in found[0].split(".")) if found else ()
    return _known[place]


def dotted(found: Version) -> str:
    """As git writes it: `2.39.5`."""
    return ".".join(map(str, found))
