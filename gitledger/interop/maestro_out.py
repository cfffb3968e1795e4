"""Maestro's session files, written. What was imported and not changed comes out as it came in.

Source: REQUIREMENTS section 6.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gitledger.contracts import frontmatter
from gitledger.model.order import in_order
from gitledger.model.session_agents import joined
from gitledger.model.session_doc import document
from gitledger.model.session_fold import fold
from gitledger.model.session_log import markdown, phase_sections

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.model.event import Event
    from gitledger.model.session import Session, Share

_OURS = ("files_declared", "agent_ids")  # of a phase; the foreign file has no place for them


def write(events: Iterable[Event], shares: Iterable[Share]) -> str:
    """The file of a session, given its events and its agents' shares."""
    ordered = in_order(events)
    session = joined(fold(ordered), shares)
    entry = next((one for one in reversed(ordered) if one.kind == "imported"), None)
    if entry is None:
        front = frontmatter.write(_native(session))
        return frontmatter.Parts(front, f"\n{markdown(session)}").text
    return _changed(str(entry.body["entry"]), fold([entry]), session)


def _native(session: Session) -> dict[str, Any]:
    told = document(session)
    return {**told, "phases": [_phase(one) for one in told["phases"]]}


def _phase(told: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in told.items() if name not in _OURS}
    errors = [{k: v for k, v in one.items() if k != "id"} for one in kept["errors"]]
    return {**kept, "errors": errors}


def _changed(entry: str, before: Session, after: Session) -> str:
    """The file as it came, with what has changed since; every other field word for word."""
    old, new = _native(before), _native(after)
    if {**old, "updated": ""} == {**new, "updated": ""}:
        return entry
    parts = frontmatter.cut(entry, "the imported file")
    front = frontmatter.read(parts.front, "the imported file")
    _overlay(front, old, new)
    _overlay_phases(front, old["phases"], new["phases"])
    written = _as_json(front) if _is_json(parts.front) else frontmatter.write(front)
    body = _body(parts.body, after, _moved_on(before, after))
    return frontmatter.Parts(written, body, parts.opening, parts.closing).text


def _overlay(front: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> None:
    changed = {name: value for name, value in new.items() if value != old.get(name)}
    changed.pop("phases", None)
    front.update(changed)


def _overlay_phases(
    front: dict[str, Any], old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> None:
    """By place: ids may repeat in a foreign file, and phases are only ever added."""
    given = front.get("phases")
    phases = given if isinstance(given, list) else []
    for place, told in enumerate(new):
        if place >= len(old):
            phases.append(told)
            continue
        _overlay(phases[place], old[place], told)
        if "agents" in phases[place]:
            phases[place].pop("agent", None)
    if new:
        front["phases"] = phases


def _moved_on(before: Session, after: Session) -> list[str]:
    """The keys of the phases that something happened in since the import."""
    was = {one.key: one for one in before.phases}
    return [one.key for one in after.phases if was.get(one.key) != one]


def _body(body: str, session: Session, keys: list[str]) -> str:
    """The Markdown as it came, and behind it what was done since."""
    changed = [one for one in session.phases if one.key in keys]
    if not changed:
        return body
    whole = body if not body or body.endswith("\n") else body + "\n"
    return whole + "\n" + "\n\n".join(phase_sections(session, changed)) + "\n"


def _is_json(front: str) -> bool:
    return front.lstrip().startswith("{")


def _as_json(front: dict[str, Any]) -> str:
    return json.dumps(front, indent=2, ensure_ascii=False) + "\n"
