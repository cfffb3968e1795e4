"""Which completion markers an output holds, and what they say of the agent's end.

A marker is a level-2 heading at the start of a line: not in a code fence, not
indented, not of another level. Exact case, or another case with a warning. Where
there are several the last one decides. Source: REQUIREMENTS section 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitledger.contracts.markdown import headings
from gitledger.contracts.registry import (
    MATCHES,
    REGISTRY,
    WORKFLOW,
    WORKFLOWS,
    Contract,
    heard_from,
)
from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

COMPLETE, BLOCKED, ISSUES = "complete", "blocked", "issues"
PAUSED, PARTIAL, FAILED = "paused", "partial", "failed"
OUTCOMES = (COMPLETE, BLOCKED, ISSUES, PAUSED, PARTIAL, FAILED)

_WHOLE = {
    "ROOT CAUSE FOUND": COMPLETE,
    "ISSUES FOUND": ISSUES,
    "CHECKPOINT REACHED": PAUSED,
    "PARTIAL": PARTIAL,
    "ESCALATE": PARTIAL,
    "OPEN_THREATS": PARTIAL,
}
_ENDINGS = {
    "COMPLETE": COMPLETE,
    "PASSED": COMPLETE,
    "CREATED": COMPLETE,
    "REVISED": COMPLETE,
    "BLOCKED": BLOCKED,
    "FAILED": FAILED,
}


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as registered, `## ` included, with the agents that have it."""

    text: str
    outcome: str
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sighting:
    """A marker in an output. `written` is the heading as it stands at `line` (from 1)."""

    marker: str
    written: str
    line: int
    outcome: str
    agents: tuple[str, ...]

    @property
    def exact(self) -> bool:
        return self.marker == self.written


@dataclass(frozen=True)
class Registry:
    """The known agents, those of a project included, by what they are called."""

    contracts: tuple[Contract, ...] = (*REGISTRY, WORKFLOWS)
    outcomes: Mapping[str, str] = field(default_factory=dict)  # a project's own words

    def contract(self, agent: str | None) -> Contract | None:
        return next((one for one in self.contracts if one.agent == agent), None)

    def markers(self, agent: str | None = None) -> list[Marker]:
        """The markers of an agent; those of all where the agent is not known."""
        known = self.contract(agent)
        chosen = self.contracts if known is None else (known,)
        texts = [text for one in chosen for text in one.markers]
        if known is not None:
            texts += heard_from(known.agent)
        return [self._marker(text) for text in dict.fromkeys(texts)]

    def _marker(self, text: str) -> Marker:
        outcome = self.outcomes.get(text) or outcome_of(text) or PARTIAL
        return Marker(text, outcome, _owners(self.contracts, text))


def _owners(contracts: Iterable[Contract], text: str) -> tuple[str, ...]:
    own = [one.agent for one in contracts if text in one.markers and one.agent != WORKFLOW]
    heard = [agent for one in MATCHES if one.marker == text for agent in one.agents]
    return tuple(dict.fromkeys(own + heard))


def outcome_of(marker: str) -> str | None:
    """What a marker says of the agent's end, None where its words do not tell."""
    title = marker.removeprefix("##").strip().upper()
    if title in _WHOLE:
        return _WHOLE[title]
    words = title.split()
    return _ENDINGS.get(words[-1]) if words else None


def find_markers(text: str, markers: Iterable[Marker]) -> list[Sighting]:
    """Every one of the markers in an output, in order. The last one decides."""
    by_case = {one.text: one for one in markers}
    folded: dict[str, Marker] = {}
    for text_, one in by_case.items():
        folded.setdefault(text_.upper(), one)
    found: list[Sighting] = []
    for heading in headings(text):
        written = f"## {heading.title}"
        marker = by_case.get(written) or folded.get(written.upper())
        if heading.level == 2 and marker:  # noqa: PLR2004 - rule: level 2 and no other
            seen = Sighting(marker.text, written, heading.line, marker.outcome, marker.agents)
            found.append(seen)
    return found


def with_project_markers(table: Mapping[str, Any]) -> Registry:
    """The registry with a project's own agents, from `[tool.gitledger.markers]`.

    An agent's value is a list of markers whose last word tells the outcome, or a
    table of marker to outcome. Raises LedgerError naming the agent and the entry.
    """
    outcomes: dict[str, str] = {}
    own: list[Contract] = []
    for agent, value in table.items():
        read = _project_markers(agent, value)
        outcomes.update(read)
        own.append(Contract(agent, "Of this project", tuple(read)))
    names = {one.agent for one in own}
    kept = [one for one in (*REGISTRY, WORKFLOWS) if one.agent not in names]
    return Registry((*kept, *own), outcomes)


def _project_markers(agent: str, value: Any) -> dict[str, str]:
    place = f"tool.gitledger.markers.{agent}"
    if isinstance(value, list):
        pairs = [(one, outcome_of(str(one))) for one in value]
    elif isinstance(value, dict):
        pairs = list(value.items())
    else:
        raise LedgerError(
            f"neither a list of markers nor a table: '{place}'", "write marker = outcome"
        )
    for marker, outcome in pairs:
        _refuse_bad_marker(place, marker, outcome)
    return {marker: str(outcome) for marker, outcome in pairs}


def _refuse_bad_marker(place: str, marker: Any, outcome: Any) -> None:
    if not isinstance(marker, str) or not marker.startswith("## ") or "\n" in marker:
        raise LedgerError(f"not a level-2 heading in '{place}': '{marker}'", "begin it with '## '")
    if outcome not in OUTCOMES:
        raise LedgerError(
            f"no outcome known for '{marker}' in '{place}'",
            f"give it one of {', '.join(OUTCOMES)}",
        )
