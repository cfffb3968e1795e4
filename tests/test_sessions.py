"""Sessions in a real repository: begun, worked on, taken up again."""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.errors import LedgerError, Refused
from gitledger.git.repository import discover
from gitledger.model.session import Share, Usage
from gitledger.model.session_doc import document
from gitledger.services import hook_state, session_phases, session_resume, sessions
from gitledger.services.session_archive import archive
from gitledger.services.session_phases import Step, Trouble
from gitledger.services.session_start import Order, start_session
from gitledger.services.session_verify import verify
from gitledger.services.session_work import complete, fail, view
from gitledger.services.sessions_membership import active_phase
from gitledger.store import logs
from tests.session_steps import THREE, agent, begin, go, kept, ledger, told
from tests.support import Place

if TYPE_CHECKING:
    from pathlib import Path


def phases(place: Place) -> dict[str, str]:
    return {one.key: one.status for one in view(ledger(place), None).phases}


def test_a_session_starts_with_all_phases_pending(repo: Place) -> None:
    name = begin(repo)
    session = view(ledger(repo), None)
    assert name == f"{session.created[:10]}-log-in"
    assert (session.status, session.current_phase, len(session.phases)) == ("in_progress", 1, 3)
    assert set(phases(repo).values()) == {"pending"}
    assert session.execution_mode is session.execution_backend is session.task_complexity is None


def test_a_second_session_is_refused_with_two_ways_out(repo: Place) -> None:
    name = begin(repo)
    with pytest.raises(LedgerError) as caught:
        begin(repo, "Other")
    assert caught.value.exit_code == 2
    assert caught.value.message == f"session '{name}' is active"
    assert caught.value.hint == (
        "go on with 'git ledger session resume', or end it with 'git ledger session archive'"
    )


def test_of_eight_starts_at_once_one_succeeds(repo: Place) -> None:
    def attempt(number: int) -> str:
        try:
            return start_session(ledger(repo), Order(f"Topic {number}")).session_id
        except LedgerError as error:
            return error.message

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(attempt, range(8)))
    started = [one for one in answers if "is active" not in one]
    assert len(started) == 1
    assert set(answers) == {started[0], f"session '{started[0]}' is active"}


@pytest.mark.parametrize(
    ("phases_", "message"),
    [
        (
            "- {name: a, blocked_by: [2]}\n- {name: b, blocked_by: [1]}\n",
            "the phases block each other in a circle: 1 -> 2 -> 1",
        ),
        ("- {name: a, blocked_by: [7]}\n", "phase '1' is blocked by an unknown phase '7'"),
        ("- {name: a, id: 1}\n- {name: b, id: 1}\n", "two phases have the id '1'"),
        (
            "- {name: a, parallel: true, files: [x]}\n- {name: b, parallel: true, files: [x]}\n",
            "phases '1' and '2' run in parallel and both own 'x'",
        ),
        ("- {name: a, files: [/etc/passwd]}\n", "bad path '/etc/passwd'"),
        ("- {name: a, files: [src/../../x]}\n", "bad path 'src/../../x'"),
        ("- {name: a, colour: red}\n", "unknown field 'colour' in phase 1"),
        ("- {name: a, parallel: maybe}\n", "bad value of 'parallel' in phase 1: 'maybe'"),
        ("- {name: ''}\n", "bad value of 'name' in phase 1: ''"),
        ("- [a]\n", "phase 1 is neither a name nor a mapping"),
    ],
)
def test_phases_that_do_not_fit_start_nothing(repo: Place, phases_: str, message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        begin(repo, phases=phases_)
    assert (caught.value.message, caught.value.exit_code) == (message, 2)
    assert sessions.read_all(ledger(repo)) == []
    assert repo.git("for-each-ref", "refs/ledger") == ""


def test_phases_files_that_cannot_be_read(repo: Place, tmp_path: Any) -> None:
    with pytest.raises(LedgerError, match="cannot read '/nowhere': no such file or directory"):
        start_session(ledger(repo), Order("T", "/nowhere"))
    for text, message in (
        ("a: [", "cannot read '.*': line 1: "),
        ("a: 1", "no list of phases in "),
    ):
        (tmp_path / "p").write_text(text)
        with pytest.raises(LedgerError, match=message):
            start_session(ledger(repo), Order("T", str(tmp_path / "p")))


@pytest.mark.parametrize("topic", ["", "  ", "two\nlines"])
def test_a_topic_is_one_line(repo: Place, topic: str) -> None:
    with pytest.raises(LedgerError, match="bad topic"):
        start_session(ledger(repo), Order(topic))


def test_documents_are_below_the_plans_and_inside_the_worktree(repo: Place) -> None:
    repo.write("docs/maestro/plans/d.md", "design\n")
    repo.write("docs/other.md", "x\n")
    os.symlink("/etc", repo.path / "docs/maestro/plans/out")
    for path, message in (
        ("docs/other.md", "'docs/other.md' is not below 'docs/maestro/plans'"),
        ("docs/maestro/plans/none.md", "no such file 'docs/maestro/plans/none.md'"),
        (
            "docs/maestro/plans/archive/d.md",
            "'docs/maestro/plans/archive/d.md' is not below 'docs/maestro/plans'",
        ),
        (
            str(repo.path / "docs/maestro/plans/d.md"),
            f"bad path '{repo.path}/docs/maestro/plans/d.md'",
        ),
        ("docs/maestro/plans/../plans/d.md", "bad path 'docs/maestro/plans/../plans/d.md'"),
        (
            "docs/maestro/plans/out/passwd",
            "'docs/maestro/plans/out/passwd' leads out of the worktree",
        ),
    ):
        with pytest.raises(LedgerError) as caught:
            start_session(ledger(repo), Order("T", design=path))
        assert (caught.value.message, caught.value.exit_code) == (message, 2)
    session = start_session(ledger(repo), Order("T", plan="./docs/maestro//plans/d.md"))
    assert session.implementation_plan == "docs/maestro/plans/d.md"


def test_an_express_session_has_one_phase(repo: Place) -> None:
    with pytest.raises(LedgerError, match="an express session has one phase"):
        begin(repo, express=True)
    session = start_session(ledger(repo), Order("Fix it", express=True))
    assert [(one.id, one.name) for one in session.phases] == [(1, "Fix it")]
    assert session.workflow_mode == "express"


def test_phases_wait_for_those_that_block_them(repo: Place) -> None:
    begin(repo)
    with pytest.raises(LedgerError) as caught:
        go(repo, "start", "2")
    assert caught.value.message == "phase '2' is blocked by '1' (pending)"
    go(repo, "skip", "1")
    go(repo, "start", "2")
    assert phases(repo) == {"1": "skipped", "2": "in_progress", "3": "pending"}
    with pytest.raises(LedgerError, match="no phase '9' in session"):
        go(repo, "start", "9")


def test_the_third_retry_is_refused_until_somebody_says_so(repo: Place) -> None:
    begin(repo)
    go(repo, "start", "1")
    for _ in range(2):
        fail(ledger(repo), kept(repo), "1", Trouble("tests fail", "validation", "coder"))
        go(repo, "retry", "1")
    fail(ledger(repo), kept(repo), "1", Trouble("tests fail", "validation", "coder"))
    with pytest.raises(Refused) as caught:
        go(repo, "retry", "1")
    assert caught.value.message == "phase '1' was retried 2 times already"
    assert caught.value.exit_code == 4
    errors = view(ledger(repo), None).phases[0].errors
    assert [one.resolution for one in errors] == ["retry 1", "retry 2", "pending"]
    go(repo, "retry", "1", override=True)
    assert view(ledger(repo), None).phases[0].retry_count == 3


def test_errors_are_told_and_resolved(repo: Place) -> None:
    name = begin(repo)
    session_phases.add_error(ledger(repo), name, "1", Trouble("a", "dependency", "coder"))
    session_phases.add_error(ledger(repo), name, "1", Trouble("b"))
    session_phases.resolve_error(ledger(repo), name, "1", "2", "done")
    first, second = view(ledger(repo), None).phases[0].errors
    assert (first.type, first.resolved, second.resolution, second.resolved) == (
        "dependency",
        False,
        "done",
        True,
    )
    session_phases.resolve_error(ledger(repo), name, "1", first.id[:8], "too")
    for error, message in (
        ("3", "no one error is meant by '3' in phase '1'"),
        ("", "no one error is meant by '' in phase '1'"),
    ):
        with pytest.raises(LedgerError) as caught:
            session_phases.resolve_error(ledger(repo), name, "1", error, "x")
        assert caught.value.message == message
    with pytest.raises(LedgerError, match="unknown type of error 'odd'"):
        Trouble("x", "odd").body()
    with pytest.raises(LedgerError, match="an error without words"):
        Trouble(" ").body()


def test_a_phase_more_must_fit(repo: Place) -> None:
    name = begin(repo)
    session_phases.add(ledger(repo), name, {"name": "Deploy", "blocked_by": [3]})
    assert [one.id for one in view(ledger(repo), None).phases] == [1, 2, 3, 4]
    with pytest.raises(LedgerError, match="two phases have the id '4'"):
        session_phases.add(ledger(repo), name, {"name": "Again", "id": 4})
    with pytest.raises(LedgerError, match="both own 'src/a/x'"):
        session_phases.add(
            ledger(repo), name, {"name": "P", "parallel": True, "files": ["src/a/x"]}
        )


def test_agents_spawned_meanwhile_belong_to_the_phase(repo: Place) -> None:
    assert active_phase(ledger(repo)) is None
    agent(repo, "before")
    name = begin(repo)
    assert active_phase(ledger(repo)) == (name, None)
    agent(repo, "unplaced")
    go(repo, "start", "1")
    agent(repo, "placed", "coder")
    session = view(ledger(repo), None)
    assert [(one.id, one.phase) for one in session.shares] == [("unplaced", None), ("placed", "1")]
    assert (session.phases[0].agents, session.phases[0].agent_ids) == (("coder",), ("placed",))


def test_an_agent_that_only_a_hook_saw_belongs_too(repo: Place) -> None:
    name = begin(repo)
    go(repo, "start", "1")
    agent(repo, "plain")
    # As the hook writes it: without a word of the session.
    body = {"id": "hooked", "title": "hooked", "spawn_commit": repo.git("rev-parse", "HEAD")}
    told(repo, "hooked", "spawned", **body)
    assert view(ledger(repo), None).phases[0].agent_ids == ("plain", "hooked")
    complete(ledger(repo), kept(repo), "1")
    log = logs.read(ledger(repo), "refs/ledger/agents/hooked/log")
    assert [
        (one.kind, one.body.get("session"), one.body.get("session_phase")) for one in log.events
    ] == [
        ("spawned", None, None),
        ("set", name, "1"),
    ]


def test_a_worktree_that_no_hook_saw_belongs_too(repo: Place) -> None:
    begin(repo)
    go(repo, "start", "1")
    repo.worktree("plain").commit("work", new="1\n")
    complete(ledger(repo), kept(repo), "1")
    one = view(ledger(repo), None).phases[0]
    assert one.files_created == ("new",)
    assert [name.rpartition("-")[0] for name in one.agent_ids] == ["plain"]


def test_files_and_usage_come_from_the_agents(repo: Place) -> None:
    begin(repo)
    repo.commit("old", gone="x\n", kept="x\n")
    go(repo, "start", "1")
    first, second = agent(repo, "a1", "coder"), agent(repo, "a2", "coder")
    first.write("new", "1\n")
    first.write("kept", "y\n")
    os.remove(first.path / "gone")
    first.commit("work")
    second.write("other", "1\n")
    second.commit("more")
    told(repo, "a1", "usage", usage={"input": 5, "output": 3, "cached": 1})
    told(repo, "a2", "usage", usage={"input": 1, "output": 1, "cached": 0})
    found = complete(
        ledger(repo),
        kept(repo),
        "1",
        "# Handoff\n\n## Assumptions\n\n- It holds\n\n## Warnings\n\nnone\n",
    )
    assert not found.to_archive
    one = document(view(ledger(repo), None))["phases"][0]
    assert (one["files_created"], one["files_modified"], one["files_deleted"]) == (
        ["new", "other"],
        ["kept"],
        ["gone"],
    )
    assert one["downstream_context"]["assumptions"] == ["It holds"]
    assert one["downstream_context"]["warnings"] == []
    session = view(ledger(repo), None)
    assert session.by_agent == {"coder": Usage(6, 4, 1)}
    assert session.usage == Usage(6, 4, 1)
    # The record stands without the agents' logs.
    repo.git("update-ref", "-d", "refs/ledger/agents/a1/log")
    repo.git("update-ref", "-d", "refs/ledger/agents/a2/log")
    assert document(view(ledger(repo), None))["phases"][0]["files_created"] == ["new", "other"]


def write_ten(writer: int, path: str, refs: tuple[str, str]) -> None:
    """One of several processes, writing to both logs in turn."""
    for number in range(10):
        body = {"by": f"w{writer}", "usage": {"input": 1, "output": number}}
        fact = [("usage", body)]
        logs.append(discover(path), refs[number % 2], lambda _, fact=fact: fact)


def test_two_sessions_worth_of_events_by_eight_processes_lose_nothing(repo: Place) -> None:
    name = begin(repo)
    copy = "refs/ledger/sessions/other/log"
    logs.append(ledger(repo), copy, lambda _: [("session-started", {"id": "other", "task": "o"})])

    refs = (copy, sessions.live_ref(name))
    with ProcessPoolExecutor(8, get_context("spawn")) as pool:
        list(pool.map(write_ten, range(8), [str(repo.path)] * 8, [refs] * 8))
    one, other = (logs.read(ledger(repo), ref) for ref in (sessions.live_ref(name), copy))
    assert [len(log.events) - 1 for log in (one, other)] == [40, 40]
    usage = [sessions.fold(log.events).usage for log in (one, other)]
    assert usage == [Usage(40, 8 * (1 + 3 + 5 + 7 + 9)), Usage(40, 8 * (0 + 2 + 4 + 6 + 8))]


def survey(place: Place) -> session_resume.Survey:
    return session_resume.survey(ledger(place), None)


def test_resume_goes_on_where_it_stopped(repo: Place) -> None:
    begin(repo)
    found = survey(repo)
    assert (found.needs_decision, found.position.next.key if found.position.next else None) == (
        False,
        "1",
    )
    session_resume.go_on(ledger(repo), found, session_resume.GO_ON)
    assert phases(repo) == {"1": "in_progress", "2": "pending", "3": "pending"}
    session_resume.go_on(ledger(repo), survey(repo), session_resume.GO_ON)
    assert phases(repo) == {"1": "in_progress", "2": "pending", "3": "pending"}
    complete(ledger(repo), kept(repo), "1")
    session_resume.go_on(ledger(repo), survey(repo), session_resume.GO_ON)
    assert phases(repo) == {"1": "completed", "2": "in_progress", "3": "pending"}


def test_resume_offers_what_to_do_about_a_failed_phase(repo: Place) -> None:
    begin(repo, phases="- a\n- b\n- {name: c, blocked_by: [1]}\n")
    go(repo, "start", "1")
    fail(ledger(repo), kept(repo), "1", Trouble("broken", "runtime", "coder"))
    found = survey(repo)
    assert found.needs_decision
    assert [(phase.key, one.message) for phase, one in found.errors] == [("1", "broken")]
    with pytest.raises(LedgerError, match="phase '1' has failed"):
        session_resume.go_on(ledger(repo), found, session_resume.GO_ON)
    before = kept(repo).log.oid
    session_resume.go_on(ledger(repo), found, session_resume.ADJUST)
    assert kept(repo).log.oid == before
    session_resume.go_on(ledger(repo), found, session_resume.SKIP)
    assert phases(repo) == {"1": "failed", "2": "in_progress", "3": "pending"}
    assert not survey(repo).needs_decision
    session_resume.go_on(ledger(repo), survey(repo), session_resume.RETRY)
    assert phases(repo) == {"1": "in_progress", "2": "in_progress", "3": "pending"}


def test_an_aborted_session_is_over_and_waits_to_be_archived(repo: Place) -> None:
    name = begin(repo)
    session_resume.go_on(ledger(repo), survey(repo), session_resume.ABORT)
    assert view(ledger(repo), None).status == "failed"
    assert active_phase(ledger(repo)) is None
    for act in (lambda: survey(repo), lambda: go(repo, "start", "1")):
        with pytest.raises(LedgerError, match=f"session '{name}' was aborted"):
            act()
    with pytest.raises(LedgerError, match="is active"):
        begin(repo, "Other")


def conflicts(place: Place) -> list[tuple[str, str | None, str, tuple[str, ...]]]:
    return [(one.kind, one.phase, one.who, one.paths) for one in survey(place).conflicts]


def test_resume_shows_partial_work(repo: Place) -> None:
    begin(repo)
    go(repo, "start", "1")
    place = agent(repo, "a1", "coder")
    assert conflicts(repo) == []
    place.commit("half", done="1\n")
    place.write("undone", "1\n")
    assert conflicts(repo) == [("partial-work", "1", "a1", ("done", "undone"))]


def test_resume_shows_what_others_changed(repo: Place) -> None:
    begin(repo)
    go(repo, "start", "1")
    place = agent(repo, "a1", "coder")
    place.commit("work", shared="1\n")
    told(repo, "a1", "completed", files=[["A", "shared"]])
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "a1")
    complete(ledger(repo), kept(repo), "1")
    assert conflicts(repo) == []
    commit = repo.commit("from outside", shared="2\n")
    repo.commit("elsewhere", other="1\n")
    assert conflicts(repo) == [("changed-outside", None, commit[:12], ("shared",))]
    session_resume.go_on(ledger(repo), survey(repo), session_resume.GO_ON)
    assert conflicts(repo) == []
    time.sleep(0.02)
    repo.write("shared", "3\n")
    assert conflicts(repo) == [("changed-outside", None, "uncommitted", ("shared",))]


def test_resume_shows_a_changed_plan_once(repo: Place) -> None:
    repo.write("docs/maestro/plans/p.md", "plan\n")
    start_session(ledger(repo), Order("T", plan="docs/maestro/plans/p.md"))
    assert conflicts(repo) == []
    repo.write("docs/maestro/plans/p.md", "other plan\n")
    assert conflicts(repo) == [("plan-changed", None, "", ("docs/maestro/plans/p.md",))]
    session_resume.go_on(ledger(repo), survey(repo), session_resume.GO_ON)
    assert conflicts(repo) == []


def test_a_session_is_found_by_id_and_prefix(repo: Place) -> None:
    with pytest.raises(LedgerError, match="no session is active"):
        sessions.named(ledger(repo), None)
    name = begin(repo)
    assert sessions.named(ledger(repo), name[:12]).session.session_id == name
    with pytest.raises(LedgerError) as caught:
        sessions.named(ledger(repo), "1999")
    assert caught.value.message == "no one session is meant by '1999'"
    assert caught.value.hint == f"the newest: {name}"


def test_the_hooks_state_is_short_lived(repo: Place) -> None:
    name = begin(repo)
    where = repo.path / ".git/ledger/hooks" / name / "active-agent"
    agent(repo, "a1")
    assert where.read_text() == "a1\n"
    assert hook_state.read(ledger(repo), name) == "a1"
    hook_state.clear(ledger(repo), "a2")
    assert where.exists()
    assert hook_state.prune(ledger(repo), time.time() + 7100) == []
    assert hook_state.prune(ledger(repo), time.time() + 7300) == [str(where.parent)]
    assert not where.parent.exists()
    linked = Place(repo.path.parent / "a1", repo.env)
    hook_state.write(ledger(linked), name, "a1")
    assert (repo.path / ".git/worktrees/a1/ledger/hooks" / name / "active-agent").exists()
    hook_state.clear(ledger(repo), "a1")
    assert hook_state.read(ledger(linked), name) is None


def test_a_foreign_file_in_the_hooks_state_stays(repo: Place) -> None:
    name = begin(repo)
    agent(repo, "a1")
    foreign = repo.path / ".git/ledger/hooks" / name / "notes"
    foreign.write_text("mine")
    os.utime(foreign.parent / "active-agent", (0, 0))
    hook_state.prune(ledger(repo), time.time() + 7300)
    assert foreign.read_text() == "mine"


def test_shares_are_read_only_where_there_are_agents(repo: Place) -> None:
    begin(repo)
    assert view(ledger(repo), None).shares == ()
    go(repo, "start", "1")
    agent(repo, "a1")
    (share,) = view(ledger(repo), None).shares
    assert share == Share("a1", "a1", "1", "spawned")


def test_steps_name_what_is_wrong(repo: Place) -> None:
    name = begin(repo, phases=THREE)
    with pytest.raises(LedgerError) as caught:
        session_phases.step(ledger(repo), name, Step("complete", "1"))
    assert caught.value.message == "phase '1' is 'pending' and cannot become 'completed'"
    with pytest.raises(LedgerError, match="session 'none' is not live"):
        session_phases.step(ledger(repo), "none", Step("start", "1"))


def test_a_conflict_of_an_agent_is_an_error_of_its_phase(repo: Place) -> None:
    begin(repo)
    go(repo, "start", "1")
    first, second = agent(repo, "a1", "coder"), agent(repo, "a2", "coder")
    first.commit("one", f="first\n")
    second.commit("two", f="second\n")
    for _ in range(2):
        found = survey(repo)
        assert [(one.agent, one.type, one.message) for _, one in found.errors] == [
            ("a1", "file_conflict", "conflicts with 'a2' over 'f'")
        ]
    assert found.needs_decision
    second.git("reset", "-q", "--hard", "main")
    assert survey(repo).errors == []
    (error,) = view(ledger(repo), None).phases[0].errors
    assert (error.resolved, error.resolution) == (True, "no longer so")


def test_a_log_without_its_beginning_is_a_session_all_the_same(repo: Place) -> None:
    name = begin(repo)
    ref = sessions.live_ref(name)
    go(repo, "start", "1")
    lines = repo.git("cat-file", "blob", ref).split("\n")
    repo.write("../log", "{broken\n" + "\n".join(lines[1:]) + "\n")
    repo.git("update-ref", ref, repo.git("hash-object", "-w", "../log"))
    session = kept(repo).session
    assert (session.session_id, session.phases) == (name, ())
    assert [why for _, why in session.faults] == [
        "the beginning of the log is missing",
        "unknown phase '1'",
    ]
    with pytest.raises(LedgerError, match="is active"):
        begin(repo, "Other")


@pytest.mark.parametrize(
    "options", [["--object-format=sha256"], ["--bare"]], ids=["sha256", "bare"]
)
def test_other_repositories(tmp_path: Path, env: dict[str, str], options: list[str]) -> None:
    place = Place(tmp_path / "odd", env)
    place.path.mkdir()
    place.git("init", "-q", "-b", "main", *options)
    if "--bare" in options:
        tree = place.git("mktree")
        place.git("update-ref", "refs/heads/main", place.git("commit-tree", "-m", "x", tree))
    else:
        place.commit("base", f="x\n")
    name = begin(place)
    go(place, "start", "1")
    agent(place, "a1", "coder").commit("work", new="1\n")
    complete(ledger(place), kept(place), "1")
    assert view(ledger(place), None).phases[0].files_created == ("new",)
    assert archive(ledger(place), None).session.session_id == name
    assert verify(ledger(place), name).faults == []
    assert place.is_clean_for_fsck()


def test_the_state_directory_can_be_another(repo: Place) -> None:
    repo.git("config", "ledger.stateDir", "state")
    repo.write("state/plans/p.md", "plan\n")
    with pytest.raises(LedgerError, match="is not below 'state/plans'"):
        start_session(ledger(repo), Order("T", plan="f"))
    start_session(ledger(repo), Order("T", plan="state/plans/p.md"))
    assert archive(ledger(repo), None).archived_files == ["state/plans/archive/p.md"]
    repo.git("config", "ledger.stateDir", "../state")
    with pytest.raises(LedgerError, match="bad path '../state'"):
        start_session(ledger(repo), Order("T", plan="state/plans/p.md"))


def test_agents_of_before_are_no_members(repo: Place) -> None:
    for number in range(3):
        told(
            repo,
            f"old{number}",
            "spawned",
            id=f"old{number}",
            title="old",
            since="2026-01-01T00:00:00.000000Z",
        )
    begin(repo)
    assert view(ledger(repo), None).shares == ()


EVERY_STATUS = """\
- a
- b
- c
- d
- e
"""
ALLOWED = {
    ("pending", "start"),
    ("pending", "skip"),
    ("in_progress", "complete"),
    ("in_progress", "fail"),
    ("failed", "retry"),
}


def test_every_step_that_is_not_allowed_is_refused_and_writes_nothing(repo: Place) -> None:
    name = begin(repo, phases=EVERY_STATUS)
    for key in ("2", "3", "4"):
        go(repo, "start", key)
    go(repo, "complete", "3")
    trouble = {"error": Trouble("no").body()}
    go(repo, "fail", "4", body=trouble)
    go(repo, "skip", "5")
    before = kept(repo)
    refused = 0
    for phase in before.session.phases:
        for action in ("start", "complete", "fail", "retry", "skip"):
            if (phase.status, action) in ALLOWED:
                continue
            with pytest.raises(
                LedgerError, match=f"is '{phase.status}' and cannot become"
            ) as caught:
                session_phases.step(ledger(repo), name, Step(action, phase.key, trouble))
            assert caught.value.exit_code == 2
            refused += 1
    assert refused == 20
    assert kept(repo).log.oid == before.log.oid
    for action, key in (("start", "1"), ("complete", "2"), ("retry", "4")):
        go(repo, action, key)
    assert phases(repo) == {
        "1": "in_progress",
        "2": "completed",
        "3": "completed",
        "4": "in_progress",
        "5": "skipped",
    }
