"""Waiting for agents: polled cheaply, and never for one that cannot come back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gitledger.errors import LedgerError
from gitledger.git.refs import list_refs
from gitledger.model.lifecycle import QUEUED, RUNNING, TERMINAL
from gitledger.model.names import agent_ref
from gitledger.services.find import find_any
from gitledger.services.interruption import evidence
from gitledger.services.live import LiveAgent, look

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitledger.git.repository import Repository

_POLL = 0.3  # seconds between two looks at the refs
_PROOF = 10.0  # seconds between two looks for what was cut off


def waited_for(repo: Repository, names: Sequence[str], group: str | None) -> list[LiveAgent]:
    """The agents that are meant. Raises LedgerError for an unknown name, or none at all."""
    view = look(repo)
    meant = [find_any(view, name)[0] for name in names]
    if group is not None:
        members = [one for one in view.agents if one.agent.group == group]
        if not members:
            raise LedgerError(f"no agent is in group '{group}'")
        meant += members
    if not meant:
        raise LedgerError("wait for whom?", "name agents, or give '--group'")
    return list({one.id: one for one in meant}.values())


def wait(
    repo: Repository,
    ids: Sequence[str],
    *,
    ended: bool,
    timeout: float | None,
    tell: Callable[[str, str], None],
) -> dict[str, str]:
    """Wait until none is queued or running, or with `ended` until all have ended; id to status.

    Each change is told once. A running agent that was cut off by evidence counts as
    `interrupted`, which ends the wait for it. After `timeout` seconds what is open is
    returned as it is.
    """
    limit = None if timeout is None else time.monotonic() + timeout
    told: dict[str, str] = {}
    refs: dict[str, str] | None = None
    proof = 0.0
    while True:
        now, due = (
            list_refs(repo, *(agent_ref(one, "log") for one in ids)),
            time.monotonic() > proof,
        )
        if now != refs or due:
            refs, proof = now, time.monotonic() + _PROOF
            for name, status in _statuses(repo, ids).items():
                if told.get(name) != status:
                    told[name] = status
                    tell(name, status)
        if all(_is_over(status, ended=ended) for status in told.values()):
            return told
        if limit is not None and time.monotonic() > limit:
            return told
        time.sleep(_POLL)


def _statuses(repo: Repository, ids: Sequence[str]) -> dict[str, str]:
    view = look(repo)
    found = {}
    for name in ids:
        one = find_any(view, name)[0]
        cut_off = one.agent.running and evidence(view, one)
        found[name] = "interrupted" if cut_off else one.agent.status
    return found


def _is_over(status: str, *, ended: bool) -> bool:
    if ended:
        return status in TERMINAL or status == "interrupted"
    return status != QUEUED and status not in RUNNING
