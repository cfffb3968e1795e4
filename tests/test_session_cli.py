"""`git ledger session …`, `markers`, `handoff`, `import` and `export` as a user types them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.cli import main
from tests.session_steps import THREE
from tests.test_handoff import PLAN, SUMMARY
from tests.test_maestro import PLAIN, with_phases

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support import Place

Told = tuple[int, str, str]


@pytest.fixture
def run(repo: Place, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Callable[..., Told]:
    """`git ledger WORDS` in the repository, in this process: exit code, stdout, stderr."""
    for name, value in repo.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.path)
    (repo.path.parent / "phases.yaml").write_text(THREE)

    def ran(*words: str) -> Told:
        code = main.run(words)
        out, err = capsys.readouterr()
        return code, out, err

    return ran


def ok(run: Callable[..., Told], *words: str) -> str:
    code, out, err = run(*words)
    assert code == 0, err
    return out


def started(run: Callable[..., Told]) -> str:
    return ok(run, "session", "start", "Log in", "--phases", "../phases.yaml").strip()


def test_a_session_from_start_to_archive(run: Callable[..., Told]) -> None:
    name = started(run)
    assert run("session", "phase", "start", "1") == (0, "", "phase 1 is in progress\n")
    ok(run, "spawn", "Write the types", "--id", "types", "--role", "coder", "--path", "../types")
    ok(run, "complete", "types")
    assert run("session", "phase", "complete", "1") == (0, "", "phase 1 is completed\n")
    assert run("session", "phase", "skip", "2") == (
        4,
        "",
        "error: leave out phase '2'?\nhint: give --yes to do it\n",
    )
    assert run("session", "phase", "skip", "2", "--yes") == (0, "", "phase 2 is left out\n")
    assert run("session", "phase", "start", "3")[0] == 0
    fail = ["session", "phase", "fail", "3", "--error", "no", "--type", "timeout"]
    assert run(*fail) == (0, "", "phase 3 has failed\n")
    assert run("session", "phase", "retry", "3", "-m", "again") == (
        0,
        "",
        "phase 3 is in progress\n",
    )
    assert run("session", "phase", "complete", "3") == (0, "", "phase 3 is completed\n")
    assert run("session", "verify") == (0, f"{name}: active\n", "")
    assert run("session", "archive") == (0, "", f"archived {name}\n")
    assert run("session", "verify") == (0, f"{name}: archived\n", "")
    assert run("session", "show") == (
        2,
        "",
        "error: no session is active\nhint: begin one with 'git ledger session start TOPIC'\n",
    )
    shown = json.loads(ok(run, "session", "show", name, "--json"))
    assert (shown["schema"], shown["session"]["place"]) == ("ledger.session/1", "archived")
    assert [one["status"] for one in shown["session"]["phases"]] == [
        "completed",
        "skipped",
        "completed",
    ]
    assert [one["id"] for one in shown["session"]["agents"]] == ["types"]


def test_the_last_phase_completed_archives(run: Callable[..., Told], repo: Place) -> None:
    repo.write("docs/maestro/plans/p.md", "plan\n")
    plan = ["--plan", "docs/maestro/plans/p.md"]
    name = ok(run, "session", "start", "Fix", "--express", *plan).strip()
    run("session", "phase", "start", "1")
    assert run("session", "phase", "complete", "1") == (
        0,
        "docs/maestro/plans/archive/p.md\n",
        f"phase 1 is completed\narchived {name}\n",
    )


def test_without_auto_archive_it_is_left_to_the_user(run: Callable[..., Told], repo: Place) -> None:
    repo.git("config", "ledger.autoArchive", "false")
    name = ok(run, "session", "start", "Fix", "--express").strip()
    run("session", "phase", "start", "1")
    assert run("session", "phase", "complete", "1") == (
        0,
        "",
        f"phase 1 is completed\nhint: 'git ledger session archive' archives {name}\n",
    )
    assert run("session", "verify") == (0, f"{name}: active\n", "")


def test_resume_without_a_terminal_wants_a_decision(run: Callable[..., Told]) -> None:
    name = started(run)
    assert run("session", "resume")[2] == "going on with phase 1, Foundation (in_progress)\n"
    run("session", "phase", "fail", "1", "--error", "types clash", "--agent", "coder")
    code, out, err = run("session", "resume")
    assert (code, err) == (
        4,
        (
            "error: phase '1' has failed: say how to go on\n"
            "hint: give --retry, --skip, --abort or --adjust\n"
        ),
    )
    assert out.splitlines()[2:] == [
        "",
        "✗  1  Foundation  coder    1 open error",
        "□  2  Features             waits for 1",
        "□  3  Review               waits for 2",
        "",
        "Open errors",
        "  phase 1, runtime (coder): types clash",
        "",
        "last completed: none",
        "active: phase 2, Features (pending)",
    ]
    assert run("session", "resume", "--yes")[0] == 4
    assert run("session", "resume", "--adjust")[0] == 0
    assert (
        run("session", "resume", "--retry")[2]
        == "going on with phase 1, Foundation (in_progress)\n"
    )
    run("session", "phase", "complete", "1")
    told = json.loads(ok(run, "session", "resume", "--json"))
    assert told["position"] == {
        "last_completed": 1,
        "active": 2,
        "next": 2,
        "failed": [],
        "express": None,
    }
    assert (told["action"], told["conflicts"], told["errors"]) == ("go-on", [], [])
    assert run("session", "resume", "--abort")[2] == (
        f"aborted {name}; 'git ledger session archive' puts it away\n"
    )


def test_resume_with_conflicts_wants_a_yes(run: Callable[..., Told], repo: Place) -> None:
    started(run)
    run("session", "resume")
    ok(run, "spawn", "Types", "--id", "types", "--path", "../types")
    repo.at("../types").write("half", "1\n")
    code, out, err = run("session", "resume")
    assert code == 4
    assert err.startswith("error: something stands in the way: say how to go on\n")
    assert out.endswith(
        "\nLook at this first\n  phase 1: work of types that was begun and not ended\n    half\n"
    )
    assert run("session", "resume", "--yes")[0] == 0


def test_errors_and_settings(run: Callable[..., Told]) -> None:
    name = started(run)
    assert (
        run("session", "error", "add", "1", "slow", "--type", "timeout")[2]
        == "error 1 of phase 1\n"
    )
    assert (
        run("session", "error", "resolve", "1", "1", "-m", "faster")[2] == "resolved in phase 1\n"
    )
    assert run("session", "set", "--execution-mode", "parallel") == (0, "", "")
    assert run("session", "set")[0] == 2
    assert run("session", "phase", "add", "Deploy", "--blocked-by", "3")[2] == "added phase 4\n"
    told = json.loads(ok(run, "session", "list", "--json"))["sessions"]
    assert [(one["session_id"], one["execution_mode"]) for one in told] == [(name, "parallel")]
    (error,) = told[0]["phases"][0]["errors"]
    assert (error["resolution"], error["resolved"]) == ("faster", True)


def test_context_comes_from_a_handoff_report(run: Callable[..., Told], repo: Place) -> None:
    started(run)
    run("session", "phase", "start", "1")
    repo.write(
        "../report.md",
        "# Part 2\n\n## Key Interfaces Introduced\n\n- `login(user)`\n- `logout()`\n\n"
        "### Patterns Established\n\nOne module\na provider.\n\n## Integration Points\n\nn/a\n\n"
        "- **Assumptions**: cookies are on\n- **Warnings**: None\n",
    )
    assert run("session", "phase", "complete", "1", "--context", "../none.md")[0] == 2
    ok(run, "session", "phase", "complete", "1", "--context", "../report.md")
    shown = json.loads(ok(run, "session", "show", "--json"))["session"]["phases"][0]
    assert shown["downstream_context"] == {
        "key_interfaces_introduced": ["`login(user)`", "`logout()`"],
        "patterns_established": ["One module a provider."],
        "integration_points": [],
        "assumptions": ["cookies are on"],
        "warnings": [],
    }


def test_markers_are_listed(run: Callable[..., Told], repo: Place) -> None:
    assert ok(run, "markers", "--role", "gsd-ui-researcher") == (
        "agent              marker              outcome\n"
        "gsd-ui-researcher  ## UI-SPEC COMPLETE  complete\n".replace("marker  ", "marker   ")
        + "gsd-ui-researcher  ## UI-SPEC BLOCKED   blocked\n"
    )
    assert ok(run, "markers", "--role", "gsd-assumptions-analyzer").splitlines()[1] == (
        "gsd-assumptions-analyzer  no marker  judged by its section '## Assumptions'"
    )
    assert len(json.loads(ok(run, "markers", "--json"))["agents"]) == 23
    repo.write("pyproject.toml", '[tool.gitledger.markers]\nmine = ["## ALL PASSED"]\n')
    assert json.loads(ok(run, "markers", "--role", "mine", "--json"))["agents"] == [
        {
            "agent": "mine",
            "role": "Of this project",
            "markers": [{"marker": "## ALL PASSED", "outcome": "complete"}],
        }
    ]
    repo.write("pyproject.toml", "[tool.gitledger\n")
    assert run("markers")[0] == 2
    assert run("markers", "--role", "nobody")[0] == 2


def test_detect_says_how_it_ended(run: Callable[..., Told], repo: Place) -> None:
    ok(run, "spawn", "Plan", "--id", "p1", "--role", "gsd-planner", "--path", "../p1")
    repo.write("out.md", "Words\n\n## PLANNING COMPLETE\n")
    assert ok(run, "detect", "p1", "--output", "out.md") == (
        "complete, by marker\n  line 3: ## PLANNING COMPLETE (complete)\n"
    )
    assert json.loads(ok(run, "detect", "p1", "--output", "out.md", "--json")) == {
        "schema": "ledger.detect/1",
        "source": "marker",
        "verdict": "complete",
        "evidence": [
            {
                "source": "marker",
                "marker": "## PLANNING COMPLETE",
                "written": "## PLANNING COMPLETE",
                "line": 3,
                "exact": True,
                "outcome": "complete",
            }
        ],
        "warnings": [],
    }
    assert run("detect", "p2", "--output", "out.md")[0] == 2


def test_usage_adds_up(run: Callable[..., Told]) -> None:
    started(run)
    run("session", "phase", "start", "1")
    ok(run, "spawn", "Types", "--id", "t1", "--role", "coder", "--path", "../t1")
    ok(run, "usage", "add", "t1", "--input", "100", "--output", "20", "--tool-uses", "3")
    ok(run, "usage", "add", "t1", "--input", "1", "--cached", "5")
    ok(run, "usage", "add", "--role", "coder", "--input", "10")
    ok(run, "usage", "add", "--role", "reviewer", "--output", "7")
    assert run("usage", "add", "t1")[0] == 2
    assert run("usage", "add", "t1", "--input", "-1")[0] == 2
    assert run("usage", "add", "--role", "coder", "--turns", "1")[0] == 2
    told = json.loads(ok(run, "session", "show", "--json"))["session"]["token_usage"]
    assert told == {
        "total_input": 111,
        "total_output": 27,
        "total_cached": 5,
        "by_agent": {
            "coder": {"input": 111, "output": 20, "cached": 5},
            "reviewer": {"input": 0, "output": 7, "cached": 0},
        },
    }
    assert ok(run, "session", "show", "--as", "terminal").endswith(
        "Tokens\n"
        "  by        input  output  cached\n"
        "  coder       111      20       5\n"
        "  reviewer      0       7       0\n"
        "  all         111      27       5\n"
    )


def test_a_refused_merge_is_an_error_of_the_phase(run: Callable[..., Told], repo: Place) -> None:
    name = started(run)
    run("session", "phase", "start", "1")
    ok(run, "spawn", "Types", "--id", "t1", "--role", "coder", "--path", "../t1")
    active = repo.path / ".git/ledger/hooks" / name / "active-agent"
    assert active.read_text() == "t1\n"
    repo.at("../t1").commit("theirs", f="theirs\n")
    repo.commit("ours", f="ours\n")
    for _ in range(2):
        assert run("merge", "t1")[0] == 1
    (error,) = json.loads(ok(run, "session", "show", "--json"))["session"]["phases"][0]["errors"]
    assert (error["agent"], error["type"], error["message"], error["resolution"]) == (
        "t1",
        "file_conflict",
        "conflicts with 'main' over 'f'",
        "pending",
    )
    ok(run, "fail", "t1", "-m", "given up")
    assert not active.exists()


def test_handoffs_are_checked(run: Callable[..., Told], repo: Place) -> None:
    repo.write("PLAN.md", PLAN)
    assert run("handoff", "check", "plan", "PLAN.md") == (0, "", "PLAN.md lacks nothing\n")
    repo.write("PLAN.md", PLAN.replace("wave: 1\n", ""))
    assert run("handoff", "check", "plan", "PLAN.md") == (
        1,
        "missing: front matter: wave\n",
        "error: PLAN.md lacks 1 part\n",
    )
    whole = SUMMARY.replace("abc1234", repo.git("rev-parse", "--short", "HEAD")).replace(
        "0123456789abcdef0123456789abcdef01234567", repo.git("rev-parse", "HEAD")
    )
    repo.write("SUMMARY.md", whole)
    code, out, _ = run("handoff", "check", "summary", "SUMMARY.md", "--json")
    assert (code, json.loads(out)["missing"]) == (1, ["file src/a.py", "file src/b.py"])
    repo.write("src/a.py", "")
    repo.write("src/b.py", "")
    assert run("handoff", "check", "summary", "SUMMARY.md")[0] == 0
    repo.write("SUMMARY.md", SUMMARY)
    assert json.loads(run("handoff", "check", "summary", "SUMMARY.md", "--json")[1])["missing"] == [
        "commit abc1234",
        "commit 0123456789abcdef0123456789abcdef01234567",
    ]


def test_maestro_in_and_out(run: Callable[..., Told], repo: Place) -> None:
    repo.write("docs/maestro/state/active-session.md", PLAIN)
    assert run("import", "maestro") == (0, "2026-03-24-shared-types\n", "active\n")
    assert run("import", "maestro") == (0, "2026-03-24-shared-types\n", "in the ledger already\n")
    assert ok(run, "export", "maestro") == PLAIN
    ok(run, "export", "maestro", "-o", "out.md")
    assert (repo.path / "out.md").read_text() == PLAIN
    repo.write("docs/maestro/state/active-session.md", PLAIN.replace("medium", "simple"))
    ok(run, "import", "maestro")
    assert "task_complexity: simple" in ok(run, "export", "maestro")
    ok(run, "session", "resume", "--retry")
    assert run("import", "maestro") == (0, "2026-03-24-shared-types\n", "in the ledger already\n")
    repo.write("docs/maestro/state/active-session.md", PLAIN)
    code, _, err = run("import", "maestro")
    assert (code, err.splitlines()[0]) == (
        2,
        "error: session '2026-03-24-shared-types' has gone on in the ledger since it was imported",
    )
    repo.write("other.md", with_phases("  - {id: 1, status: pending}\n"))
    assert run("import", "maestro", "other.md")[2].startswith(
        "error: session '2026-03-24-shared-types' is active\n"
    )
    done = with_phases("  - {id: 1, status: completed}\n").replace("in_progress", "completed")
    repo.write("done.md", done)
    assert run("import", "maestro", "done.md") == (0, "s\n", "archived\n")
    assert ok(run, "export", "maestro", "s") == done
    assert run("session", "verify", "s") == (0, "s: archived\n", "")


def test_bytes_that_are_not_utf8_survive_an_import(run: Callable[..., Told], repo: Place) -> None:
    text = with_phases("  - {id: 1, status: pending}\n").encode() + b"caf\xe9\r\n"
    repo.write("f.md", text)
    ok(run, "import", "maestro", "f.md")
    ok(run, "export", "maestro", "-o", "out.md")
    assert (repo.path / "out.md").read_bytes() == text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["session", "start", "T", "--phases", "none"],
            "cannot read 'none': no such file or directory",
        ),
        (["session", "start", "T", "--design", "/abs.md"], "bad path '/abs.md'"),
        (["session", "show", "nope"], "no one session is meant by 'nope'"),
        (["session", "phase", "start", "1"], "no session is active"),
        (["session", "archive"], "no session is active"),
        (["import", "maestro", "none"], "cannot read 'none': no such file or directory"),
        (["import", "maestro", "f"], "no front matter in 'f'"),
        (["handoff", "check", "plan", "none"], "cannot read 'none': no such file or directory"),
    ],
)
def test_bad_input_is_named_and_changes_nothing(
    run: Callable[..., Told], repo: Place, words: list[str], told: str
) -> None:
    before = sorted(os.listdir(repo.path)), repo.git("for-each-ref")
    code, out, err = run(*words)
    assert (code, out, err.splitlines()[0]) == (2, "", f"error: {told}")
    assert (sorted(os.listdir(repo.path)), repo.git("for-each-ref")) == before
