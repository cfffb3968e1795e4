"""The beginning of a session: its phases and documents checked, then written at once."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.contracts import frontmatter
from gitledger.errors import LedgerError
from gitledger.model.names import has_control
from gitledger.model.session import EXPRESS, STANDARD
from gitledger.services import hook_state
from gitledger.services import session_paths as paths
from gitledger.services.session_phases import checked_specs, head_of
from gitledger.services.sessions import start

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.model.session import Session


@dataclass(frozen=True)
class Order:
    """What the user asked for. `phases` is a file of YAML or JSON; paths as typed."""

    task: str
    phases: str | None = None
    design: str | None = None
    plan: str | None = None
    express: bool = False


def start_session(repo: Repository, order: Order) -> Session:
    """Begin a session. Raises LedgerError for what does not fit; then nothing is written."""
    task = order.task.strip()
    if not task or has_control(task):
        raise LedgerError(f"bad topic {order.task!r}", "a topic is one line")
    specs = _phases(order)
    documents = {
        name: _document(repo, path)
        for name, path in (("design_document", order.design), ("implementation_plan", order.plan))
        if path is not None
    }
    plan = documents.get("implementation_plan")
    fields: dict[str, Any] = {
        "workflow_mode": EXPRESS if order.express else STANDARD,
        "phases": checked_specs(specs),
        **documents,
        **head_of(repo),
    }
    if plan:
        fields["plan_blob"] = paths.blob_of(repo, os.path.join(_top(repo), plan))
    session = start(repo, task, fields)
    hook_state.prune(repo)
    return session


def _top(repo: Repository) -> str:
    return paths.top_of(repo, None)


def _document(repo: Repository, path: str) -> str:
    return paths.refuse_other_places(repo, _top(repo), path)


def _phases(order: Order) -> list[Any]:
    """The phases as the file has them; an express session has exactly one."""
    specs = read_phases(order.phases) if order.phases is not None else []
    if not order.express:
        return specs
    if len(specs) > 1:
        raise LedgerError(
            f"an express session has one phase, '{order.phases}' has {len(specs)}",
            "leave out --express, or the other phases",
        )
    return specs or [order.task.strip()]


def read_phases(path: str) -> list[Any]:
    """A list of phases, or a mapping with `phases`, in a file. Raises LedgerError."""
    found = frontmatter.read_data(read_text(path), path)
    if isinstance(found, dict):
        found = found.get("phases")
    if not isinstance(found, list):
        raise LedgerError(f"no list of phases in '{path}'", "write one, or a field 'phases'")
    return found


def read_text(path: str) -> str:
    """A user's text file, line ends as they are; `-` is stdin. Raises LedgerError."""
    if path == "-":
        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError as error:
        raise LedgerError(f"cannot read '{path}': {(error.strerror or '').lower()}") from None
