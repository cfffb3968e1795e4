"""The public snapshot, pinned in both directions: what is admitted, and what never leaks."""

from __future__ import annotations

import json

from gitledger.model.agent import Agent
from gitledger.model.snapshot import Facts, Snapshot, snapshot

REQUIRED = {
    *("snapshot_version", "id", "title", "slug", "status", "state", "iteration"),
    *("execution_mode", "is_background", "checks", "usage", "tool_uses", "turn_count"),
    *("compaction_count", "files_modified"),
}
OPTIONAL = {
    *("role", "parent", "branch", "worktree", "spawn_commit", "head", "target", "phase", "plan"),
    *("segment", "group", "granularity", "depends_on", "files_declared", "session"),
    *("session_phase", "queued_at", "spawned_at", "completed_at", "resumes", "retry_of"),
    *("max_turns", "output_file", "outcome", "result", "error", "summary"),
    *("checkpoints_skipped", "task_results", "merged", "churn"),
}
# Every field of the record that is not admitted under its own name, and why.
DECLINED = {
    "owner": "internal bookkeeping",
    "worktree_id": "internal bookkeeping",
    "spawn_source": "internal bookkeeping",
    "late": "internal bookkeeping",
    "reported_at": "momentary activity",
    "interrupted_at": "momentary activity",
    "last_event_at": "momentary activity",
    "interrupted_why": "internal bookkeeping",
    "evidence": "internal bookkeeping",
    "revised_why": "momentary activity",
    "work": "display snapshots",
    "base": "internal bookkeeping",
    "files": "admitted as files_modified",
    "files_said": "admitted as files_modified",
    "how": "internal bookkeeping",
    "imports": "internal bookkeeping",
    "faults": "internal bookkeeping",
}
LEAK = "LEAK-of-a-declined-field"
TIMES = {
    name: f"2026-01-15T14:{minute:02}:00.000000Z"
    for minute, name in enumerate(("queued_at", "spawned_at", "completed_at"))
}

FULL = Agent(
    id="agent/01",
    title="Parse Dates, strictly",
    status="completed",
    iteration=4,
    role="coder",
    parent="boss",
    target="main",
    owner={"pid": 4242, "host": LEAK},
    retry_of="agent/00",
    session="2026-01-15-dates",
    session_phase="2",
    phase="02.1",
    plan="01",
    segment=3,
    group="phase-02.1-batch-1736676000",
    granularity="task_group",
    execution_mode="sequential",
    depends_on=("a", "02-01"),
    files_declared=("src/x",),
    checks=(
        {"name": "t", "command": "make", "exit_code": 0, "at": "2026", "commit": "c", "output": LEAK},
    ),
    is_background=True,
    max_turns=30,
    output_file="out.jsonl",
    worktree=LEAK,
    worktree_id=LEAK,
    branch=LEAK,
    spawn_commit="a" * 40,
    spawn_source=LEAK,
    late=True,
    **TIMES,
    reported_at=LEAK,
    interrupted_at=LEAK,
    resumes=("2026-01-15T14:20:00.000000Z",),
    last_event_at=LEAK,
    outcome="complete",
    summary="done",
    result="it works",
    error="none",
    work={"diff_stat": LEAK, "dirty": True},
    task_results={"1": {"status": "completed", "files": ["x"], "deviations": None, "log": LEAK}},
    checkpoints_skipped=1,
    usage={"input": 1, "output": 2, "cached": 3},
    tool_uses=4,
    turn_count=5,
    compaction_count=6,
    revised_why=LEAK,
    interrupted_why=LEAK,
    evidence=[LEAK],
    base=LEAK,
    head="b" * 40,
    files=(("M", "z"), ("A", "b")),
    files_said=(LEAK,),
    merged={"into": "main", "commit": "b" * 40, "hook_path": LEAK},
    how=LEAK,
    imports=((LEAK, {"entry": LEAK}),),
    faults=((LEAK, LEAK),),
)  # fmt: skip
FACTS = Facts(branch="agent/%2f01", worktree="/w/one", head="b" * 40, dirty=True)
WHOLE = {
    "snapshot_version": "1.0",
    "id": "agent/01",
    "title": "Parse Dates, strictly",
    "slug": "parse-dates-strictly",
    "status": "completed",
    "state": "closed",
    "iteration": 4,
    "execution_mode": "sequential",
    "is_background": True,
    "checks": [{"name": "t", "command": "make", "exit_code": 0, "at": "2026", "commit": "c"}],
    "usage": {"input": 1, "output": 2, "cached": 3},
    "tool_uses": 4,
    "turn_count": 5,
    "compaction_count": 6,
    "files_modified": ["b", "z"],
    "role": "coder",
    "parent": "boss",
    "branch": "agent/%2f01",
    "worktree": "/w/one",
    "spawn_commit": "a" * 40,
    "head": "b" * 40,
    "target": "main",
    "phase": "02.1",
    "plan": "01",
    "segment": 3,
    "group": "phase-02.1-batch-1736676000",
    "granularity": "task_group",
    "depends_on": ["a", "02-01"],
    "files_declared": ["src/x"],
    "session": "2026-01-15-dates",
    "session_phase": "2",
    **TIMES,
    "resumes": ["2026-01-15T14:20:00.000000Z"],
    "retry_of": "agent/00",
    "max_turns": 30,
    "output_file": "out.jsonl",
    "outcome": "complete",
    "result": "it works",
    "error": "none",
    "summary": "done",
    "checkpoints_skipped": 1,
    "task_results": {"1": {"status": "completed", "files": ["x"], "deviations": None}},
    "merged": {"into": "main", "commit": "b" * 40},
    "churn": True,
}
LEAST = Agent(id="x", title="x", status="spawned")


def test_the_admitted_fields_are_exactly_these() -> None:
    assert Snapshot.__required_keys__ | Snapshot.__optional_keys__ == REQUIRED | OPTIONAL
    assert set(WHOLE) == REQUIRED | OPTIONAL


def test_a_full_agent_gives_every_field_and_nothing_declined() -> None:
    found = snapshot(FULL, FACTS)
    assert found == WHOLE
    assert list(found) == list(Snapshot.__annotations__)
    assert LEAK not in json.dumps(found)


def test_every_field_of_the_record_is_admitted_or_declined_by_name() -> None:
    names = set(Agent._fields)
    assert names - REQUIRED - OPTIONAL == set(DECLINED)
    assert all(getattr(FULL, name) not in (None, (), False) for name in names)


def test_an_agent_with_nothing_told_has_the_required_fields_alone() -> None:
    assert snapshot(LEAST) == {
        "snapshot_version": "1.0",
        "id": "x",
        "title": "x",
        "slug": "x",
        "status": "spawned",
        "state": "running",
        "iteration": 0,
        "execution_mode": "sequential",
        "is_background": False,
        "checks": [],
        "usage": {"input": 0, "output": 0, "cached": 0},
        "tool_uses": 0,
        "turn_count": 0,
        "compaction_count": 0,
        "files_modified": [],
    }


def test_by_value_in_both_directions() -> None:
    before = snapshot(FULL, FACTS)
    taken = snapshot(FULL, FACTS)
    taken["usage"]["input"] = 99
    taken["checks"][0]["name"] = "changed"
    taken["task_results"]["1"]["files"].append("y")
    taken["depends_on"].append("y")
    taken["merged"]["into"] = "elsewhere"
    assert snapshot(FULL, FACTS) == before == WHOLE


def test_what_git_says_now_outranks_what_was_recorded() -> None:
    facts = Facts(branch="b", head="d" * 40, target="dev", files=["q"])
    agent = Agent(id="x", title="x", status="spawned", head="e" * 40, group="g")
    found = snapshot(agent, facts)
    assert (found["branch"], found["head"], found["target"]) == ("b", "d" * 40, "dev")
    assert (found["files_modified"], found["execution_mode"]) == (["q"], "parallel")
    assert found["granularity"] == "plan"
    assert "worktree" not in found


def test_churn_begins_at_the_threshold() -> None:
    agent = Agent(id="x", title="x", status="spawned", iteration=3)
    assert "churn" not in snapshot(agent)
    assert snapshot(agent, Facts(churn_threshold=3))["churn"] is True
