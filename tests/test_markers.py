"""Completion markers: all 22 agents, every marker, in every way that it may be written."""

from __future__ import annotations

import pytest

from gitledger.contracts.markers import (
    Registry,
    find_markers,
    outcome_of,
    with_project_markers,
)
from gitledger.contracts.registry import MATCHES, REGISTRY, WORKFLOW
from gitledger.errors import LedgerError

# Word for word as in the agents' own files, casing included.
WRITTEN = {
    "gsd-planner": ["## PLANNING COMPLETE"],
    "gsd-executor": ["## PLAN COMPLETE", "## CHECKPOINT REACHED"],
    "gsd-phase-researcher": ["## RESEARCH COMPLETE", "## RESEARCH BLOCKED"],
    "gsd-project-researcher": ["## RESEARCH COMPLETE", "## RESEARCH BLOCKED"],
    "gsd-plan-checker": ["## VERIFICATION PASSED", "## ISSUES FOUND"],
    "gsd-research-synthesizer": ["## SYNTHESIS COMPLETE", "## SYNTHESIS BLOCKED"],
    "gsd-debugger": ["## DEBUG COMPLETE", "## ROOT CAUSE FOUND", "## CHECKPOINT REACHED"],
    "gsd-roadmapper": ["## ROADMAP CREATED", "## ROADMAP REVISED", "## ROADMAP BLOCKED"],
    "gsd-ui-auditor": ["## UI REVIEW COMPLETE"],
    "gsd-ui-checker": ["## ISSUES FOUND"],
    "gsd-ui-researcher": ["## UI-SPEC COMPLETE", "## UI-SPEC BLOCKED"],
    "gsd-verifier": ["## Verification Complete"],
    "gsd-integration-checker": ["## Integration Check Complete"],
    "gsd-nyquist-auditor": ["## PARTIAL", "## ESCALATE"],
    "gsd-security-auditor": ["## OPEN_THREATS", "## ESCALATE"],
    "gsd-codebase-mapper": [],
    "gsd-assumptions-analyzer": [],
    "gsd-doc-verifier": [],
    "gsd-doc-writer": [],
    "gsd-advisor-researcher": [],
    "gsd-user-profiler": [],
    "gsd-intel-updater": ["## INTEL UPDATE COMPLETE", "## INTEL UPDATE FAILED"],
}
OUTCOMES = {
    "## PLANNING COMPLETE": "complete",
    "## PLAN COMPLETE": "complete",
    "## CHECKPOINT REACHED": "paused",
    "## RESEARCH COMPLETE": "complete",
    "## RESEARCH BLOCKED": "blocked",
    "## VERIFICATION PASSED": "complete",
    "## ISSUES FOUND": "issues",
    "## SYNTHESIS COMPLETE": "complete",
    "## SYNTHESIS BLOCKED": "blocked",
    "## DEBUG COMPLETE": "complete",
    "## ROOT CAUSE FOUND": "complete",
    "## ROADMAP CREATED": "complete",
    "## ROADMAP REVISED": "complete",
    "## ROADMAP BLOCKED": "blocked",
    "## UI REVIEW COMPLETE": "complete",
    "## UI-SPEC COMPLETE": "complete",
    "## UI-SPEC BLOCKED": "blocked",
    "## Verification Complete": "complete",
    "## Integration Check Complete": "complete",
    "## PARTIAL": "partial",
    "## ESCALATE": "partial",
    "## OPEN_THREATS": "partial",
    "## INTEL UPDATE COMPLETE": "complete",
    "## INTEL UPDATE FAILED": "failed",
    "## PHASE COMPLETE": "complete",
    "## Self-Check: FAILED": "failed",
}
EVERY = [(agent, marker) for agent, markers in WRITTEN.items() for marker in markers]


def seen(agent: str | None, text: str) -> list[tuple[str, bool, int]]:
    registry = Registry()
    found = find_markers(text, registry.markers(agent))
    return [(one.marker, one.exact, one.line) for one in found]


def other_case(marker: str) -> str:
    return "## " + marker[3:].swapcase()


def test_the_registry_has_every_agent_with_its_markers() -> None:
    assert {one.agent: list(one.markers) for one in REGISTRY} == WRITTEN
    assert len(WRITTEN) == 22


def test_each_marker_says_how_the_agent_ended() -> None:
    known = {one for markers in WRITTEN.values() for one in markers}
    known |= {one.marker for one in MATCHES}
    assert {one: outcome_of(one) for one in known} == OUTCOMES
    assert outcome_of("## Assumptions") is None
    assert outcome_of("##") is None


@pytest.mark.parametrize(("agent", "marker"), EVERY)
def test_a_marker_counts(agent: str, marker: str) -> None:
    assert seen(agent, f"Done.\n\n{marker}\n\n- one\n") == [(marker, True, 3)]
    assert seen(agent, f"{marker}") == [(marker, True, 1)]
    assert seen(agent, f"words\r\n{marker}  \r\nmore\r\n") == [(marker, True, 2)]
    assert seen(agent, f"{marker} ##\n") == [(marker, True, 1)]
    assert seen(agent, f"\ufeff{marker}\n") == [(marker, True, 1)]


@pytest.mark.parametrize(("agent", "marker"), EVERY)
def test_a_marker_in_another_case_counts_and_is_told_apart(agent: str, marker: str) -> None:
    assert seen(agent, f"{other_case(marker)}\n") == [(marker, False, 1)]


@pytest.mark.parametrize(("agent", "marker"), EVERY)
def test_what_is_no_marker(agent: str, marker: str) -> None:
    title = marker.removeprefix("## ")
    assert seen(agent, f"```\n{marker}\n```\n") == []
    assert seen(agent, f"~~~~markdown\n{marker}\n") == []
    assert seen(agent, f" {marker}\n") == []
    assert seen(agent, f"    {marker}\n") == []
    assert seen(agent, f"### {title}\n# {title}\n#{marker}\n") == []
    assert seen(agent, f"> {marker}\n\n- {marker}\n") == []
    assert seen(agent, f"{title}\n---\n") == []
    assert seen(agent, f"##{title}\nThe word {marker} in a line\n") == []
    assert seen(agent, f"{marker} for now\n## **{title}**\n<!--\n{marker}\n-->\n") == []


@pytest.mark.parametrize(("agent", "marker"), EVERY)
def test_a_marker_twice_is_reported_twice(agent: str, marker: str) -> None:
    text = f"{marker}\n\n```\n{marker}\n```\n\n{other_case(marker)}\n"
    assert seen(agent, text) == [(marker, True, 1), (marker, False, 7)]


def test_the_last_of_several_decides() -> None:
    text = "## CHECKPOINT REACHED\n\ngoing on\n\n## PLAN COMPLETE\n"
    found = find_markers(text, Registry().markers("gsd-executor"))
    assert [one.outcome for one in found] == ["paused", "complete"]


def test_a_marker_belongs_to_those_who_have_it() -> None:
    text = "## ISSUES FOUND\n"
    assert seen("gsd-executor", text) == []
    assert seen("gsd-doc-writer", text) == []
    (found,) = find_markers(text, Registry().markers("coder"))
    assert found.agents == ("gsd-plan-checker", "gsd-ui-checker")


def test_the_workflows_hear_a_planner_pause() -> None:
    assert seen("gsd-planner", "## CHECKPOINT REACHED\n") == [("## CHECKPOINT REACHED", True, 1)]
    assert seen(WORKFLOW, "## PHASE COMPLETE\n## Self-Check: FAILED\n") == [
        ("## PHASE COMPLETE", True, 1),
        ("## Self-Check: FAILED", True, 2),
    ]
    assert seen("gsd-verifier", "## CHECKPOINT REACHED\n") == []


def test_a_project_adds_its_own() -> None:
    registry = with_project_markers(
        {"reviewer": {"## LGTM": "complete"}, "gsd-doc-writer": ["## DOCS BLOCKED"]}
    )
    (found,) = find_markers("## LGTM\n", registry.markers("reviewer"))
    assert (found.outcome, found.agents) == ("complete", ("reviewer",))
    assert [one.text for one in registry.markers("gsd-doc-writer")] == ["## DOCS BLOCKED"]
    assert [one.text for one in registry.markers("gsd-planner")] == [
        "## PLANNING COMPLETE",
        "## CHECKPOINT REACHED",
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a": "## X"}, "neither a list of markers nor a table: 'tool.gitledger.markers.a'"),
        (
            {"a": ["X COMPLETE"]},
            "not a level-2 heading in 'tool.gitledger.markers.a': 'X COMPLETE'",
        ),
        ({"a": ["## HURRAH"]}, "no outcome known for '## HURRAH' in 'tool.gitledger.markers.a'"),
        ({"a": {"## X": "fine"}}, "no outcome known for '## X' in 'tool.gitledger.markers.a'"),
    ],
)
def test_a_project_writes_them_wrongly(table: dict[str, object], message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        with_project_markers(table)
    assert caught.value.message == message
