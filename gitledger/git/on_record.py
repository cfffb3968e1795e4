"""What a verdict depended on, as a record may hold it: no command, and no path of a machine."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from gitledger.git.attributes import seen_from
from gitledger.git.conditions import outside_attributes, replaced
from gitledger.git.process import data
from gitledger.git.versions import dotted, version
from gitledger.git.workplace import renormalizes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.attributes import Home
    from gitledger.git.repository import Repository

# What merge-ort, rename detection and the attributes read; other settings say nothing here.
_PLAIN = (
    r"merge\.(renames|renamelimit|directoryrenames|renormalize|conflictstyle|default|.+\.recursive)"
    r"|diff\.(renames|renamelimit|algorithm|.+\.binary)"
    r"|core\.(ignorecase|bigfilethreshold|usereplacerefs)"
)
# A command may name a place of one machine, or hold a secret.
_COMMAND = r"merge\..+\.driver"
_RENORMALIZING = r"core\.(autocrlf|eol)|filter\..+\.required"
_FILTER = r"filter\..+\.(clean|smudge|process)"


def recordable(repo: Repository, home: Home | None = None) -> dict[str, Any]:
    """What of the conditions a record can hold, for a merge that is judged in a worktree or in none.

    `git` is its version, `config` each setting that can change a verdict, a command as a
    digest; `attributes` (outside the tree) and `replaced` are digests, and only there
    where there is something.
    """
    there = seen_from(repo.impartial(), home)
    found: dict[str, Any] = {
        "git": dotted(version(repo.git)),
        "config": _recordable_settings(there),
    }
    attributes = [one for one in outside_attributes(there) if one]
    parts = {"attributes": attributes, "replaced": [data(repr(one)) for one in replaced(repo)]}
    return found | {name: _digest(*part) for name, part in parts.items() if part}


def _recordable_settings(repo: Repository) -> dict[str, str]:
    values = repo.config.values
    last = {name: values[name][-1] for name in sorted(values)}
    commands, plain = [_COMMAND], [_PLAIN]
    if renormalizes(repo):
        commands, plain = [_COMMAND, _FILTER], [_PLAIN, _RENORMALIZING]
    return {
        name: _digest(data(value)) if _is_any(name, commands) else value
        for name, value in last.items()
        if _is_any(name, [*plain, *commands])
    }


def _is_any(name: str, patterns: Iterable[str]) -> bool:
    return any(re.fullmatch(one, name) for one in patterns)


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
