"""What the tests of sessions do over and over, as a user would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gitledger.git.repository import Repository, discover
from gitledger.model.names import agent_ref
from gitledger.services import sessions
from gitledger.services.session_phases import Step, step
from gitledger.services.session_start import Order as Topic
from gitledger.services.session_start import start_session
from gitledger.services.spawn import Order, spawn
from gitledger.store import logs
from tests.support import Place

THREE = """\
- name: Foundation
  agents: [coder]
- name: Features
  parallel: true
  blocked_by: [1]
  files: [src/a]
- name: Review
  blocked_by: [2]
"""


def ledger(place: Place) -> Repository:
    return discover(str(place.path))


def begin(place: Place, task: str = "Log in", phases: str = THREE, **more: Any) -> str:
    """Start a session; its id."""
    path = place.path.parent / "phases.yaml"
    path.write_text(phases)
    return start_session(ledger(place), Topic(task, str(path), **more)).session_id


def agent(place: Place, name: str, role: str | None = None) -> Place:
    """An agent with that id, in a worktree of the same name."""
    fields = {"role": role} if role else {}
    order = Order(name, name, name, str(place.path.parent / name), "HEAD", fields)
    return Place(Path(spawn(ledger(place), order).path), place.env)


def told(place: Place, name: str, kind: str, **body: Any) -> None:
    """An event in an agent's log."""
    logs.append(ledger(place), agent_ref(name, "log"), lambda _: [(kind, body)])


def kept(place: Place) -> sessions.Kept:
    return sessions.need_active(ledger(place))


def go(place: Place, action: str, phase: str, **more: Any) -> None:
    """Move a phase of the active session."""
    step(ledger(place), kept(place).session.session_id, Step(action, phase, **more))
