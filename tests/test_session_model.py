"""A session's fold, its phases' transitions and the rules of what fits together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitledger.errors import LedgerError
from gitledger.model.event import Event, last_ids, make_line, read_line
from gitledger.model.phase import (
    INDICATORS,
    STATUSES,
    TRANSITIONS,
    Phase,
    PhaseError,
    check_phases,
    refuse_transition,
    waiting_for,
)
from gitledger.model.session import NotAllowed, Share, Usage, make_phase, moved, position
from gitledger.model.session_agents import joined, make_share, share_document
from gitledger.model.session_doc import document
from gitledger.model.session_fold import RULES, fold

ACTIONS = ("start", "complete", "fail", "retry", "skip")


def at(second: int) -> str:
    return f"2026-12-01T10:00:{second:02d}.000000Z"


def log(*facts: tuple[str, dict[str, Any]]) -> list[Event]:
    """Events one after another, a second apart."""
    events: list[Event] = []
    for number, (kind, body) in enumerate(facts):
        line = make_line(kind, last_ids(events), body, at(number))
        event = read_line(line, number)
        assert isinstance(event, Event)
        events.append(event)
    return events


def phase(id_: int, **more: Any) -> dict[str, Any]:
    return {"id": id_, "name": f"Part {id_}", **more}


STARTED = (
    "session-started",
    {"id": "2026-12-01-log-in", "task": "Log in", "phases": [phase(1), phase(2, blocked_by=[1])]},
)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("action", ACTIONS)
def test_every_transition(status: str, action: str) -> None:
    allowed = {
        ("pending", "start"): "in_progress",
        ("pending", "skip"): "skipped",
        ("in_progress", "complete"): "completed",
        ("in_progress", "fail"): "failed",
        ("failed", "retry"): "in_progress",
    }
    one = Phase(1, "Part", status=status)
    if (status, action) in allowed:
        assert moved(one, action, at(0)).status == allowed[status, action]
        assert TRANSITIONS[status, action] == allowed[status, action]
        return
    with pytest.raises(NotAllowed) as caught:
        moved(one, action, at(0))
    assert str(caught.value) == f"phase '1' is '{status}': cannot {action}"


@pytest.mark.parametrize(
    ("status", "action", "message", "hint"),
    [
        (
            "pending",
            "complete",
            "phase '1' is 'pending' and cannot become 'completed'",
            "allowed from 'pending': start, skip",
        ),
        (
            "completed",
            "start",
            "phase '1' is 'completed' and cannot become 'in_progress'",
            "it has ended",
        ),
        (
            "failed",
            "skip",
            "phase '1' is 'failed' and cannot become 'skipped'",
            "allowed from 'failed': retry",
        ),
    ],
)
def test_a_refused_transition_names_both_states(
    status: str, action: str, message: str, hint: str
) -> None:
    error = refuse_transition(Phase(1, "Part", status=status), action)
    assert (error.message, error.hint) == (message, hint)


def test_a_started_session_has_every_field() -> None:
    assert document(fold(log(STARTED))) == {
        "session_id": "2026-12-01-log-in",
        "task": "Log in",
        "created": at(0),
        "updated": at(0),
        "status": "in_progress",
        "workflow_mode": "standard",
        "design_document": None,
        "implementation_plan": None,
        "current_phase": 1,
        "total_phases": 2,
        "execution_mode": None,
        "execution_backend": None,
        "task_complexity": None,
        "token_usage": {"total_input": 0, "total_output": 0, "total_cached": 0, "by_agent": {}},
        "phases": [
            {
                "id": number,
                "name": f"Part {number}",
                "status": "pending",
                "agents": [],
                "parallel": False,
                "started": None,
                "completed": None,
                "blocked_by": blocked,
                "files_created": [],
                "files_modified": [],
                "files_deleted": [],
                "downstream_context": {
                    "key_interfaces_introduced": [],
                    "patterns_established": [],
                    "integration_points": [],
                    "assumptions": [],
                    "warnings": [],
                },
                "errors": [],
                "retry_count": 0,
                "files_declared": [],
                "agent_ids": [],
            }
            for number, blocked in ((1, []), (2, [1]))
        ],
    }


def test_a_failed_phase_is_retried_and_its_errors_end_with_it() -> None:
    told = {"error": {"agent": "coder", "type": "timeout", "message": "no answer"}}
    events = log(
        STARTED,
        ("phase-started", {"phase": "1"}),
        ("phase-failed", {"phase": "1", **told}),
        ("phase-retried", {"phase": "1", "why": "longer timeout"}),
        ("phase-failed", {"phase": "1", **told}),
        ("phase-retried", {"phase": "1"}),
    )
    first, second = fold(events).phases[0].errors
    assert (first.resolution, first.resolved) == ("retry 1: longer timeout", False)
    assert (second.resolution, second.resolved) == ("retry 2", False)
    done = log(*[(e.kind, _own(e)) for e in events], ("phase-completed", {"phase": 1}))
    one = fold(done).phases[0]
    assert (one.status, one.retry_count, one.started, one.completed) == (
        "completed",
        2,
        at(1),
        at(6),
    )
    assert [error.resolved for error in one.errors] == [True, True]


def _own(event: Event) -> dict[str, Any]:
    return {k: v for k, v in event.body.items() if k not in {"v", "kind", "at", "prev", "nonce"}}


def test_what_the_rules_do_not_allow_is_kept_and_named() -> None:
    events = log(
        ("phase-started", {"phase": "1"}),
        STARTED,
        STARTED,
        ("phase-completed", {"phase": "1"}),
        ("phase-started", {"phase": "9"}),
        ("phase-added", {"phase": phase(2)}),
        ("error-resolved", {"phase": "1", "error": "ee", "resolution": "x"}),
        ("error-added", {"phase": "1", "error": {"type": "odd", "message": "m"}}),
        ("usage", {"by": "coder"}),
        ("unheard-of", {"phase": "1"}),
    )
    session = fold(events)
    assert session.session_id == "2026-12-01-log-in"
    assert [(one, why) for one, why in session.faults] == [
        (events[0].id, "before the session started"),
        (events[2].id, "the session had started"),
        (events[3].id, "phase '1' is 'pending': cannot complete"),
        (events[4].id, "unknown phase '9'"),
        (events[5].id, "phase '2' exists already"),
        (events[6].id, "unknown error 'ee'"),
        (events[7].id, "unknown type of error 'odd'"),
        (events[8].id, "malformed: KeyError('usage')"),
    ]


def test_current_phase_follows_what_is_started() -> None:
    session = fold(log(STARTED, ("phase-started", {"phase": "2"})))
    assert session.current_phase == 2
    assert session.updated == at(1)


BODIES = {
    "session-started": STARTED[1],
    "phase-added": {"phase": phase(3)},
    "error-added": {"phase": "1", "error": {"type": "runtime", "message": "m"}},
    "phase-failed": {"phase": "1", "error": {"type": "runtime", "message": "m"}},
    "error-resolved": {"phase": "1", "error": "x", "resolution": "done"},
    "manifest": {"phase": "1", "files_created": ["a"]},
    "usage": {"by": "coder", "usage": {"input": 1}},
    "session-set": {"execution_mode": "parallel"},
    "archiving": {"documents": []},
    "archived": {"agents": []},
    "imported": {"session": {"session_id": "i", "phases": [], "by_agent": {}}},
}


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Logs as several writers leave them: each event after some of those before it."""
    events = log(STARTED)
    for number in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(sorted(RULES)))
        prev = draw(st.lists(st.sampled_from(events), min_size=1, max_size=2, unique_by=id))
        body = BODIES.get(kind, {"phase": draw(st.sampled_from(["1", "2"]))})
        time = at(draw(st.integers(0, 9)))
        event = read_line(make_line(kind, [one.id for one in prev], body, time), number)
        assert isinstance(event, Event)
        events.append(event)
    return events


@given(histories(), st.randoms(use_true_random=False))
def test_the_fold_does_not_care_in_which_order_events_arrive(
    events: list[Event], dice: Any
) -> None:
    session = fold(events)
    mixed = [*events, dice.choice(events)]
    dice.shuffle(mixed)
    assert fold(mixed) == session
    assert all(one.status in STATUSES for one in session.phases)


@given(histories(), st.lists(st.builds(Usage, st.integers(0, 9), st.integers(0, 9)), max_size=5))
def test_the_total_of_usage_is_always_the_sum(events: list[Event], usages: list[Usage]) -> None:
    shares = [Share(f"a{n}", f"role{n % 2}", "1", "spawned", usage=u) for n, u in enumerate(usages)]
    told = document(joined(fold(events), shares))["token_usage"]
    for part in ("input", "output", "cached"):
        assert told[f"total_{part}"] == sum(one[part] for one in told["by_agent"].values())


def test_agents_bring_their_names_files_and_usage() -> None:
    shares = [
        Share("a1", "coder", "1", "spawned", usage=Usage(5, 3, 1), files={"files_created": ("x",)}),
        Share(
            "a2", "coder", "1", "spawned", usage=Usage(1, 1, 0), files={"files_created": ("x", "y")}
        ),
        Share("a3", "a3", None, "spawned", usage=Usage(1, 0, 0)),
    ]
    session = joined(fold(log(STARTED)), shares)
    one = session.phases[0]
    assert (one.agents, one.agent_ids, one.files_created) == (("coder",), ("a1", "a2"), ("x", "y"))
    assert session.by_agent == {"coder": Usage(6, 4, 1), "a3": Usage(1, 0, 0)}
    assert session.usage == Usage(7, 4, 1)


@given(histories(), st.lists(st.integers(0, 9), max_size=3))
def test_an_archived_session_holds_its_agents_shares(
    events: list[Event], tokens: list[int]
) -> None:
    shares = [
        Share(
            f"a{n}",
            "coder",
            "1",
            "completed",
            "done",
            Usage(n),
            {"files_created": ("x",)},
            ({"name": "t", "exit_code": 0},),
        )
        for n in tokens
    ]
    assert [make_share(share_document(one)) for one in shares] == shares
    body = {"agents": [share_document(one) for one in shares]}
    last = read_line(make_line("archived", last_ids(events), body, at(59)), 0)
    assert isinstance(last, Event)
    before, after = fold(events), fold([*events, last])
    if before.place != "archived":
        assert document(after)["phases"] == document(joined(before, shares))["phases"]
        assert after.usage == joined(before, shares).usage
        assert joined(after, shares) == after


def test_phases_that_fit_together() -> None:
    check_phases([])
    check_phases(
        [
            make_phase(phase(1, parallel=True, files_declared=["src/a"])),
            make_phase(phase(2, parallel=True, files_declared=["src/b", "srcs"])),
            make_phase(phase(3, parallel=True, files_declared=["src"], blocked_by=[4])),
            make_phase(phase(4, blocked_by=[1, 2])),
            make_phase(phase(5, files_declared=["src/a"])),
        ]
    )


@pytest.mark.parametrize(
    ("phases", "message"),
    [
        ([phase(1), phase(1)], "two phases have the id '1'"),
        ([phase(1, blocked_by=[2])], "phase '1' is blocked by an unknown phase '2'"),
        ([phase(1, blocked_by=[1])], "the phases block each other in a circle: 1 -> 1"),
        (
            [phase(1, blocked_by=[3]), phase(2, blocked_by=[1]), phase(3, blocked_by=[2])],
            "the phases block each other in a circle: 1 -> 3 -> 2 -> 1",
        ),
        (
            [
                phase(1, parallel=True, files_declared=["a/b"]),
                phase(2, parallel=True, files_declared=["a/"]),
            ],
            "phases '1' and '2' run in parallel and both own 'a/b'",
        ),
    ],
)
def test_phases_that_do_not(phases: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        check_phases([make_phase(one) for one in phases])
    assert caught.value.message == message


def test_a_phase_waits_for_what_is_neither_completed_nor_skipped() -> None:
    blockers = [Phase(n, "", status=s) for n, s in enumerate(STATUSES)]
    last = Phase(9, "", blocked_by=tuple(range(len(STATUSES))))
    assert [one.status for one in waiting_for(last, [*blockers, last])] == [
        "pending",
        "in_progress",
        "failed",
    ]


def test_position_names_where_to_go_on() -> None:
    session = fold(
        log(STARTED, ("phase-started", {"phase": "1"}), ("phase-completed", {"phase": "1"}))
    )
    found = position(session)
    assert [
        one.key if one else None for one in (found.last_completed, found.active, found.next)
    ] == [
        "1",
        "2",
        "2",
    ]
    for errors, next_, failed in (
        ((), "1", ["1"]),
        ((PhaseError("e", "", "", "runtime", "m"),), "1", ["1"]),
        ((PhaseError("e", "", "", "runtime", "m", "skipped", resolved=True),), "2", []),
    ):
        one = replace(session.phases[0], status="failed", errors=errors)
        other = replace(session.phases[1], blocked_by=())
        stuck = position(replace(session, phases=(one, other)))
        assert stuck.next is not None
        assert (stuck.next.key, [p.key for p in stuck.failed]) == (next_, failed)


@pytest.mark.parametrize(
    ("status", "needs"),
    [
        ("pending", "brief again"),
        ("in_progress", "delegate again"),
        ("failed", "retry, or abort"),
        ("completed", "review, then archive"),
        ("skipped", None),
    ],
)
def test_an_express_session_says_what_it_needs_next(status: str, needs: str | None) -> None:
    session = fold(
        log(
            (
                "session-started",
                {
                    "id": "i",
                    "task": "t",
                    "workflow_mode": "express",
                    "phases": [phase(1, status=status)],
                },
            )
        )
    )
    assert position(session).express == needs
    assert position(replace(session, workflow_mode="standard")).express is None


def test_each_status_has_its_indicator() -> None:
    assert [INDICATORS[one] for one in STATUSES] == ["□", "○", "✓", "✗", "–"]  # noqa: RUF001
