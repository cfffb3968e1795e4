"""Maestro's session files, read: front matter in YAML or JSON, a Markdown log below.

What real files lack or write otherwise is read as what it means, with a warning;
what cannot be read is refused with file, place and field. Source: REQUIREMENTS section 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.contracts import frontmatter
from gitledger.errors import LedgerError
from gitledger.interop.foreign_fields import Fields, plain
from gitledger.model import phase as phases_
from gitledger.model.names import has_control
from gitledger.model.session import COMPLETED, IN_PROGRESS, UNATTRIBUTED, make_phase

if TYPE_CHECKING:
    from collections.abc import Iterable

_TEXTS = (
    "created",
    "updated",
    "design_document",
    "implementation_plan",
    "execution_mode",
    "execution_backend",
    "task_complexity",
)
_KNOWN = {
    *_TEXTS,
    "session_id",
    "task",
    "status",
    "workflow_mode",
    "current_phase",
    "total_phases",
    "token_usage",
    "phases",
}
_STATUSES = {
    "pending": IN_PROGRESS,
    IN_PROGRESS: IN_PROGRESS,
    COMPLETED: COMPLETED,
    "failed": "failed",
}
_PHASE_KNOWN = {
    "id",
    "name",
    "status",
    "agent",
    "agents",
    "parallel",
    "started",
    "completed",
    "blocked_by",
    *phases_.MANIFEST,
    "downstream_context",
    "errors",
    "retry_count",
}


@dataclass(frozen=True)
class Foreign:
    """A session file as it was understood: the values of an `imported` event."""

    session: dict[str, Any]
    warnings: list[str]


def read(text: str, name: str) -> Foreign:
    """Understand a session file; `name` is for the messages. Raises LedgerError."""
    front = frontmatter.read(frontmatter.cut(text, name).front, name)
    reader = _Reader(name, [])
    return Foreign(reader.session(front), reader.warnings)


class _Reader(Fields):
    """The parts of a session file."""

    def session(self, front: dict[str, Any]) -> dict[str, Any]:
        session_id = self.text(front, "session_id", "")
        if not session_id:
            raise LedgerError(f"field 'session_id' is missing in '{self.name}'")
        if has_control(session_id):
            raise LedgerError(f"field 'session_id' in '{self.name}' is not one line")
        status = self.status(front)
        found: dict[str, Any] = {
            "session_id": session_id,
            "task": self.text(front, "task", "") or session_id,
            "status": status,
            "workflow_mode": self.text(front, "workflow_mode", "") or "standard",
            "current_phase": self.place(front),
            **{one: self.text(front, one, "") or None for one in _TEXTS},
            "phases": self.phases(front),
            "by_agent": self.usage(front),
            "extra": {key: value for key, value in front.items() if key not in _KNOWN},
            "archived": status == COMPLETED,
        }
        found["created"] = found["created"] or ""
        found["updated"] = found["updated"] or found["created"]
        return found

    def status(self, front: dict[str, Any]) -> str:
        told = self.text(front, "status", "")
        if told not in _STATUSES:
            self.warn(f"status '{told}' is not one of a session's: read as '{IN_PROGRESS}'")
        return _STATUSES.get(told or "", IN_PROGRESS)

    def place(self, front: dict[str, Any]) -> int | float | str | None:
        value = front.get("current_phase")
        return value if isinstance(value, int | float | str) else None

    def phases(self, front: dict[str, Any]) -> list[dict[str, Any]]:
        given = front.get("phases")
        if given is None:
            self.warn("no phases")
            given = []
        if not isinstance(given, list):
            raise LedgerError(f"field 'phases' in '{self.name}' is not a list")
        found = [self.phase(one, number) for number, one in enumerate(given, 1)]
        self.tell_apart(found)
        self.check(found)
        return found

    def phase(self, given: Any, number: int) -> dict[str, Any]:
        where = f"phases[{number}]."
        if not isinstance(given, dict):
            raise LedgerError(f"phase {number} in '{self.name}' is not a mapping")
        number_ = given.get("id")
        if not isinstance(number_, int | float | str) or isinstance(number_, bool):
            self.warn(f"phase {number} has no id: read as {number}")
            number_ = number
        agents = self.texts(given, "agents", where) or self.texts(given, "agent", where)
        return {
            "id": number_,
            "name": self.text(given, "name", where) or f"Phase {number_}",
            "status": self.phase_status(given, number),
            "agents": agents,
            "parallel": given.get("parallel") is True,
            "started": self.text(given, "started", where),
            "completed": self.text(given, "completed", where),
            "blocked_by": self.blockers(given, where),
            **{kind: self.texts(given, kind, where) for kind in phases_.MANIFEST},
            "downstream_context": self.context(given, where),
            "errors": self.errors(given, number),
            "retry_count": self.number(given, "retry_count"),
            "extra": {key: value for key, value in given.items() if key not in _PHASE_KNOWN},
        }

    def phase_status(self, given: dict[str, Any], number: int) -> str:
        told = self.text(given, "status", f"phases[{number}].")
        if told in phases_.STATUSES:
            return str(told)
        self.warn(f"status '{told}' of phase {number} is not one of a phase's: read as 'pending'")
        return phases_.PENDING

    def context(self, given: dict[str, Any], where: str) -> dict[str, list[str]]:
        told = given.get("downstream_context")
        if told is None or isinstance(told, list | str):
            return {"assumptions": self.texts(given, "downstream_context", where)} if told else {}
        if not isinstance(told, dict):
            raise LedgerError(f"field '{where}downstream_context' in '{self.name}' is no mapping")
        return {one: self.texts(told, one, where) for one in phases_.CONTEXT}

    def errors(self, given: dict[str, Any], number: int) -> list[dict[str, Any]]:
        value = given.get("errors") or []
        many = value if isinstance(value, list) else [value]
        return [self.error(one, f"{number}.{place}") for place, one in enumerate(many, 1)]

    def error(self, told: Any, place: str) -> dict[str, Any]:
        if not isinstance(told, dict):
            told = {"message": plain(told)}
        kind = str(told.get("type"))
        if kind not in phases_.ERROR_TYPES:
            kind = "runtime"
        return {
            "id": f"imported-{place}",
            "agent": str(told.get("agent") or ""),
            "timestamp": str(told.get("timestamp") or ""),
            "type": kind,
            "message": str(told.get("message") or ""),
            "resolution": str(told.get("resolution") or phases_.UNANSWERED),
            "resolved": told.get("resolved") is True,
        }

    def usage(self, front: dict[str, Any]) -> dict[str, dict[str, int]]:
        """By agent; what a total counts beyond them is nobody's, so that the total is the sum."""
        told = front.get("token_usage")
        told = told if isinstance(told, dict) else {}
        shares = told.get("by_agent")
        shares = shares if isinstance(shares, dict) else {}
        found = {str(name): self.tokens(one) for name, one in shares.items()}
        rest = {
            part: max(
                0, self.number(told, f"total_{part}") - sum(one[part] for one in found.values())
            )
            for part in ("input", "output", "cached")
        }
        return {**found, UNATTRIBUTED: rest} if any(rest.values()) else found

    def tokens(self, told: Any) -> dict[str, int]:
        if not isinstance(told, dict):
            return {"input": 0, "output": 0, "cached": 0}
        return {part: self.number(told, part) for part in ("input", "output", "cached")}

    def tell_apart(self, found: Iterable[dict[str, Any]]) -> None:
        """Phases that repeat an id: each later one gets `#2`, `#3` behind it."""
        seen: dict[str, int] = {}
        for one in found:
            key = str(one["id"])
            seen[key] = seen.get(key, 0) + 1
            if seen[key] > 1:
                one["id"] = f"{key}#{seen[key]}"
                self.warn(f"two phases have the id '{key}': this one is now '{one['id']}'")

    def check(self, found: list[dict[str, Any]]) -> None:
        try:
            phases_.check_phases([make_phase(one) for one in found])
        except LedgerError as error:
            self.warn(error.message)
