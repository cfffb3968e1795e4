"""Queue, start, retry, wait, set, diff, path and prune as a day's work needs them."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING

import pytest

from gitledger.cli import main
from gitledger.git.repository import Repository, discover
from gitledger.services.find import find
from gitledger.services.lifecycle import complete, fail, report
from gitledger.services.live import look
from gitledger.services.spawn import Order, spawn

if TYPE_CHECKING:
    from tests.support import Place


@pytest.fixture
def seen(repo: Place, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name, value in repo.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.path)
    return discover(str(repo.path))


@pytest.fixture
def run(seen: Repository, capsys):
    """`git ledger WORDS` in this process: exit code, stdout, stderr."""

    def ran(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main.run(words)
        told = capsys.readouterr()
        return code, told.out, told.err

    return ran


def agent(seen: Repository, name: str, **fields) -> None:
    spawn(seen, Order(f"task {name}", name, fields=fields))


def taken(run, *words: str) -> dict:
    code, out, err = run(*words, "--json")
    assert code == 0, err
    return json.loads(out)["agent"]


def test_a_queued_agent_waits_and_is_started(repo: Place, seen: Repository, run) -> None:
    agent(seen, "first")
    options = ("--id", "q", "--queue", "--depends-on", "first", "--role", "coder")
    queued = taken(run, "spawn", "later", *options)
    assert (queued["status"], queued["state"], queued["execution_mode"]) == (
        "queued", "queued", "parallel",
    )  # fmt: skip
    assert "worktree" not in queued
    assert run("start", "q") == (
        4, "", "error: 'q' depends on what is unfinished: first\n"
        "hint: wait for it, or give --yes to start now\n",
    )  # fmt: skip
    complete(seen, "first")
    code, out, err = run("start", "q", "--branch", "topic")
    assert (code, out, err) == (0, f"{repo.path.parent}/repo-q\n", "spawned q on topic\n")
    started = taken(run, "show", "q")
    assert (started["status"], started["branch"], started["role"]) == ("spawned", "topic", "coder")
    assert started["queued_at"] < started["spawned_at"]


REFUSED = [
    (("spawn", "x", "--queue"), 2, "error: nothing to wait for\n"),
    (
        ("spawn", "x", "--queue", "--here", "--group", "g"),
        2,
        "error: a queued agent has no worktree",
    ),
    (("spawn", "x", "--depends-on", "nobody"), 2, "error: unknown dependency 'nobody'\n"),
    (("spawn", "x", "--group", "auto"), 2, "error: a group needs a phase\n"),
    (("spawn", "x", "--check", "make"), 2, "error: 'make' is no check\n"),
    (("spawn", "x", "--pid", "0"), 2, "error: "),
    (("set", "a"), 2, "error: nothing to set\n"),
    (("set", "a", "--unset", "colour"), 2, "error: no field 'colour' to take away\n"),
    (("set", "a", "--depends-on", "a"), 2, "error: 'a' cannot depend on itself\n"),
    (("set", "a", "--title", "x\ny"), 2, "error: bad title"),
    (("report", "a", "--task", "1=done"), 2, "error: '1=done' is no task\n"),
    (("report", "a", "--run-checks"), 2, "error: 'a' has no checks\n"),
    (("diff", "nobody"), 2, "error: unknown agent 'nobody'\n"),
    (("path", "nobody"), 2, "error: unknown agent 'nobody'\n"),
    (("wait",), 2, "error: wait for whom?\n"),
    (("wait", "--group", "g"), 2, "error: no agent is in group 'g'\n"),
    (("abandon", "a", "--group", "g"), 2, "error: an agent or a group, not both\n"),
    (("retry", "a"), 2, "error: cannot retry 'a': it is spawned"),
    (("resume", "--batch", "g"), 2, "error: no agent is in group 'g'\n"),
]


@pytest.mark.parametrize(("words", "code", "error"), REFUSED, ids=str)
def test_bad_input_writes_nothing(repo: Place, seen: Repository, run, words, code, error) -> None:
    agent(seen, "a")
    run("reconcile")
    before = repo.git("for-each-ref"), repo.git("worktree", "list")
    told = run(*words)
    assert told[:2] == (code, "")
    assert told[2].startswith(error)
    assert (repo.git("for-each-ref"), repo.git("worktree", "list")) == before


def test_retry_is_a_new_agent_for_the_same_task(seen: Repository, run) -> None:
    check = [{"name": "t", "command": "true"}]
    agent(seen, "a", role="coder", phase="02", plan="01", checks=check, files_declared=["x"])
    fail(seen, "a", "no luck")
    run("retry", "a", "--id", "b", "--role", "senior")
    again = taken(run, "show", "b")
    assert {name: again[name] for name in ("title", "role", "phase", "plan", "retry_of")} == {
        "title": "task a", "role": "senior", "phase": "02", "plan": "01", "retry_of": "a",
    }  # fmt: skip
    assert (again["checks"], again["files_declared"]) == (check, ["x"])
    assert taken(run, "show", "a")["status"] == "failed"


def test_set_and_unset(seen: Repository, run) -> None:
    agent(seen, "a", role="coder")
    run("set", "a", "--title", "Another task", "--phase", "03", "--group", "new", "--file", "y")
    found = taken(run, "set", "a", "--unset", "role", "--unset", "file")
    assert (found["title"], found["slug"], found["phase"]) == ("Another task", "another-task", "03")
    assert found["group"].startswith("phase-03-batch-")
    assert not {"role", "files_declared"} & set(found)


def test_checks_are_really_run(repo: Place, seen: Repository, run) -> None:
    agent(seen, "a", checks=[{"name": "f", "command": "grep -q 'line 1' f"}])
    work = repo.at("../repo-a")
    assert run("report", "a", "--run-checks")[0] == 0
    run("revise", "a", "-m", "more")
    work.commit("gone", f="nothing\n")
    _, _, err = run("report", "a", "--run-checks", "--task", "1=completed", "--turns", "3")
    assert "check f failed with 1\n" in err
    found = taken(run, "show", "a")
    ran = found["checks"][0]
    assert (ran["exit_code"], ran["commit"]) == (1, work.git("rev-parse", "HEAD"))
    assert (found["task_results"], found["turn_count"]) == ({"1": {"status": "completed"}}, 3)


def test_checks_of_the_project(repo: Place, seen: Repository, run) -> None:
    repo.write("pyproject.toml", '[tool.gitledger.checks]\nunit = "exit 3"\n')
    agent(seen, "a")
    run("report", "a", "--run-checks")
    found = taken(run, "show", "a")["checks"]
    assert [(one["name"], one["command"], one["exit_code"]) for one in found] == [
        ("unit", "exit 3", 3)
    ]


def test_the_note_on_commits_counts_the_reports(repo: Place, seen: Repository, run) -> None:
    run("init")
    agent(seen, "a")
    work = repo.at("../repo-a")
    work.commit("one", a="1\n")
    report(seen, "a", {})
    run("revise", "a", "-m", "more")
    work.commit("two", a="2\n")
    told = work.git("log", "--format=%s %N", "--notes=ledger/*", "main..")
    assert "two agent: a\niteration: 1" in told
    assert "one agent: a\niteration: 0" in told


def test_diff_and_path(repo: Place, seen: Repository, run) -> None:
    agent(seen, "a")
    work = repo.at("../repo-a")
    work.commit("mine", mine="1\n")
    repo.commit("on main", theirs="1\n")
    work.write("mine", "2\n")
    assert run("path", "a") == (0, f"{repo.path.parent}/repo-a\n", "")
    assert work.ledger("diff", "a", "--name-status").stdout == "A\tmine\n"
    assert work.ledger("diff", "--numstat").stdout == "1\t0\tmine\n"
    assert "+2" in work.ledger("diff", "a", "--uncommitted").stdout
    assert work.ledger("diff", "a", "--", "f").stdout == ""


def test_wait_until_reported(seen: Repository, run) -> None:
    agent(seen, "a", group="g")
    agent(seen, "b", group="g")
    report(seen, "b", {})
    later = threading.Timer(1.0, lambda: report(seen, "a", {}))
    later.start()
    code, out, _ = run("wait", "--group", "g", "--timeout", "60")
    later.join()
    assert code == 0
    assert sorted(out.splitlines()) == ["a  awaiting-review", "a  spawned", "b  awaiting-review"]


def test_wait_says_what_did_not_come(repo: Place, seen: Repository, run) -> None:
    agent(seen, "a")
    begun = time.monotonic()
    code, _, err = run("wait", "a", "--timeout", "0.5")
    assert (code, err) == (1, "error: 'a' is spawned\n")
    assert time.monotonic() - begun < 30
    repo.git("worktree", "remove", "../repo-a")
    code, _, err = run("wait", "a")
    assert (code, err) == (1, "error: 'a' is interrupted\n")
    assert find(look(seen), "a").agent.status == "spawned"


def test_spawn_archives_what_is_over_the_bound_and_nothing_live(
    repo: Place, seen: Repository, run
) -> None:
    repo.git("config", "ledger.maxEntries", "2")
    for name in ("a", "b", "c"):
        agent(seen, name)
    complete(seen, "b")
    code, _, err = run("spawn", "another", "--id", "d")
    assert (code, err) == (0, "archived b\nspawned d on agent/d\n")
    assert [one["id"] for one in json.loads(run("list", "--json")[1])["agents"]] == ["d", "c", "a"]
    assert run("prune")[1:] == ("", "nothing can go: no more than is kept, or none has ended\n")
    assert taken(run, "show", "b")["status"] == "completed"
    assert run("log", "b")[1].count("\n") == 2
    assert repo.at("../repo-b").ledger("current").returncode == 1
    assert repo.is_clean_for_fsck()
    assert run("spawn", "again", "--id", "b")[0] == 2


def test_prune_delete_leaves_nothing(repo: Place, seen: Repository, run) -> None:
    agent(seen, "a")
    complete(seen, "a")
    dry = run("prune", "--max", "0", "--delete", "--dry-run")
    assert dry[:2] == (0, "would delete a\n")
    assert run("prune", "--max", "0", "--delete")[1] == "deleted a\n"
    assert repo.git("for-each-ref", "refs/ledger/agents", "refs/ledger/archive") == ""
    assert repo.is_clean_for_fsck()
