"""The names that git gives to a path that stands in another's way: `n~HEAD`, `n~branch`.

merge-tree says so with the names that it was given, two commit ids. Source:
git's merge-ort.c, `unique_path`.
"""

from __future__ import annotations

import re

OURS = "HEAD"
_LABEL = re.compile(r"~([0-9a-f]{40}|[0-9a-f]{64})((?:_[0-9]+)?)\Z")


def parted(path: str, ours: str, theirs: str) -> tuple[str, str | None]:
    """The path itself, and where git moves it, with `HEAD` for ours; None where it stays.

    Of theirs the commit id stays: what it is called is known to who asked.
    """
    found = _LABEL.search(path)
    if found is None or found[1] not in {ours, theirs}:
        return path, None
    own = path[: found.start()]
    return own, f"{own}~{OURS if found[1] == ours else theirs}{found[2]}"


def named(moved: str, theirs: str, name: str) -> str:
    """As `git merge NAME` would call it."""
    found = _LABEL.search(moved)
    if found is None or found[1] != theirs:
        return moved
    return f"{moved[: found.start()]}~{name.replace('/', '_')}{found[2]}"
