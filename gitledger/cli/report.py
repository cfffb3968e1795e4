"""The report of a bug: versions and traceback, without secrets."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import tempfile
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitledger import __version__
from gitledger.cli import table
from gitledger.git.repository import discover

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SECRET_NAMES = re.compile(r"TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|PRIVATE", re.IGNORECASE)
_USER_IN_URL = re.compile(r"(://)[^/@\s']+@")
_SHORTEST_SECRET = 6  # characters: a shorter value would blank out ordinary words


def write_report(error: BaseException, words: Sequence[str]) -> str:
    """Write the report under the common dir, else the temporary one; its path."""
    content = without_secrets(_content(error, words), os.environ)
    name = f"report-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{os.getpid()}.txt"
    for directory in _directories():
        try:
            os.makedirs(directory, exist_ok=True)
            path = os.path.join(directory, name)
            with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(content)
        except OSError:
            continue
        return path
    return os.devnull


def _directories() -> list[str]:
    try:
        common = [os.path.join(discover().common_dir, "ledger", "reports")]
    except Exception:  # noqa: BLE001 - whatever is broken, the report must be written
        common = []
    return [*common, tempfile.gettempdir()]


def _content(error: BaseException, words: Sequence[str]) -> str:
    # Of the words only the command: the others may hold titles and paths.
    command = next((word for word in words if word in table.COMMANDS), "-")
    facts = {
        "command": command,
        "git-ledger": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "git": _git_version(),
        "click": _version_of("click"),
    }
    head = "".join(f"{name}: {value}\n" for name, value in facts.items())
    return head + "\n" + "".join(traceback.format_exception(error))


def _git_version() -> str:
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, check=False)
    except OSError as error:
        return f"not found ({error.strerror})"
    return done.stdout.decode("utf-8", "replace").strip().removeprefix("git version ")


def _version_of(distribution: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not found"


def without_secrets(content: str, environment: Mapping[str, str]) -> str:
    """The text without user names in URLs, the home directory, and secret variables."""
    for name, value in environment.items():
        if _SECRET_NAMES.search(name) and len(value) >= _SHORTEST_SECRET:
            content = content.replace(value, "***")
    home = environment.get("HOME", "").rstrip("/")
    if home:
        content = content.replace(home, "~")
    return _USER_IN_URL.sub(r"\1***@", content)
