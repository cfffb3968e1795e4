"""Who was cut off: found by evidence, never from silence alone. Source: REQUIREMENTS section 2."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.git.commits import commit_times
from gitledger.git.process import text
from gitledger.git.reflogs import read_reflogs
from gitledger.git.worktrees import door, find
from gitledger.model.holding import seconds
from gitledger.model.lifecycle import check
from gitledger.services.lifecycle import Step, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.worktrees import Worktree
    from gitledger.model.agent import Agent
    from gitledger.services.live import LiveAgent, View

QUIET = 600  # seconds: `ledger.quietPeriod`
_BOOT = "/proc/sys/kernel/random/boot_id"
_STARTED = 19  # place of the start time in /proc/<pid>/stat, counted after the name


@dataclass(frozen=True)
class Trace:
    """The newest sign of work in a worktree: when (Unix seconds) and what it was."""

    time: float
    what: str


def owner_of(pid: int) -> dict[str, Any]:
    """The process that runs an agent, so that it can be told from a later one of that number."""
    known = {"pid": pid, "host": socket.gethostname(), "started": _start_of(pid)}
    return {name: value for name, value in known.items() if value is not None}


def _start_of(pid: int) -> str | None:
    """When a process started, in words that stay the same; None where there is none.

    One that has died and was not collected yet (a zombie) is none.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file, open(_BOOT, encoding="ascii") as boot:
            fields = file.read().rpartition(b")")[2].split()
            boot_id = boot.read().strip()
        return None if fields[0] in {b"Z", b"X"} else f"{boot_id}+{fields[_STARTED].decode()}"
    except (OSError, IndexError):
        pass
    asked = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    try:
        done = subprocess.run(asked, capture_output=True, check=False, env={"LC_ALL": "C"})
    except OSError:
        return None
    status, _, started = text(done.stdout).strip().partition(" ")
    return None if status.startswith("Z") else started.strip() or None


def is_dead(owner: Mapping[str, Any] | None) -> bool:
    """Whether the recorded process ran on this host and is gone. False where it can't be told."""
    if not owner or owner.get("host") != socket.gethostname():
        return False
    pid = owner.get("pid")
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it is somebody else's, and alive
    # Another process may have its number by now; without any it died just now.
    return "started" in owner and _start_of(pid) != owner["started"]


def evidence(view: View, one: LiveAgent) -> list[str]:
    """What proves that a running agent was cut off; empty where nothing does."""
    if not one.agent.running or not one.recorded:
        return []
    gone = _gone(view, one)
    if gone:
        return [gone]
    if not is_dead(one.agent.owner):
        return []
    pid = (one.agent.owner or {}).get("pid")
    trace = newer_trace(view, one)
    quiet = view.repo.config.number("ledger.quietPeriod", QUIET)
    if trace and time.time() - trace.time < quiet:
        return []
    since = "nothing has happened since" if not trace else f"nothing has moved for {quiet} s"
    return [f"process {pid} is gone", since]


def _gone(view: View, one: LiveAgent) -> str | None:
    name = one.agent.worktree_id
    if name is None or (one.worktree and one.worktree.present):
        return None
    tree = find(view.worktrees, name)
    if tree and tree.present:
        return f"worktree '{tree.path}' is no longer its own"
    return f"worktree '{one.agent.worktree or name}' is gone"


def newer_trace(view: View, one: LiveAgent) -> Trace | None:
    """The newest reflog entry or changed file, where the record knows of nothing as new."""
    if one.worktree is None or not one.worktree.present:
        return None
    known = _last_recorded(view, one.agent, one.tip)
    traces = [*_from_reflog(view, one.worktree), *_from_files(one.worktree)]
    newer = [trace for trace in traces if trace.time > known]
    return max(newer, key=lambda trace: trace.time, default=None)


def _last_recorded(view: View, agent: Agent, tip: str | None) -> float:
    """The last event or commit that is on record, Unix seconds."""
    made = commit_times(view.repo, [tip] if tip else [])
    return max(seconds(agent.last_event_at or "") or 0.0, *made.values(), 0.0)


def _from_reflog(view: View, tree: Worktree) -> Iterable[Trace]:
    entries = read_reflogs(view.repo, [tree.head_ref()])[tree.head_ref()]
    return [Trace(entry.time, entry.why) for entry in entries[:1]]


def _from_files(tree: Worktree) -> Iterable[Trace]:
    """Each changed or untracked file with the time of its last change."""
    words = ("status", "--porcelain=v1", "-z", "--no-renames", "-uall")
    for record in door(tree).run(*words).records:
        path = text(record[3:])
        try:
            changed = os.lstat(os.path.join(tree.path, path)).st_mtime
        except OSError:
            continue  # a deletion has no time
        yield Trace(changed, f"'{path}' changed")


def interrupt_found(view: View) -> list[Step]:
    """Write down every agent that was cut off. What changed meanwhile is left alone."""
    steps = []
    for one in view.live:
        found = evidence(view, one)
        if found:
            steps.append(_interrupt(view, one, found))
    return [step for step in steps if step.events]


def _interrupt(view: View, one: LiveAgent, found: list[str]) -> Step:
    def decide(agent: Agent) -> list[tuple[str, dict[str, Any]]]:
        if not agent.running:
            return []
        check(agent.status, "interrupt", agent.id)
        return [("interrupted", {"why": found[0], "evidence": found})]

    return write(view.repo, one, decide)
