"""GSD's agent history (`.planning/agent-history.json`, 1.0 to 1.2), read as it is found.

Real files have ids with slashes, a queued entry without an id, an end before its
start, times with zones and fractions, fields of their own. What is odd is told as a
warning; what can't be understood is an error that names file, place and field.
Source: REQUIREMENTS section 6.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gitledger.errors import LedgerError
from gitledger.model.fields import GRANULARITIES, MODES
from gitledger.model.lifecycle import (
    COMPLETED,
    FAILED,
    INTERRUPTED,
    QUEUED,
    RESUMED,
    SPAWNED,
    TERMINAL,
)
from gitledger.model.names import has_control

VERSIONS = ("1.0", "1.1", "1.2")
STATUSES = (QUEUED, SPAWNED, COMPLETED, INTERRUPTED, RESUMED, FAILED)
LONGEST = 64 * 1024  # characters of one text: more is no description of a task
_TOP = ("version", "max_entries", "entries")


@dataclass(frozen=True)
class Run:
    """One entry: an agent's run as it was written, and as it was understood.

    `place` counts the file's entries from 0; `told` is the body of an `imported`
    event beside `from`.
    """

    id: str
    place: int
    entry: dict[str, Any]
    told: dict[str, Any]


@dataclass
class History:
    """A whole file. `warnings` name what is odd in it, and was taken all the same."""

    version: str
    max_entries: int
    runs: list[Run] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def by_agent(self) -> dict[str, list[Run]]:
        """The runs of each agent, in their order."""
        found: dict[str, list[Run]] = {}
        for run in self.runs:
            found.setdefault(run.id, []).append(run)
        return found


def read(content: bytes, name: str) -> History:
    """A history from the bytes of a file. Raises LedgerError, naming file, place and field."""
    document = _parsed(content, name)
    if not isinstance(document, dict):
        raise LedgerError(f"'{name}' is not a JSON object", "an agent history has 'entries'")
    entries = document.get("entries")
    if not isinstance(entries, list):
        raise LedgerError(f"field 'entries' in '{name}' is not a list")
    history = History(_version(document, name), _bound(document, name))
    for extra in [key for key in document if key not in _TOP]:
        history.warnings.append(f"{name}: field '{extra}' is not kept: it belongs to no entry")
    for number, entry in enumerate(entries):
        history.runs.append(_Reader(name, number, history.warnings).run(entry))
    _refuse_repeats(history, name)
    return history


def _parsed(content: bytes, name: str) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise LedgerError(f"'{name}' is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise LedgerError(f"'{name}' is not JSON at {place}: {error.msg.lower()}") from None
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"'{name}' is not JSON: {error}") from None


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _version(document: dict[str, Any], name: str) -> str:
    found = document.get("version", "1.0")
    if found not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise LedgerError(f"version {found!r} of '{name}' is not known", f"known are {known}")
    return str(found)


def _bound(document: dict[str, Any], name: str) -> int:
    found = document.get("max_entries", 50)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise LedgerError(f"field 'max_entries' in '{name}' is not a whole number from 0")
    return found


def _refuse_repeats(history: History, name: str) -> None:
    """An agent may have several entries, one a run: all but the last were cut off."""
    last: dict[str, int] = {}
    for number, run in enumerate(history.runs):
        before = last.get(run.id)
        if before is not None and history.runs[before].told["status"] != INTERRUPTED:
            status = history.runs[before].told["status"]
            raise LedgerError(
                f"'agent_id' of entries[{number}] in '{name}' is that of entries[{before}], "
                f"which is {status}: '{run.id}'",
                "several entries of one agent are its runs, and all but the last interrupted",
            )
        last[run.id] = number


def moment(words: str) -> str:
    """Any ISO 8601 time as an event has it: UTC, microseconds, `Z`. Raises ValueError."""
    found = datetime.fromisoformat(words.strip())
    known = found if found.tzinfo else found.replace(tzinfo=UTC)
    return known.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True)
class _Reader:
    """Reads one entry."""

    name: str
    number: int
    warnings: list[str]

    def run(self, entry: Any) -> Run:
        if not isinstance(entry, dict):
            raise LedgerError(f"entries[{self.number}] in '{self.name}' is not an object")
        status = self._status(entry)
        told: dict[str, Any] = {"status": status, **self._times(entry, status)}
        told |= self._texts(entry)
        told |= self._choices(entry)
        told |= self._lists(entry)
        told |= self._numbers(entry)
        found = {name: value for name, value in told.items() if value is not None}
        named = {**found, "title": self._title(entry)}
        return Run(self._id(entry, status), self.number, entry, named)

    def _error(self, key: str, what: str) -> LedgerError:
        return LedgerError(f"'{key}' of entries[{self.number}] in '{self.name}' {what}")

    def _warn(self, key: str, what: str) -> None:
        self.warnings.append(f"{self.name}: '{key}' of entries[{self.number}] {what}")

    def _status(self, entry: dict[str, Any]) -> str:
        found = entry.get("status")
        if found not in STATUSES:
            raise self._error("status", f"is {found!r}, not one of {', '.join(STATUSES)}")
        return str(found)

    def _id(self, entry: dict[str, Any], status: str) -> str:
        found = entry.get("agent_id")
        if found is None and status == QUEUED:
            self._warn("agent_id", "is null: an id is made for it")
            return made_id(entry)
        if not isinstance(found, str) or not found or len(found) > LONGEST:
            raise self._error("agent_id", "is not a text")
        if has_control(found):
            raise self._error("agent_id", "has control characters")
        return found

    def _title(self, entry: dict[str, Any]) -> str:
        words = " ".join((self._text(entry, "task_description") or "").split())
        plan = "-".join(v for k in ("phase", "plan") if (v := self._text(entry, k)))
        named = f"Execute plan {plan}" if plan else "an agent of the history"
        return "".join(c for c in words if not has_control(c)) or named

    def _text(self, entry: dict[str, Any], key: str) -> str | None:
        """A text; a plain number is one that was written without quotes."""
        value = entry.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            raise self._error(key, "is not a text")
        if value is not None and len(value) > LONGEST:
            raise self._error(key, f"is longer than {LONGEST} characters")
        return value

    def _texts(self, entry: dict[str, Any]) -> dict[str, Any]:
        names = {"phase": "phase", "plan": "plan", "parallel_group": "group"}
        found = {ours: self._text(entry, theirs) for theirs, ours in names.items()}
        return {**found, "output_file": self._text(entry, "output_file")}

    def _choices(self, entry: dict[str, Any]) -> dict[str, Any]:
        found = {}
        for key, known in (("execution_mode", MODES), ("granularity", GRANULARITIES)):
            value = entry.get(key)
            if value is not None and value not in known:
                raise self._error(key, f"is {value!r}, not {' or '.join(known)}")
            found[key] = value
        return found

    def _lists(self, entry: dict[str, Any]) -> dict[str, Any]:
        found = {}
        for theirs, ours in (("depends_on", "depends_on"), ("files_modified", "files_said")):
            value = entry.get(theirs)
            if isinstance(value, str):
                value = [value]
            if value is not None and not _are_texts(value):
                raise self._error(theirs, "is not a list of texts")
            found[ours] = value
        return found

    def _numbers(self, entry: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key in ("segment", "checkpoints_skipped"):
            value = entry.get(key)
            if value is not None and (not isinstance(value, int) or value < 0 or value is True):
                raise self._error(key, "is not a whole number from 0")
            found[key] = value
        results = entry.get("task_results")
        if results is not None and not (
            isinstance(results, dict) and all(isinstance(one, dict) for one in results.values())
        ):
            raise self._error("task_results", "is not an object of objects")
        return {**found, "task_results": results}

    def _times(self, entry: dict[str, Any], status: str) -> dict[str, Any]:
        began, ended = self._time(entry, "timestamp"), self._time(entry, "completion_timestamp")
        if began is None and status != QUEUED:
            raise self._error("timestamp", "is missing")
        if began and ended and ended < began:
            self._warn("completion_timestamp", "is before its 'timestamp'")
        if ended and status not in TERMINAL:
            self._warn("completion_timestamp", f"is there, but it is {status}")
        known = "queued_at" if status == QUEUED else "resumed_at" if status == RESUMED else ""
        return {known or "spawned_at": began, "completed_at": ended if status in TERMINAL else None}

    def _time(self, entry: dict[str, Any], key: str) -> str | None:
        value = entry.get(key)
        if value is None:
            return None
        try:
            return moment(value)
        except (ValueError, TypeError, AttributeError, OverflowError):
            raise self._error(key, f"is no time: {str(value)[:40]!r}") from None


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def made_id(entry: dict[str, Any]) -> str:
    """The id of a queued entry without one: the same for the same work, however often read."""
    work = [entry.get(key) for key in ("phase", "plan", "segment", "task_description")]
    digest = hashlib.sha256(json.dumps(work).encode()).hexdigest()[:6]
    plan = "-".join(str(one) for one in work[:2] if one is not None)
    return f"queued-{plan}-{digest}" if plan else f"queued-{digest}"
