"""How an agent's end is recognised: its marker, its spot check, and which of them decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gitledger.errors import LedgerError, Undecided
from gitledger.services.completion import Detection, detect, report_from_output
from gitledger.services.find import find
from gitledger.services.live import look
from gitledger.services.spawn import Order, spawn
from gitledger.services.spot_check import find_summary
from tests.session_steps import ledger
from tests.support import Place
from tests.test_handoff import SUMMARY

if TYPE_CHECKING:
    from pathlib import Path

FAILED_SUMMARY = SUMMARY.replace("PASSED", "FAILED")
WHERE = ".planning/phases/02-login/02-01-SUMMARY.md"


def an_agent(repo: Place, role: str | None, **fields: Any) -> Place:
    told = {**fields, **({"role": role} if role else {})}
    path: Path = repo.path.parent / "a1"
    spawn(ledger(repo), Order("one", "a1", "a1", str(path), "HEAD", told))
    return Place(path, repo.env)


def judged(repo: Place, output: str, summary: str | None = None) -> Detection:
    view = look(ledger(repo))
    return detect(view, find(view, "a1"), output, summary)


def verdict(found: Detection) -> tuple[str, str, list[str]]:
    failed = [one.words for one in found.checks if not one.ok]
    return found.source, found.verdict, failed


def executed(repo: Place, summary: str | None, *, commit: bool = True) -> None:
    """An executor's work on phase 02, plan 01."""
    place = an_agent(repo, "gsd-executor", phase="02-login", plan="01", files_declared=["src/a.py"])
    if summary is not None:
        place.write(WHERE, summary)
        place.write("src/a.py", "")
    if commit:
        place.commit("work", done="1\n")


DONE, PAUSED = "## PLAN COMPLETE\n\nAll tasks.\n", "## CHECKPOINT REACHED\n\nLook.\n"


@pytest.mark.parametrize(
    ("summary", "output", "expected"),
    [
        (SUMMARY, DONE, ("spot-check", "complete", [])),
        (SUMMARY, "", ("spot-check", "complete", [])),
        (SUMMARY, PAUSED, ("spot-check", "complete", [])),
        (FAILED_SUMMARY, DONE, ("spot-check", "partial", ["the summary's self-check: FAILED"])),
        (None, DONE, ("spot-check", "partial", ["no SUMMARY.md", "missing: src/a.py"])),
        (None, PAUSED, ("marker", "paused", ["no SUMMARY.md", "missing: src/a.py"])),
        (None, "", ("spot-check", "partial", ["no SUMMARY.md", "missing: src/a.py"])),
    ],
)
def test_an_executor_is_judged_by_what_it_left(
    repo: Place, summary: str | None, output: str, expected: tuple[str, str, list[str]]
) -> None:
    executed(repo, summary)
    assert verdict(judged(repo, output)) == expected


def test_of_an_executor_that_did_nothing_nothing_is_known(repo: Place) -> None:
    executed(repo, None, commit=False)
    found = judged(repo, "I am done.\n")
    assert (found.source, found.verdict) == ("none", "unknown")
    with pytest.raises(Undecided) as caught:
        report_from_output(ledger(repo), "a1", "I am done.\n", {})
    assert caught.value.exit_code == 3


def test_the_evidence_has_both(repo: Place) -> None:
    executed(repo, SUMMARY)
    assert judged(repo, "## Plan Complete\n").evidence == [
        {
            "source": "marker",
            "marker": "## PLAN COMPLETE",
            "written": "## Plan Complete",
            "line": 1,
            "exact": False,
            "outcome": "complete",
        },
        {"source": "spot-check", "check": "summary-exists", "ok": True, "detail": WHERE},
        {
            "source": "spot-check",
            "check": "self-check",
            "ok": True,
            "detail": "the summary's self-check: PASSED",
        },
        {
            "source": "spot-check",
            "check": "commits-since-spawn",
            "ok": True,
            "detail": "1 commits since the spawn",
        },
        {
            "source": "spot-check",
            "check": "expected-files",
            "ok": True,
            "detail": "all 1 expected files",
        },
    ]


@pytest.mark.parametrize(
    ("role", "output", "expected"),
    [
        ("gsd-planner", "## PLANNING COMPLETE\n", ("marker", "complete", [])),
        ("gsd-planner", "## CHECKPOINT REACHED\n", ("marker", "paused", [])),
        ("gsd-phase-researcher", "## RESEARCH BLOCKED\n", ("marker", "blocked", [])),
        ("gsd-plan-checker", "## ISSUES FOUND\n", ("marker", "issues", [])),
        ("gsd-nyquist-auditor", "## ESCALATE\n", ("marker", "partial", [])),
        ("gsd-intel-updater", "## INTEL UPDATE FAILED\n", ("marker", "failed", [])),
        ("gsd-planner", "## PLAN COMPLETE\n", ("none", "unknown", [])),
        ("gsd-planner", "```\n## PLANNING COMPLETE\n```\n", ("none", "unknown", [])),
        ("gsd-assumptions-analyzer", "## Assumptions\n\n- one\n", ("spot-check", "complete", [])),
        (
            "gsd-assumptions-analyzer",
            "## Assumptions\n",
            ("none", "unknown", ["no section '## Assumptions'"]),
        ),
        (
            "gsd-user-profiler",
            '<analysis>\n```json\n{"a": 1}\n```\n</analysis>',
            ("spot-check", "complete", []),
        ),
        (
            "gsd-user-profiler",
            "<analysis>{</analysis>",
            ("none", "unknown", ["no JSON in analysis tags"]),
        ),
        ("gsd-advisor-researcher", "I think so.", ("none", "unknown", [])),
        ("gsd-doc-writer", "Written.", ("none", "unknown", ["no files were declared"])),
        ("gsd-doc-verifier", "Checked.", ("none", "unknown", ["no JSON below '.planning/tmp'"])),
    ],
)
def test_other_agents_are_judged_by_their_marker_or_by_what_they_leave(
    repo: Place, role: str, output: str, expected: tuple[str, str, list[str]]
) -> None:
    an_agent(repo, role)
    assert verdict(judged(repo, output)) == expected


def test_agents_that_write_are_judged_by_their_files(repo: Place) -> None:
    place = an_agent(repo, "gsd-codebase-mapper", files_declared=["docs/map.md"])
    assert verdict(judged(repo, "")) == ("none", "unknown", ["missing: docs/map.md"])
    place.write("docs/map.md", "")
    assert verdict(judged(repo, "")) == ("spot-check", "complete", [])


def test_a_doc_verifier_leaves_json(repo: Place) -> None:
    place = an_agent(repo, "gsd-doc-verifier")
    place.write(".planning/tmp/broken.json", "{")
    assert not judged(repo, "").checks[0].ok
    place.write(".planning/tmp/found.json", "[]")
    assert verdict(judged(repo, "")) == ("spot-check", "complete", [])


def test_what_is_left_is_found_in_the_commits_once_the_worktree_is_gone(repo: Place) -> None:
    place = an_agent(repo, "gsd-executor", phase="02", plan="01", files_declared=["src/a.py"])
    place.write(WHERE, SUMMARY)
    place.write("src/a.py", "")
    place.commit("work")
    repo.git("worktree", "remove", str(place.path))
    assert verdict(judged(repo, DONE)) == ("spot-check", "complete", [])


def test_warnings_say_what_to_look_at(repo: Place) -> None:
    executed(repo, None)
    found = judged(repo, "## checkpoint reached\n\n## PLAN COMPLETE\n")
    assert list(found.warnings) == [
        "line 1: '## checkpoint reached' for '## CHECKPOINT REACHED'",
        "several markers: the last one decides, '## PLAN COMPLETE'",
        "says complete, but no SUMMARY.md; missing: src/a.py",
    ]
    assert list(judged(repo, "## PLAN COMPLETE\n").warnings) == [
        "says complete, but no SUMMARY.md; missing: src/a.py"
    ]


def status(repo: Place) -> tuple[str, str | None, str | None, str | None]:
    agent = look(ledger(repo)).by_id["a1"].agent
    return agent.status, agent.outcome, agent.summary, agent.error


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            "## ROADMAP CREATED\n\nFour phases.\n",
            ("awaiting-review", "complete", "Four phases.", None),
        ),
        ("## ROADMAP BLOCKED\n", ("awaiting-review", "blocked", None, None)),
    ],
)
def test_a_report_takes_the_outcome_from_the_output(
    repo: Place, output: str, expected: tuple[str, str | None, str | None, str | None]
) -> None:
    an_agent(repo, "gsd-roadmapper")
    report_from_output(ledger(repo), "a1", output, {})
    assert status(repo) == expected


def test_a_report_of_failure_fails_the_agent(repo: Place) -> None:
    an_agent(repo, "gsd-intel-updater")
    report_from_output(ledger(repo), "a1", "## INTEL UPDATE FAILED\n\nNo network.\n", {})
    assert status(repo)[0] == "failed"
    assert status(repo)[3] == "No network."
    with pytest.raises(LedgerError):
        report_from_output(ledger(repo), "a1", "## INTEL UPDATE COMPLETE\n", {})


def test_complete_in_words_and_not_in_fact_awaits_review(repo: Place) -> None:
    executed(repo, None)
    _, found = report_from_output(ledger(repo), "a1", DONE, {"summary": "my own"})
    assert status(repo) == ("awaiting-review", "partial", "my own", None)
    assert found.warnings


@pytest.mark.parametrize(
    ("path", "phase", "plan", "found"),
    [
        (".planning/phases/02-login/02-01-SUMMARY.md", "02", "01", True),
        (".planning/phases/02-login/02-01-SUMMARY.md", "02-login", "01", True),
        (".planning/phases/02-login/SUMMARY.md", "02", "01", True),
        (".planning/phases/02.1-fix/02.1-01-SUMMARY.md", "02.1", "01", True),
        (".planning/phases/02-login/02-02-SUMMARY.md", "02", "01", False),
        (".planning/phases/03-x/SUMMARY.md", "02", "01", False),
        (".planning/phases/02-login/02-01-PLAN.md", "02", "01", False),
        (".planning/SUMMARY.md", None, None, False),
    ],
)
def test_a_summary_is_found_by_phase_and_plan(
    path: str, phase: str | None, plan: str | None, found: bool
) -> None:
    assert find_summary([path], phase, plan) == (path if found else None)
