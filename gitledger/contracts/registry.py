"""The agents whose ends are known, and what each writes or leaves when it ends: data.

Source: REQUIREMENTS section 4, after the agent contracts of GSD. The casing is
theirs: two of them use title case on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contract:
    """One kind of agent. `agent` is what the ledger calls its role.

    `leaves` says what an agent without markers is judged by: `files` (those it was
    to write), `section:<heading>` or `json-tags` in its output, `json:<directory>`.
    None where a marker decides, or where nothing but the output can be judged.
    """

    agent: str
    role: str
    markers: tuple[str, ...] = ()
    leaves: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A marker that a workflow looks for, and the agents in whose output it does."""

    workflow: str
    marker: str
    agents: tuple[str, ...]


WORKFLOW = "workflow"
EXECUTOR = "gsd-executor"

REGISTRY = (
    Contract("gsd-planner", "Plan creation", ("## PLANNING COMPLETE",)),
    Contract(EXECUTOR, "Plan execution", ("## PLAN COMPLETE", "## CHECKPOINT REACHED")),
    Contract(
        "gsd-phase-researcher",
        "Phase-scoped research",
        ("## RESEARCH COMPLETE", "## RESEARCH BLOCKED"),
    ),
    Contract(
        "gsd-project-researcher",
        "Project-wide research",
        ("## RESEARCH COMPLETE", "## RESEARCH BLOCKED"),
    ),
    Contract("gsd-plan-checker", "Plan validation", ("## VERIFICATION PASSED", "## ISSUES FOUND")),
    Contract(
        "gsd-research-synthesizer",
        "Multi-research synthesis",
        ("## SYNTHESIS COMPLETE", "## SYNTHESIS BLOCKED"),
    ),
    Contract(
        "gsd-debugger",
        "Debug investigation",
        ("## DEBUG COMPLETE", "## ROOT CAUSE FOUND", "## CHECKPOINT REACHED"),
    ),
    Contract(
        "gsd-roadmapper",
        "Roadmap creation/revision",
        ("## ROADMAP CREATED", "## ROADMAP REVISED", "## ROADMAP BLOCKED"),
    ),
    Contract("gsd-ui-auditor", "UI review", ("## UI REVIEW COMPLETE",)),
    Contract("gsd-ui-checker", "UI validation", ("## ISSUES FOUND",)),
    Contract(
        "gsd-ui-researcher", "UI spec creation", ("## UI-SPEC COMPLETE", "## UI-SPEC BLOCKED")
    ),
    Contract("gsd-verifier", "Post-execution verification", ("## Verification Complete",)),
    Contract(
        "gsd-integration-checker",
        "Cross-phase integration check",
        ("## Integration Check Complete",),
    ),
    Contract("gsd-nyquist-auditor", "Sampling audit", ("## PARTIAL", "## ESCALATE")),
    Contract("gsd-security-auditor", "Security audit", ("## OPEN_THREATS", "## ESCALATE")),
    Contract("gsd-codebase-mapper", "Codebase analysis", leaves="files"),
    Contract("gsd-assumptions-analyzer", "Assumption extraction", leaves="section:Assumptions"),
    Contract("gsd-doc-verifier", "Doc validation", leaves="json:.planning/tmp"),
    Contract("gsd-doc-writer", "Doc generation", leaves="files"),
    Contract("gsd-advisor-researcher", "Advisory research"),
    Contract("gsd-user-profiler", "User profiling", leaves="json-tags"),
    Contract(
        "gsd-intel-updater",
        "Codebase intelligence analysis",
        ("## INTEL UPDATE COMPLETE", "## INTEL UPDATE FAILED"),
    ),
)

_RESEARCHERS = ("gsd-phase-researcher", "gsd-project-researcher")

MATCHES = (
    Match("plan-phase.md", "## RESEARCH COMPLETE", _RESEARCHERS),
    Match("plan-phase.md", "## RESEARCH BLOCKED", _RESEARCHERS),
    Match("plan-phase.md", "## PLANNING COMPLETE", ("gsd-planner",)),
    Match("plan-phase.md", "## CHECKPOINT REACHED", ("gsd-planner", EXECUTOR)),
    Match("plan-phase.md", "## VERIFICATION PASSED", ("gsd-plan-checker",)),
    Match("plan-phase.md", "## ISSUES FOUND", ("gsd-plan-checker",)),
    Match("execute-phase.md", "## PHASE COMPLETE", (WORKFLOW,)),
    Match("execute-phase.md", "## Self-Check: FAILED", (WORKFLOW,)),
)

WORKFLOWS = Contract(
    WORKFLOW, "What the workflows match", tuple(dict.fromkeys(one.marker for one in MATCHES))
)


def heard_from(agent: str) -> tuple[str, ...]:
    """The markers that a workflow looks for in this agent's output, its own aside."""
    own = next((one.markers for one in REGISTRY if one.agent == agent), ())
    return tuple(one.marker for one in MATCHES if agent in one.agents and one.marker not in own)
