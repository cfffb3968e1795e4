from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitledger.errors import LedgerError
from gitledger.model.agent import Agent, fold
from gitledger.model.lifecycle import STATUSES, TRANSITIONS, check, state
from tests.ledger_events import SPAWNED, at, event, history

if TYPE_CHECKING:
    from gitledger.model.event import Event

BORN = Agent(
    id="agent_01",
    title="Parse dates strictly",
    status="spawned",
    worktree="/w/one",
    worktree_id="worktrees/one",
    branch="agent/one",
    spawn_commit="a" * 40,
    spawn_source="command",
    spawned_at=at(0),
    last_event_at=at(0),
)


def folded(*facts) -> Agent:
    agent = fold(history(*facts))
    assert agent is not None
    return agent


def test_a_spawn_is_an_agent() -> None:
    assert folded(SPAWNED) == BORN
    assert (BORN.slug, BORN.state, BORN.ended) == ("parse-dates-strictly", "running", False)


def test_a_life_with_reports_a_revision_and_an_end() -> None:
    report = {"summary": "done", "outcome": "complete", "usage": {"input": 5}, "tool_uses": 2}
    agent = folded(
        SPAWNED,
        ("reported", report),
        ("revised", {"why": "tests are missing"}),
        ("reported", {**report, "summary": "with tests"}),
        ("completed", {"base": "b" * 40, "head": "c" * 40, "files": [["A", "x"]], "how": "merge"}),
    )
    assert agent == BORN._replace(
        status="completed",
        iteration=2,
        summary="with tests",
        outcome="complete",
        usage={"input": 10, "output": 0, "cached": 0},
        tool_uses=4,
        revised_why="tests are missing",
        reported_at=at(3),
        completed_at=at(4),
        last_event_at=at(4),
        base="b" * 40,
        head="c" * 40,
        files=(("A", "x"),),
        how="merge",
    )


def test_interrupted_and_resumed_in_another_worktree() -> None:
    agent = folded(
        SPAWNED,
        ("interrupted", {"why": "worktree gone", "evidence": ["/w/one is missing"]}),
        ("resumed", {"worktree": "/w/two", "worktree_id": "worktrees/two", "branch": "agent/one"}),
    )
    assert agent == BORN._replace(
        status="resumed",
        worktree="/w/two",
        worktree_id="worktrees/two",
        interrupted_at=at(1),
        interrupted_why="worktree gone",
        evidence=["/w/one is missing"],
        resumes=(at(2),),
        last_event_at=at(2),
    )


def test_the_first_end_wins_and_the_later_one_is_named() -> None:
    events = history(SPAWNED, "completed", ("failed", {"error": "too late"}))
    agent = fold(events)
    assert agent is not None
    assert (agent.status, agent.error, agent.completed_at) == ("completed", None, at(1))
    assert agent.faults == ((events[2].id, "'failed' after completed"),)


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("set", {"role": 7}, "field 'role' is not text"),
        ("set", {"depends_on": ["a", 1]}, "field 'depends_on' is not a list of texts"),
        ("set", {"segment": True}, "field 'segment' is not a whole number from 0"),
        ("set", {"granularity": "huge"}, "field 'granularity' is not plan or task_group"),
        ("usage", {"tool_uses": -1}, "field 'tool_uses' is not a whole number from 0"),
        ("usage", {"usage": {"input": "x"}}, "field 'usage' is not an object of input, output, cached"),
        ("set", {"checks": [{"name": 1}]}, "field 'checks' is not a list of objects with name and command"),
        ("revised", {}, "'revised' after spawned"),
        ("resumed", {}, "'resumed' after spawned"),
        ("spawned", {"id": "other"}, "'spawned' after spawned"),
    ],
)  # fmt: skip
def test_what_the_rules_do_not_allow_has_no_effect_and_is_named(kind, body, why) -> None:
    events = history(SPAWNED, (kind, body))
    agent = fold(events)
    assert agent == BORN._replace(last_event_at=at(1), faults=((events[1].id, why),))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("from-the-future", {"id": "x", "status": "closed"}),
        ("set", {"colour": "blue"}),
        ("checked", {"verdict": "clean"}),
    ],
)
def test_unknown_kinds_and_keys_are_passed_over(kind, body) -> None:
    assert folded(SPAWNED, (kind, body)) == BORN._replace(last_event_at=at(1))


def test_a_null_takes_a_field_away() -> None:
    assert folded(SPAWNED, ("set", {"role": "coder"}), ("set", {"role": None})) == BORN._replace(
        last_event_at=at(2)
    )


def test_checks_keep_their_last_run_when_configured_again() -> None:
    test = {"name": "test", "command": "make test"}
    run = {**test, "exit_code": 1, "at": at(2), "commit": "c" * 40}
    lint = {"name": "lint", "command": "make lint"}
    facts = (SPAWNED, ("set", {"checks": [test]}), ("reported", {"checks": [run]}))
    assert folded(*facts).checks == (run,)
    assert folded(*facts, ("set", {"checks": [lint, test]})).checks == (lint, run)


def test_no_events_make_no_agent_and_a_lost_beginning_is_named() -> None:
    assert fold([]) is None
    events = history(("reported", {"summary": "s"}))
    assert fold(events) is None
    agent = fold(events, "agent_01")
    assert agent is not None
    assert (agent.id, agent.title, agent.status) == ("agent_01", "agent_01", "awaiting-review")
    assert agent.faults == ((events[0].id, "the beginning of the log is missing"),)


def test_a_queued_agent_has_neither_worktree_nor_start() -> None:
    facts = {"id": "q", "title": "Later", "depends_on": ["agent_01"], "group": "g"}
    assert folded(("queued", facts)) == Agent(
        id="q",
        title="Later",
        status="queued",
        depends_on=("agent_01",),
        group="g",
        queued_at=at(0),
        last_event_at=at(0),
    )


KINDS = ["set", "reported", "revised", "interrupted", "resumed", "completed", "failed", "usage"]
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["a", "b"]),
        "summary": st.sampled_from(["s", "t", 3]),
        "tool_uses": st.integers(-1, 3),
        "usage": st.fixed_dictionaries({"input": st.integers(0, 9)}),
        "checks": st.just([{"name": "n", "command": "c"}]),
    },
)


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Logs as several clones leave them: each event after any of the earlier ones."""
    events = [event(*SPAWNED)]
    for _ in range(draw(st.integers(0, 9))):
        before = draw(st.lists(st.sampled_from(events), min_size=1, max_size=2))
        minute = draw(st.integers(0, 5))
        events.append(event(draw(st.sampled_from(KINDS)), draw(BODIES), before, minute))
    return events


@given(logs(), st.randoms())
def test_the_fold_does_not_depend_on_the_order_of_arrival(events, random) -> None:
    shuffled = list(events)
    random.shuffle(shuffled)
    assert fold(shuffled) == fold(events)


@given(logs(), st.data())
def test_two_clones_agree_on_the_union_of_their_lines(events, data) -> None:
    places = data.draw(st.sets(st.integers(0, len(events) - 1)))
    mine = [events[0], *(events[place] for place in places)]
    theirs = [one for place, one in enumerate(events) if place not in places]
    ours_first = [*mine, *theirs]
    theirs_first = [*theirs, *mine, *theirs]
    assert fold(ours_first) == fold(theirs_first) == fold(events)


@given(logs())
def test_an_end_is_an_end(events) -> None:
    agent = fold(events)
    assert agent is not None
    later = event("reported", {"summary": "after the end"}, events, 59)
    after = fold([*events, later])
    if agent.ended:
        assert after == agent._replace(
            last_event_at=at(59), faults=(*agent.faults, (later.id, after.faults[-1][1]))
        )


PAIRS = [(status, command) for status in STATUSES for command in TRANSITIONS]


@pytest.mark.parametrize(("status", "command"), PAIRS)
def test_a_transition_is_in_the_table_or_refused_naming_both(status, command) -> None:
    moves = TRANSITIONS[command]
    if status in moves:
        assert check(status, command) in STATUSES
        return
    with pytest.raises(LedgerError) as refused:
        check(status, command, "x")
    assert refused.value.exit_code == 2
    assert f"cannot {command} 'x': it is {status}" in refused.value.message
    assert refused.value.hint is not None


def test_states() -> None:
    assert {status: state(status) for status in STATUSES} == {
        "queued": "queued",
        "spawned": "running",
        "resumed": "running",
        "awaiting-review": "awaiting-review",
        "interrupted": "interrupted",
        "completed": "closed",
        "failed": "closed",
    }
