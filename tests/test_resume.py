"""Who was cut off, by evidence; and how it is taken up again."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from gitledger.cli import main
from gitledger.errors import LedgerError, Refused
from gitledger.git.repository import Repository, discover
from gitledger.services import resume
from gitledger.services.find import find
from gitledger.services.interruption import evidence, interrupt_found, owner_of
from gitledger.services.keeping import keep
from gitledger.services.lifecycle import complete, interrupt, prepared, report
from gitledger.services.live import look
from gitledger.services.spawn import Order, spawn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support import Place


@pytest.fixture
def seen(repo: Place, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name, value in repo.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.path)
    return discover(str(repo.path))


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as child:
        yield child
        child.kill()


def agent(repo: Place, seen: Repository, name: str, **fields) -> Place:
    """An agent with that id in a worktree beside the repository."""
    made = spawn(seen, Order(f"task {name}", name, fields=fields))
    return repo.at(made.path)


def found(seen: Repository, name: str) -> list[str]:
    view = prepared(seen)
    return evidence(view, find(view, name))


def status(seen: Repository, name: str) -> str:
    return find(look(seen), name).agent.status


def take_up(seen: Repository, name: str | None, **how) -> None:
    view = prepared(seen)
    resume.resume(view, resume.brief(view, resume.chosen(view, name)), **how)


def test_a_dead_owner_is_evidence_and_a_live_one_is_none(repo, seen, process) -> None:
    agent(repo, seen, "a", owner=owner_of(process.pid))
    assert found(seen, "a") == []
    process.kill()
    process.wait()
    told = [f"process {process.pid} is gone", "nothing has happened since"]
    assert found(seen, "a") == told
    assert [step.id for step in interrupt_found(look(seen))] == ["a"]
    one = find(look(seen), "a").agent
    assert (one.status, one.interrupted_why, one.evidence) == ("interrupted", told[0], told)


def test_another_process_with_its_number_is_not_its_owner(repo, seen, process) -> None:
    agent(repo, seen, "a", owner={**owner_of(process.pid), "started": "long ago"})
    assert found(seen, "a")[0] == f"process {process.pid} is gone"


NO_PROOF = [
    {},
    {"owner": {"pid": 2**22 + 1, "host": "another.example", "started": "x"}},
    {"owner": {"pid": "1", "host": os.uname().nodename}},
    {"owner": {"host": os.uname().nodename}},
]


@pytest.mark.parametrize("fields", NO_PROOF)
def test_silence_and_what_cannot_be_told_are_no_evidence(repo, seen, fields) -> None:
    agent(repo, seen, "a", **fields)
    assert found(seen, "a") == []
    assert keep(seen).interrupted == []


@pytest.mark.parametrize("sign", ["a changed file", "an untracked file", "the reflog"])
def test_signs_of_work_after_the_last_record_outweigh_a_dead_owner(repo, seen, process, sign):
    work = agent(repo, seen, "a", owner=owner_of(process.pid))
    process.kill()
    process.wait()
    if sign == "the reflog":
        time.sleep(1.1)  # a reflog counts whole seconds
        work.git("checkout", "-q", "--detach")
    else:
        work.write("f" if sign == "a changed file" else "new", "x\n")
    assert found(seen, "a") == []
    repo.git("config", "ledger.quietPeriod", "0")
    quiet = discover(str(repo.path))
    assert found(quiet, "a") == [f"process {process.pid} is gone", "nothing has moved for 0 s"]


def test_a_worktree_that_is_gone_is_evidence_and_awaiting_review_stays(repo, seen) -> None:
    for name in ("a", "b"):
        agent(repo, seen, name).commit(name, **{name: "1\n"})
    report(seen, "b", {})
    for name in ("a", "b"):
        shutil.rmtree(repo.path.parent / f"repo-{name}")
    kept = keep(seen)
    assert kept.interrupted == ["a"]
    assert (status(seen, "a"), status(seen, "b")) == ("interrupted", "awaiting-review")
    told = repo.ledger("doctor").stdout
    assert "agent 'b' awaits review, and its worktree is gone" in told


def test_doctor_finds_who_was_cut_off(repo, seen) -> None:
    agent(repo, seen, "a")
    repo.git("worktree", "remove", "../repo-a")
    told = repo.ledger("doctor")
    assert f"agent 'a' was cut off: worktree '{repo.path.parent}/repo-a' is gone" in told.stdout
    assert status(seen, "a") == "interrupted"


def test_merged_is_tested_first(repo, seen) -> None:
    work = agent(repo, seen, "a")
    tip = work.commit("a", a="1\n")
    prepared(seen)
    repo.git("merge", "-q", "--ff-only", "agent/a")
    assert status(seen, "a") == "spawned"
    repo.git("worktree", "remove", "../repo-a")
    assert keep(seen).interrupted == []
    one = find(look(seen), "a").agent
    assert (one.status, one.how, one.merged, one.files) == (
        "completed", "found-merged", {"into": "main", "commit": tip}, (("A", "a"),),
    )  # fmt: skip


def test_a_worktree_removed_before_any_commit_is_not_merged(repo, seen) -> None:
    agent(repo, seen, "a")
    repo.commit("on main", m="1\n")
    repo.git("worktree", "remove", "../repo-a")
    assert keep(seen).interrupted == ["a"]


def test_without_a_name_the_worktree_s_agent_then_the_newest(repo, seen) -> None:
    for name in ("a", "b", "c"):
        agent(repo, seen, name)
        interrupt(seen, name, "stop")
    interrupt_free = discover(str(repo.path / ".." / "repo-a"))
    take_up(interrupt_free, None)
    assert [status(seen, name) for name in "abc"] == ["resumed", "interrupted", "interrupted"]
    take_up(seen, None)
    assert [status(seen, name) for name in "abc"] == ["resumed", "interrupted", "resumed"]
    take_up(seen, None)
    with pytest.raises(LedgerError, match="nothing to resume"):
        take_up(seen, None)


def test_by_a_unique_prefix_and_what_is_no_name(repo, seen) -> None:
    for name in ("one-1", "one-2", "two"):
        agent(repo, seen, name)
        interrupt(seen, name, None)
    take_up(seen, "tw")
    assert status(seen, "two") == "resumed"
    with pytest.raises(LedgerError, match="'one' could be any of 2 agents") as several:
        take_up(seen, "one")
    assert several.value.hint == "one of: one-1, one-2"
    for number in range(3, 7):
        agent(repo, seen, f"one-{number}")
    with pytest.raises(LedgerError, match="unknown agent 'nobody'") as none:
        take_up(seen, "nobody")
    assert none.value.hint == "the most recent: one-6, one-5, one-4, one-3, two"


def test_completed_is_refused_with_id_time_and_title(repo, seen) -> None:
    agent(repo, seen, "a")
    complete(seen, "a")
    at = find(look(seen), "a").agent.completed_at
    with pytest.raises(LedgerError) as refused:
        take_up(seen, "a")
    assert refused.value.message == f"cannot resume 'a': it is completed, since {at}"
    assert refused.value.hint == "its task was: task a; 'git ledger retry a' tries it again"


@pytest.mark.parametrize("how", ["rm -rf", "git worktree remove", "and the branch"])
def test_a_worktree_that_is_gone_is_made_again_when_asked(repo, seen, how) -> None:
    work = agent(repo, seen, "a")
    tip = work.commit("kept", kept="1\n")
    if how == "rm -rf":
        shutil.rmtree(work.path)
    else:
        repo.git("worktree", "remove", work.path)
    if how == "and the branch":
        prepared(seen)
        repo.git("branch", "-q", "-D", "agent/a")
    before = repo.git("worktree", "list")
    with pytest.raises(Refused, match="the worktree of 'a' is gone"):
        take_up(seen, "a")
    assert repo.git("worktree", "list") == before
    take_up(seen, "a", recreate_worktree=True)
    one = find(look(seen), "a")
    assert (one.agent.status, one.branch, one.tip) == ("resumed", "agent/a", tip)
    assert (work.git("rev-parse", "HEAD"), work.git("branch", "--show-current")) == (tip, "agent/a")
    assert work.ledger("current").stdout == "a\n"
    assert repo.git("branch", "--show-current") == "main"


def test_a_pointer_stays_when_a_resume_fails(repo, seen) -> None:
    work = agent(repo, seen, "a")
    interrupt(seen, "a", None)
    repo.commit("drift", f="drift\n")
    work.commit("mine", f="mine\n")
    refused = work.ledger("resume")
    assert refused.returncode == 4
    assert refused.stderr == (
        "error: 'a' is not resumed: its files changed on the target since it was spawned: "
        "f (by external)\nhint: give --yes to resume it\n"
    )
    assert work.ledger("current").stdout == "a\n"
    assert status(seen, "a") == "interrupted"


def test_a_batch_goes_on_past_what_is_refused(repo, seen, capsys) -> None:
    for name in ("a", "b", "c"):
        agent(repo, seen, name, group="g")
    for name in ("a", "b"):
        interrupt(seen, name, None)
    main.run(["spawn", "later", "--id", "q", "--queue", "--group", "g"])
    repo.git("worktree", "remove", "../repo-a")
    capsys.readouterr()
    assert main.run(["resume", "g", "--batch"]) == 4
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "the worktree of 'a' is gone; its commits are kept",
        "resumed b",
        "'c' is not resumed: it is spawned, and nothing proves that it was cut off",
        "q stays queued",
        "error: 2 of 3 not resumed: a, c",
        "hint: each says why above; --yes answers the questions",
    ]
    assert [status(seen, name) for name in "abcq"] == [
        "interrupted", "resumed", "spawned", "queued",
    ]  # fmt: skip


def test_start_fresh_abandons_what_does_not_run(repo, seen) -> None:
    for name in ("a", "b"):
        agent(repo, seen, name, group="g")
    interrupt(seen, "a", None)
    main.run(["spawn", "later", "--id", "q", "--queue", "--group", "g"])
    assert main.run(["abandon", "--group", "g"]) == 0
    assert [status(seen, name) for name in "abq"] == ["failed", "spawned", "failed"]
    assert main.run(["abandon", "--group", "g", "--running"]) == 0
    assert status(seen, "b") == "failed"
    assert main.run(["abandon", "--group", "nobody"]) == 2


def test_a_new_run_is_not_judged_by_the_process_of_the_old_one(repo, seen, process) -> None:
    for name in ("a", "b", "c"):
        agent(repo, seen, name, owner=owner_of(process.pid))
    report(seen, "b", {})
    process.kill()
    process.wait()
    take_up(seen, "a")
    interrupt(seen, "c", None)
    mine = owner_of(os.getpid())
    take_up(seen, "c", owner=mine)
    assert main.run(["revise", "b", "-m", "more"]) == 0
    assert keep(seen).interrupted == []
    owners = {name: find(look(seen), name).agent.owner for name in "abc"}
    assert owners == {"a": None, "b": None, "c": mine}
    assert main.run(["interrupt", "a"]) == 0
    assert main.run(["resume", "a", "--pid", str(os.getpid())]) == 0
    assert find(look(seen), "a").agent.owner == mine
