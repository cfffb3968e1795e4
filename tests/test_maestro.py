"""Maestro's session files in and out: made-up ones with every oddity of real ones."""

from __future__ import annotations

from typing import Any

import pytest

from gitledger.contracts import frontmatter
from gitledger.errors import LedgerError
from gitledger.interop import maestro, maestro_out
from gitledger.model.event import Event, last_ids, make_line, read_line
from gitledger.model.session import Share, Usage
from gitledger.model.session_doc import document
from gitledger.model.session_fold import fold

PLAIN = """---
session_id: "2026-03-24-shared-types"
task: 'Share the types'
created: '2026-03-24T18:00:00.123Z'
updated: '2026-03-24T19:00:00.000Z'
status: in_progress
workflow_mode: standard
design_document: docs/maestro/plans/types-design.md
implementation_plan: null
current_phase: 2
total_phases: 2
execution_mode: null
execution_backend: native
current_batch: null
task_complexity: medium
token_usage:
  total_input: 15000
  total_output: 8000
  total_cached: 3000
  by_agent:
    coder:
      input: 8000
      output: 4000
      cached: 2000
    tester:
      input: 7000
      output: 4000
      cached: 1000
phases:
  - id: 1
    name: 'Foundation: types'
    status: completed
    agents: [coder]
    parallel: false
    started: '2026-03-24T18:10:00.000Z'
    completed: '2026-03-24T18:20:00.000Z'
    blocked_by: []
    files_created: ["src/types.ts"]
    files_modified: []
    files_deleted: []
    downstream_context:
      key_interfaces_introduced: ['Trend (UP | DOWN)']
      warnings: []
    errors: []
    retry_count: 0
  - id: 2
    name: Use them
    status: failed
    agents: []
    parallel: false
    started: '2026-03-24T18:20:00.000Z'
    completed: null
    blocked_by: [1]
    files_created: []
    files_modified: []
    files_deleted: []
    downstream_context: {}
    errors:
      - agent: coder
        timestamp: '2026-03-24T18:30:00.000Z'
        type: validation
        message: tsc fails
        resolution: pending
        resolved: false
    retry_count: 1
---

# Share the types Orchestration Log

Words --- and

---

more.
"""


def imported(text: str) -> list[Event]:
    body = {"from": "maestro", "entry": text, "session": maestro.read(text, "f").session}
    return then([], "imported", body)


def then(events: list[Event], kind: str, body: dict[str, Any]) -> list[Event]:
    event = read_line(make_line(kind, last_ids(events), body), 0)
    assert isinstance(event, Event)
    return [*events, event]


def front(text: str) -> dict[str, Any]:
    return frontmatter.read(frontmatter.cut(text, "f").front, "f")


def with_phases(phases: str, **fields: str) -> str:
    more = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\nsession_id: s\ntask: T\nstatus: in_progress\n{more}phases:\n{phases}---\n\nBody\n"


def test_a_plain_file_is_read_as_it_is() -> None:
    read = maestro.read(PLAIN, "f")
    assert read.warnings == []
    told = document(fold(imported(PLAIN)))
    assert told.pop("updated") > "2026-03-24T19:00:00.000Z"
    expected = front(PLAIN)
    del expected["updated"]
    expected["phases"][0]["downstream_context"] = {
        "key_interfaces_introduced": ["Trend (UP | DOWN)"],
        "patterns_established": [],
        "integration_points": [],
        "assumptions": [],
        "warnings": [],
    }
    expected["phases"][1]["downstream_context"] = {
        name: [] for name in expected["phases"][0]["downstream_context"]
    }
    for phase in expected["phases"]:
        phase |= {"files_declared": [], "agent_ids": []}
    expected["phases"][1]["errors"][0]["id"] = "imported-2.1"
    assert told == expected


ODD = {
    "no names, no documents": with_phases("  - id: 1\n    status: pending\n"),
    "agent for agents": with_phases("  - {id: 1, status: pending, agent: coder}\n"),
    "repeated ids": with_phases("  - {id: 1, status: completed}\n  - {id: 1, status: pending}\n"),
    "absolute paths": with_phases(
        "  - {id: 1, status: completed, files_created: [/home/u/p/src/a.ts]}\n",
        design_document="/home/u/p/docs/maestro/plans/d.md",
    ),
    "block scalars": with_phases(
        "  - id: 1\n    status: pending\n    name: |-\n      One\n      and two\n"
        "    downstream_context:\n      assumptions: >\n        It\n        holds\n",
    ),
    "other alphabets": with_phases(
        "  - {id: 1, status: pending, name: 'Этап 一 ✓'}\n", task="Задача"
    ),
    "JSON": '---\n{\n  "session_id": "s",\n  "task": "T",\n  "status": "in_progress",\n'
    '  "phases": [{"id": 1, "name": "é", "status": "pending"}]\n}\n---\n# Log\n',
    "numbers": with_phases(
        "  - {id: 1.5, status: pending, name: 7}\n  - {id: two, status: pending}\n"
    ),
    "nulls": with_phases(
        "  - {id: 1, status: pending, agents: null, errors: null, blocked_by: null}\n"
    ),
    "a word for a list": with_phases(
        "  - {id: 1, status: pending, files_modified: a.ts, blocked_by: 1}\n"
    ),
    "unknown fields": with_phases("  - {id: 1, status: pending, effort: high}\n", extra="{a: [1]}"),
    "unknown status": with_phases("  - {id: 1, status: blocked}\n").replace(
        "in_progress", "blocked"
    ),
    "errors as words": with_phases(
        "  - {id: 1, status: failed, errors: [it broke, {message: m, type: odd}]}\n"
    ),
    "no phases": "---\nsession_id: s\n---\n",
    "totals beyond the agents": with_phases("  []\n", token_usage="{total_input: 5, by_agent: {}}"),  # noqa: S106
    "a byte order mark": "\ufeff" + with_phases("  - {id: 1, status: pending}\n"),
    "carriage returns": with_phases("  - {id: 1, status: pending}\n").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", [PLAIN, *ODD.values()], ids=["plain", *ODD])
def test_what_was_imported_comes_out_as_it_came_in(text: str) -> None:
    assert maestro_out.write(imported(text), []) == text


@pytest.mark.parametrize("text", [PLAIN, *ODD.values()], ids=["plain", *ODD])
def test_what_was_changed_is_all_that_comes_out_changed(text: str) -> None:
    events = then(imported(text), "session-set", {"execution_mode": "parallel"})
    out = maestro_out.write(events, [])
    after = front(out)
    assert (after.pop("execution_mode"), after.pop("updated")) == ("parallel", events[-1].at)
    before = front(text)
    before.pop("execution_mode", None)
    before.pop("updated", None)
    assert after == before
    assert frontmatter.cut(out, "f").body == frontmatter.cut(text, "f").body
    assert maestro_out.write(imported(out), []) == out


@pytest.mark.parametrize(
    ("name", "warnings"),
    [
        ("no names, no documents", []),
        ("agent for agents", []),
        ("repeated ids", ["f: two phases have the id '1': this one is now '1#2'"]),
        ("numbers", []),
        ("a word for a list", ["f: the phases block each other in a circle: 1 -> 1"]),
        (
            "unknown status",
            [
                "f: status 'blocked' is not one of a session's: read as 'in_progress'",
                "f: status 'blocked' of phase 1 is not one of a phase's: read as 'pending'",
            ],
        ),
        (
            "no phases",
            ["f: status 'None' is not one of a session's: read as 'in_progress'", "f: no phases"],
        ),
    ],
)
def test_what_is_odd_is_said(name: str, warnings: list[str]) -> None:
    assert maestro.read(ODD[name], "f").warnings == warnings


def test_what_odd_files_mean() -> None:
    def phases(name: str) -> list[dict[str, Any]]:
        return document(fold(imported(ODD[name])))["phases"]

    assert phases("no names, no documents")[0]["name"] == "Phase 1"
    assert phases("agent for agents")[0]["agents"] == ["coder"]
    assert [one["id"] for one in phases("repeated ids")] == [1, "1#2"]
    assert phases("block scalars")[0]["name"] == "One\nand two"
    assert phases("block scalars")[0]["downstream_context"]["assumptions"] == ["It holds\n"]
    assert [one["id"] for one in phases("numbers")] == [1.5, "two"]
    assert phases("errors as words")[0]["errors"][0]["message"] == '"it broke"'
    usage = document(fold(imported(ODD["totals beyond the agents"])))["token_usage"]
    assert usage["total_input"] == 5
    assert list(usage["by_agent"]) == ["unattributed"]


def test_work_done_since_is_in_the_front_matter_and_behind_the_body() -> None:
    events = then(imported(PLAIN), "phase-retried", {"phase": "2", "why": "newer tsc"})
    events = then(events, "phase-completed", {"phase": "2", "files_modified": ["src/use.ts"]})
    share = Share("a1", "coder", "2", "completed", "All types used.", Usage(10, 5, 0))
    out = maestro_out.write(events, [share])
    after, before = front(out), front(PLAIN)
    assert after["phases"][0] == before["phases"][0]
    assert after["phases"][1] == {
        **before["phases"][1],
        "status": "completed",
        "agents": ["coder"],
        "completed": events[-1].at,
        "files_modified": ["src/use.ts"],
        "errors": [
            {
                **before["phases"][1]["errors"][0],
                "resolution": "retry 2: newer tsc",
                "resolved": True,
            }
        ],
        "retry_count": 2,
    }
    assert after["token_usage"]["total_input"] == 15010
    assert frontmatter.cut(out, "f").body == (
        frontmatter.cut(PLAIN, "f").body
        + """
## Phase 2: Use them ✓

### coder (a1) Output

All types used.

### Files Changed

- Modified: `src/use.ts`

### Errors

- validation (coder): tsc fails (resolved: retry 2: newer tsc)

### Validation Result

No checks were run
"""
    )


def test_a_session_of_ours_is_written_as_maestro_writes_one() -> None:
    phases = [{"id": 1, "name": "Eins: é", "files_declared": ["a"]}]
    events = then([], "session-started", {"id": "2026-12-01-t", "task": "T: x", "phases": phases})
    at = events[0].at
    out = maestro_out.write(events, [])
    assert (
        out
        == f"""---
session_id: 2026-12-01-t
task: 'T: x'
created: '{at}'
updated: '{at}'
status: in_progress
workflow_mode: standard
design_document: null
implementation_plan: null
current_phase: 1
total_phases: 1
execution_mode: null
execution_backend: null
task_complexity: null
token_usage:
  total_input: 0
  total_output: 0
  total_cached: 0
  by_agent: {{}}
phases:
  - id: 1
    name: 'Eins: é'
    status: pending
    agents: []
    parallel: false
    started: null
    completed: null
    blocked_by: []
    files_created: []
    files_modified: []
    files_deleted: []
    downstream_context:
      key_interfaces_introduced: []
      patterns_established: []
      integration_points: []
      assumptions: []
      warnings: []
    errors: []
    retry_count: 0
---

# T: x Orchestration Log

## Phase 1: Eins: é □
"""
    )
    assert maestro.read(out, "f").warnings == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no front matter in 'f'"),
        ("---\nsession_id: s\nphases:\n", "front matter is cut off in 'f': no '---' line ends it"),
        ("---\ntask: t\n---\n", "field 'session_id' is missing in 'f'"),
        ("---\nsession_id: [s]\n---\n", "field 'session_id' in 'f' is not a text"),
        ("---\nsession_id: s\nphases: {}\n---\n", "field 'phases' in 'f' is not a list"),
        (with_phases("  - one\n"), "phase 1 in 'f' is not a mapping"),
        (
            with_phases("  - {id: 1, agents: {a: 1}}\n"),
            "field 'phases[1].agents' in 'f' is not a list",
        ),
        (with_phases("  - {id: 1, name: [a]}\n"), "field 'phases[1].name' in 'f' is not a text"),
        (
            with_phases("  - {id: 1, blocked_by: [[1]]}\n"),
            "field 'phases[1].blocked_by' in 'f' is not a list of ids",
        ),
        (
            with_phases("  - {id: 1\n"),
            "bad front matter in 'f': line 7: expected ',' or '}', but got '<stream end>'",
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_file_and_field(text: str, message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        maestro.read(text, "f")
    assert caught.value.message == message
