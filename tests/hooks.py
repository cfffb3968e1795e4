"""What tests of the hooks ask of a repository, by git's own commands."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support import Place

EVERY_LOG = "refs/ledger/agents/*/log"


def logs(place: Place) -> list[str]:
    """The refs of all agents' logs."""
    return place.git("for-each-ref", "--format=%(refname)", EVERY_LOG).splitlines()


def spawn_at(place: Place, log: str) -> dict[str, Any]:
    """The one event of a log that holds the spawn alone."""
    (line,) = place.git("cat-file", "blob", log).splitlines()
    event: dict[str, Any] = json.loads(line)
    assert event["kind"] == "spawned"
    return event


def spawn_of(place: Place) -> dict[str, Any]:
    """The spawn of the agent that works in this worktree."""
    return spawn_at(place, place.git("symbolic-ref", "refs/worktree/ledger/agent"))


def agent_of(place: Place) -> str:
    return str(spawn_of(place)["id"])


def notes(place: Place, *range_: str) -> dict[str, list[str]]:
    """The lines of all the ledger's notes, by commit, for the commits of a range."""
    show = ("log", "--no-notes", "--notes=ledger/*", "--format=%x01%H%n%N", *range_)
    parts = place.git(*show).split("\x01")[1:]
    found = (re.split(r"\n+", part.strip("\n")) for part in parts)
    return {lines[0]: lines[1:] for lines in found}


def note(place: Place, commit: str = "HEAD") -> list[str]:
    (lines,) = notes(place, "-1", commit).values()
    return lines


def made_by(agent: str, *more: str) -> list[str]:
    """A note's lines, as a hook writes them for an agent that has not reported yet."""
    return [f"agent: {agent}", "iteration: 0", *more]


def errors(place: Place) -> str:
    """What the hooks could not record, without the time."""
    path = place.path / place.git("rev-parse", "--git-common-dir") / "ledger/hook-errors"
    lines = path.read_text(errors="surrogateescape").splitlines() if path.exists() else []
    return "\n".join(line.partition(" ")[2] for line in lines)
