"""How an agent's run ended: from its last words, and from what it left behind.

Source: REQUIREMENTS section 4, `detect` and `report --from-output`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.contracts.markdown import Heading, blocks, section
from gitledger.contracts.markers import COMPLETE, FAILED, PARTIAL, PAUSED, Sighting, find_markers
from gitledger.contracts.registry import EXECUTOR
from gitledger.errors import Undecided
from gitledger.model.lifecycle import check
from gitledger.services import spot_check
from gitledger.services.find import find
from gitledger.services.lifecycle import end_of, prepared, report_of
from gitledger.services.project import registry

if TYPE_CHECKING:
    from gitledger.contracts.markers import Registry
    from gitledger.git.repository import Repository
    from gitledger.services.lifecycle import Step
    from gitledger.services.live import LiveAgent, View
    from gitledger.services.spot_check import Check

MARKER, SPOT_CHECK, NONE = "marker", "spot-check", "none"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Detection:
    """`source` is what decided, `verdict` an outcome or `unknown`; the evidence has both."""

    source: str
    verdict: str
    markers: tuple[Sighting, ...]
    checks: tuple[Check, ...]
    warnings: tuple[str, ...]

    @property
    def evidence(self) -> list[dict[str, Any]]:
        seen = [
            {
                "source": MARKER,
                "marker": one.marker,
                "written": one.written,
                "line": one.line,
                "exact": one.exact,
                "outcome": one.outcome,
            }
            for one in self.markers
        ]
        return seen + [{"source": SPOT_CHECK, **one.document()} for one in self.checks]


def detect(view: View, one: LiveAgent, output: str, summary: str | None = None) -> Detection:
    """Judge an agent's end by its output. `summary` is the path of its SUMMARY.md, if known."""
    known = registry(view.repo)
    markers = tuple(find_markers(output, known.markers(one.agent.role)))
    checks = tuple(spot_check.look(view.repo, one, known.contract(one.agent.role), output, summary))
    source, verdict = _judged(one.agent.role, markers, checks)
    warnings = _warnings(known, one.agent.role, markers, checks)
    return Detection(source, verdict, markers, checks, tuple(warnings))


def _judged(
    role: str | None, markers: tuple[Sighting, ...], checks: tuple[Check, ...]
) -> tuple[str, str]:
    """The executor's spot check outranks its marker, unless both say that it is not done."""
    said = markers[-1].outcome if markers else None
    passed = bool(checks) and all(one.ok for one in checks)
    if role == EXECUTOR and checks:
        if passed:
            return SPOT_CHECK, COMPLETE
        if said not in {None, COMPLETE}:
            return MARKER, str(said)
        return _undone(checks, said)
    if said is not None:
        return MARKER, said
    return (SPOT_CHECK, COMPLETE) if passed else _undone(checks, said)


def _undone(checks: tuple[Check, ...], said: str | None) -> tuple[str, str]:
    """Something is there, or was claimed: the orchestrator must judge. Else nothing is known."""
    if said == COMPLETE or any(one.ok for one in checks):
        return SPOT_CHECK, PARTIAL
    return NONE, UNKNOWN


def _warnings(
    known: Registry, role: str | None, markers: tuple[Sighting, ...], checks: tuple[Check, ...]
) -> list[str]:
    found = [f"line {m.line}: '{m.written}' for '{m.marker}'" for m in markers if not m.exact]
    if len({one.outcome for one in markers}) > 1:
        found.append(f"several markers: the last one decides, '{markers[-1].marker}'")
    failed = [one for one in checks if not one.ok]
    if markers and markers[-1].outcome == COMPLETE and failed:
        found.append(f"says complete, but {'; '.join(one.words for one in failed)}")
    if markers and markers[-1].outcome == PAUSED and checks and not failed:
        found.append("says that it pauses, but everything is there")
    if role is not None and known.contract(role) is None and markers:
        found.append(f"'{role}' is no known agent: the markers of all were looked for")
    return found


def report_from_output(
    repo: Repository,
    name: str | None,
    output: str,
    told: dict[str, Any],
    summary: str | None = None,
) -> tuple[Step, Detection]:
    """Report what an output says: failed fails the agent, every other outcome awaits review.

    `told` is what else the report has; without a summary in it the words below the
    marker are one. Raises Undecided where nothing can be told.
    """
    view = prepared(repo)
    one = find(view, name)
    found = detect(view, one, output, summary)
    if found.verdict == UNKNOWN:
        raise Undecided(
            f"can't tell how '{one.id}' ended: no marker, and nothing left behind",
            "look at it, then report without '--from-output'",
        )
    check(one.agent.status, "fail" if found.verdict == FAILED else "report", one.id)
    words = told.get("summary") or _words_below(output, found)
    if found.verdict == FAILED:
        error = {"error": words or "its output says that it failed", "how": "command"}
        return end_of(view, one, "fail", "failed", {**told, **error}), found
    more = {"outcome": found.verdict, **({"summary": words} if words else {})}
    return report_of(view, one, {**told, **more}), found


def _words_below(output: str, found: Detection) -> str:
    """The first paragraph below the marker that decided."""
    if not found.markers:
        return ""
    marker = found.markers[-1]
    heading = Heading(2, marker.written.removeprefix("## "), marker.line)
    return next(iter(blocks(section(output, heading))), "")
