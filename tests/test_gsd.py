"""GSD's agent history in and out. The histories are made up; what is odd in them is real."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitledger.errors import LedgerError
from gitledger.git.repository import discover
from gitledger.interop import gsd, gsd_out
from gitledger.model.agent import fold
from gitledger.model.snapshot import snapshot
from gitledger.services.find import find
from gitledger.services.lifecycle import complete, interrupt, report
from gitledger.services.live import look
from gitledger.services.resume import brief, resume
from gitledger.services.snapshots import snapshots
from gitledger.services.transfer_gsd import export, import_file, run_body
from tests.ledger_events import history as made

if TYPE_CHECKING:
    from tests.support import Place

PLAIN = {
    "agent_id": "agent_01HXY123ABC",
    "task_description": "Execute full plan 02-01",
    "phase": "02",
    "plan": "01",
    "segment": None,
    "timestamp": "2026-01-15T14:22:10Z",
    "status": "completed",
    "completion_timestamp": "2026-01-15T14:45:33Z",
    "execution_mode": "sequential",
    "parallel_group": None,
    "granularity": "plan",
    "depends_on": None,
    "files_modified": ["src/b.ts", "src/a.ts"],
    "checkpoints_skipped": None,
    "task_results": None,
}
ODD = [
    PLAIN,
    {  # 1.0, an id with a slash and a space, fields of its own, a glob, no description
        "agent_id": "exec/16-03 second",
        "phase": "16",
        "plan": "03",
        "task_range": "all",
        "timestamp": "2026-01-15T16:00:00.123+01:00",
        "status": "failed",
        "completion_timestamp": "2026-01-15T15:30:00.5Z",
        "files_modified": ["grpc/*"],
        "wave": 2,
        "deviations": [{"type": "collision", "description": "é, 東"}],
        "task_commits": ["d14c4d8"],
        "blocked_by": ["02-01"],
        "background_status": "done",
    },
    {  # queued, without an id
        "agent_id": None,
        "task_description": "Execute plan 03-02",
        "phase": "03",
        "plan": "02",
        "timestamp": None,
        "status": "queued",
        "parallel_group": "pg-1",
        "depends_on": ["03-01"],
    },
    {  # the end before the start
        **PLAIN,
        "agent_id": "early",
        "timestamp": "2026-01-16T22:14:00Z",
        "completion_timestamp": "2026-01-16T19:34:00Z",
    },
    {  # cut off, and resumed: two runs of one agent
        **PLAIN,
        "agent_id": "twice",
        "status": "interrupted",
        "timestamp": "2026-01-14T10:00:00Z",
        "completion_timestamp": None,
        "output_file": "out.jsonl",
    },
    {
        "agent_id": "twice",
        "status": "resumed",
        "timestamp": "2026-01-14T12:00:00Z",
    },
    {  # what an older session left behind
        "agent_id": "left",
        "phase": "05.3",
        "plan": "01",
        "segment": 1,
        "parallel_group": "phase-05.3-batch-1736676000",
        "timestamp": "2026-01-10T12:00:00Z",
        "status": "spawned",
        "completion_timestamp": None,
    },
]


def history(entries: list[Any], **top: Any) -> bytes:
    return json.dumps({"version": "1.2", "max_entries": 50, "entries": entries, **top}).encode()


def put(repo: Place, content: bytes, current: str | None = None) -> str:
    repo.write(".planning/agent-history.json", content)
    if current:
        repo.write(".planning/current-agent-id.txt", current)
    return str(repo.path / ".planning" / "agent-history.json")


def entries_of(repo: Place) -> list[dict[str, Any]]:
    return json.loads(export(discover(str(repo.path))).text)["entries"]


def refs(repo: Place) -> str:
    return repo.git("for-each-ref")


def test_in_and_out_and_in_again(repo: Place) -> None:
    seen = discover(str(repo.path))
    done = import_file(seen, put(repo, history(ODD)))
    made = gsd.made_id(ODD[2])
    assert done.changed == [
        "agent_01HXY123ABC", "exec/16-03 second", made, "early", "twice", "left",
    ]  # fmt: skip
    assert entries_of(repo) == ODD
    before = refs(repo)
    assert import_file(seen, put(repo, history(ODD))).changed == []
    assert import_file(seen, put(repo, export(seen).text.encode())).changed == []
    assert refs(repo) == before
    assert repo.is_clean_for_fsck()


def test_what_is_odd_is_told(repo: Place) -> None:
    path = put(repo, history(ODD, note="ours"))
    done = import_file(discover(str(repo.path)), path)
    assert done.warnings == [
        f"{path}: field 'note' is not kept: it belongs to no entry",
        f"{path}: 'agent_id' of entries[2] is null: an id is made for it",
        f"{path}: 'completion_timestamp' of entries[3] is before its 'timestamp'",
    ]


def test_how_it_is_understood(repo: Place) -> None:
    seen = discover(str(repo.path))
    import_file(seen, put(repo, history(ODD)))
    view = look(seen)
    told = {one["id"]: one for one in snapshots(view, view.agents)}
    second = told["exec/16-03 second"]
    assert (second["title"], second["status"]) == ("Execute plan 16-03", "failed")
    assert second["spawned_at"] == "2026-01-15T15:00:00.123000Z"
    assert second["completed_at"] == "2026-01-15T15:30:00.500000Z"
    assert second["files_modified"] == ["grpc/*"]
    twice = told["twice"]
    assert twice["spawned_at"] == "2026-01-14T10:00:00.000000Z"
    assert (twice["status"], twice["resumes"]) == ("resumed", ["2026-01-14T12:00:00.000000Z"])
    assert (twice["output_file"], twice["phase"]) == ("out.jsonl", "02")
    queued = told[gsd.made_id(ODD[2])]
    assert (queued["status"], queued["group"], queued["depends_on"]) == (
        "queued", "pg-1", ["03-01"],
    )  # fmt: skip
    assert "queued_at" not in queued
    assert (told["left"]["segment"], told["left"]["execution_mode"]) == (1, "parallel")


def test_what_changes_here_changes_there_and_nothing_else(repo: Place) -> None:
    seen = discover(str(repo.path))
    import_file(seen, put(repo, history(ODD)))
    complete(seen, "left", summary="done after all")
    found = entries_of(repo)
    changed = found[6]
    assert found[:6] == ODD[:6]
    assert changed.pop("completion_timestamp").startswith("20")
    assert {**changed, "completion_timestamp": None} == {**ODD[6], "status": "completed"}


def test_what_changes_there_changes_here(repo: Place) -> None:
    seen = discover(str(repo.path))
    import_file(seen, put(repo, history(ODD[:1] + ODD[6:])))
    cut = {**ODD[6], "status": "interrupted"}
    again = {**ODD[6], "status": "completed", "timestamp": "2026-01-11T12:00:00Z",
             "completion_timestamp": "2026-01-11T13:00:00Z"}  # fmt: skip
    done = import_file(seen, put(repo, history([ODD[0], cut, again])))
    assert (done.changed, done.unchanged) == (["left"], ["agent_01HXY123ABC"])
    one = find(look(seen), "left").agent
    assert (one.status, one.spawned_at, one.resumes, one.completed_at) == (
        "completed",
        "2026-01-10T12:00:00.000000Z",
        ("2026-01-11T12:00:00.000000Z",),
        "2026-01-11T13:00:00.000000Z",
    )
    assert entries_of(repo) == [ODD[0], cut, again]


def test_what_has_ended_here_stays(repo: Place) -> None:
    seen = discover(str(repo.path))
    import_file(seen, put(repo, history([ODD[6]])))
    complete(seen, "left")
    done = import_file(seen, put(repo, history([{**ODD[6], "status": "failed"}])))
    assert done.changed == []
    assert done.warnings == ["'left' has ended in the ledger: kept as it is there"]
    assert find(look(seen), "left").agent.status == "completed"


def test_our_own_agents_in_their_words(repo: Place) -> None:
    repo.ledger("spawn", "Parse dates", "--id", "ours", "--phase", "02", "--plan", "01")
    seen = discover(str(repo.path))
    work = repo.at("../repo-ours")
    work.commit("dates", dates="1\n")
    interrupt(seen, "ours", "stop")
    view = look(seen)
    resume(view, brief(view, find(view, "ours")))
    report(seen, "ours", {"summary": "done"})
    first, second = entries_of(repo)
    agent = find(look(seen), "ours").agent
    explicit = {
        "agent_id": "ours",
        "task_description": "Parse dates",
        "phase": "02",
        "plan": "01",
        "segment": None,
        "completion_timestamp": None,
        "execution_mode": "sequential",
        "parallel_group": None,
        "granularity": "plan",
        "depends_on": None,
        "checkpoints_skipped": None,
        "task_results": None,
    }
    assert first == {
        **explicit,
        "timestamp": f"{agent.spawned_at[:19]}Z",
        "status": "interrupted",
        "files_modified": None,
    }
    assert second == {
        **explicit,
        "timestamp": f"{agent.resumes[0][:19]}Z",
        "status": "spawned",
        "files_modified": ["dates"],
    }
    before = refs(repo)
    assert import_file(seen, put(repo, history([first, second]))).changed == []
    assert refs(repo) == before


def test_switching_over_and_back_with_one_command_each(repo: Place) -> None:
    path = put(repo, history(ODD), current="left\n")
    assert repo.ledger("import", "gsd").returncode == 0
    assert repo.ledger("current").stdout == "left\n"
    repo.git("rm", "-rq", "--cached", "--ignore-unmatch", ".planning")
    commit = repo.commit("made here", here="1\n")
    assert repo.ledger("who", commit).stdout.startswith("left")
    (repo.path / ".planning" / "current-agent-id.txt").unlink()
    out = repo.ledger("export", "gsd", "-o", path)
    assert (out.returncode, out.stdout, out.stderr) == (0, "", "")
    kept = json.loads((repo.path / ".planning" / "agent-history.json").read_text())
    assert [one for one in kept["entries"] if one["agent_id"] != "left"] == ODD[:6]
    assert (repo.path / ".planning" / "current-agent-id.txt").read_text() == "left\n"
    repo.ledger("complete", "left")
    repo.ledger("export", "gsd", "-o", path)
    assert not (repo.path / ".planning" / "current-agent-id.txt").exists()


BAD = [
    (b'{"version": "1.2", "entries": [', "'H' is not JSON at line 1, column 32: expecting value"),
    (b"[]", "'H' is not a JSON object"),
    (b'{"entries": {}}', "field 'entries' in 'H' is not a list"),
    (b'{"entries": [NaN]}', "'H' is not JSON: NaN is no number"),
    (b"\xff\xfe", "'H' is not UTF-8 at byte 0"),
    (history([], version="9.0"), "version '9.0' of 'H' is not known"),
    (history([], max_entries="50"), "field 'max_entries' in 'H' is not a whole number from 0"),
    (history([PLAIN, 7]), "entries[1] in 'H' is not an object"),
    (history([{**PLAIN, "agent_id": None}]), "'agent_id' of entries[0] in 'H' is not a text"),
    (history([{**PLAIN, "agent_id": "a\nb"}]), "'agent_id' of entries[0] in 'H' has control characters"),
    (history([{**PLAIN, "status": "done"}]), "'status' of entries[0] in 'H' is 'done', not one of "
     "queued, spawned, completed, interrupted, resumed, failed"),
    (history([{**PLAIN, "timestamp": "now"}]), "'timestamp' of entries[0] in 'H' is no time: 'now'"),
    (history([{**PLAIN, "timestamp": 5}]), "'timestamp' of entries[0] in 'H' is no time: '5'"),
    (history([{**PLAIN, "timestamp": None}]), "'timestamp' of entries[0] in 'H' is missing"),
    (history([{**PLAIN, "segment": "1"}]), "'segment' of entries[0] in 'H' is not a whole number from 0"),
    (history([{**PLAIN, "files_modified": [1]}]), "'files_modified' of entries[0] in 'H' is not a list of texts"),
    (history([{**PLAIN, "task_results": []}]), "'task_results' of entries[0] in 'H' is not an object of objects"),
    (history([{**PLAIN, "granularity": "x"}]), "'granularity' of entries[0] in 'H' is 'x', not plan or task_group"),
    (history([{**PLAIN, "task_description": "x" * 10**6}]),
     "'task_description' of entries[0] in 'H' is longer than 65536 characters"),
    (history([PLAIN, PLAIN]), "'agent_id' of entries[1] in 'H' is that of entries[0], which is "
     "completed: 'agent_01HXY123ABC'"),
    (b"[" * 100_000, "'H' is not JSON: maximum recursion depth exceeded while decoding a JSON array "
     "from a unicode string"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input_names_file_place_and_field(content: bytes, message: str) -> None:
    with pytest.raises(LedgerError) as refused:
        gsd.read(content, "H")
    assert (refused.value.message, refused.value.exit_code) == (message, 2)


def test_of_bad_input_nothing_is_written(repo: Place) -> None:
    path = put(repo, history([PLAIN, {**PLAIN, "agent_id": "other", "status": "done"}]))
    before = refs(repo)
    with pytest.raises(LedgerError):
        import_file(discover(str(repo.path)), path)
    assert refs(repo) == before


@pytest.mark.parametrize("content", [history([PLAIN]) + b"", b"\xef\xbb\xbf" + history([PLAIN])])
def test_one_line_without_a_newline_and_a_byte_order_mark(content: bytes) -> None:
    assert [run.entry for run in gsd.read(content, "H").runs] == [PLAIN]


WORDS = st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12))
TIMES = st.integers(1_735_000_000, 1_799_000_000).map(
    lambda seconds: datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
)
FIELDS = {
    "phase": WORDS,
    "plan": WORDS,
    "segment": st.one_of(st.none(), st.integers(0, 5)),
    "task_description": WORDS,
    "execution_mode": st.sampled_from([None, "sequential", "parallel"]),
    "parallel_group": WORDS,
    "granularity": st.sampled_from([None, "plan", "task_group"]),
    "depends_on": st.one_of(st.none(), st.lists(st.text(max_size=5), max_size=3)),
    "files_modified": st.one_of(
        st.none(), st.lists(st.sampled_from(["b", "a", "c/*"]), max_size=3)
    ),
    "checkpoints_skipped": st.one_of(st.none(), st.integers(0, 3)),
    "task_results": st.one_of(st.none(), st.just({"1": {"status": "completed", "x": [1]}})),
    "completion_timestamp": st.one_of(st.none(), TIMES),
    "wave": st.integers(0, 3),
    "deviations": st.lists(WORDS, max_size=2),
}


@st.composite
def lives(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """The entries of one agent: some that were cut off, and one of any status."""
    name = draw(st.sampled_from(["a{}", "x/{} y", "Ü{}"])).format(number)
    cut = draw(st.integers(0, 2))
    statuses = ["interrupted"] * cut + [
        draw(st.sampled_from([one for one in gsd.STATUSES if one != "queued"]))
    ]
    optional = st.fixed_dictionaries({}, optional=FIELDS)
    return [
        {"agent_id": name, "status": status, "timestamp": draw(TIMES), **draw(optional)}
        for status in statuses
    ]


@given(st.integers(1, 4).flatmap(lambda count: st.tuples(*(lives(n) for n in range(count)))))
def test_whatever_comes_in_goes_out_the_same(given_lives) -> None:
    """Read, written as events, folded, and written as entries: without any repository."""
    entries = [entry for life in given_lives for entry in life]
    read = gsd.read(history(entries), "H")
    found = []
    for runs in read.by_agent().values():
        events = made(*(("imported", run_body(run, n)) for n, run in enumerate(runs)))
        agent = fold(events)
        assert agent is not None
        assert agent.faults == ()
        found += gsd_out.entries(agent, snapshot(agent), events)
    assert [one.body for one in sorted(found, key=lambda one: one.order)] == entries
