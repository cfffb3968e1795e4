"""A project's own settings: `[tool.gitledger]` in the worktree's pyproject.toml."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from gitledger.contracts.markers import Registry
    from gitledger.git.repository import Repository


def settings(repo: Repository) -> dict[str, Any]:
    """The table, empty where there is none. Raises LedgerError for a file that is no TOML."""
    if repo.work_tree is None:
        return {}
    path = os.path.join(repo.work_tree, "pyproject.toml")
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return {}
    if b"gitledger" not in content:
        return {}
    found = _read(content, path).get("tool", {}).get("gitledger", {})
    if not isinstance(found, dict):
        raise LedgerError(f"'tool.gitledger' in '{path}' is not a table")
    return found


def _read(content: bytes, path: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content.decode())
    except ValueError as error:
        raise LedgerError(f"cannot read '{path}': {error}", "correct it") from None


def registry(repo: Repository) -> Registry:
    """The agents and markers that are known here. Raises LedgerError for bad settings."""
    from gitledger.contracts.markers import with_project_markers

    table = settings(repo).get("markers", {})
    if not isinstance(table, dict):
        raise LedgerError(
            "'tool.gitledger.markers' is not a table", "write [tool.gitledger.markers]"
        )
    return with_project_markers(table)
