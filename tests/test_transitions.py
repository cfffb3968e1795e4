"""Every status met with every command: what is allowed, and what is refused how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.cli import main
from gitledger.git.repository import discover
from gitledger.model.names import agent_ref
from gitledger.services.find import find
from gitledger.services.live import look
from gitledger.services.snapshots import snapshots
from gitledger.store import logs

if TYPE_CHECKING:
    from tests.support import Place

SPAWNED = ("spawned", {"id": "x", "title": "The task"})
# How each status comes about.
LIVES = {
    "queued": [("queued", {"id": "x", "title": "The task", "group": "g"})],
    "spawned": [SPAWNED],
    "awaiting-review": [SPAWNED, ("reported", {})],
    "interrupted": [SPAWNED, ("interrupted", {})],
    "resumed": [SPAWNED, ("interrupted", {}), ("resumed", {})],
    "completed": [SPAWNED, ("completed", {})],
    "failed": [SPAWNED, ("failed", {})],
}
COMMANDS = {
    "start": ["start", "x"],
    "report": ["report", "x", "-m", "words"],
    "revise": ["revise", "x", "-m", "words"],
    "interrupt": ["interrupt", "x", "-m", "words"],
    "resume": ["resume", "x"],
    "resume --yes": ["resume", "x", "--yes"],
    "complete": ["complete", "x", "-m", "words"],
    "close --accepted": ["close", "x", "--accepted", "-m", "words"],
    "merge": ["merge", "x"],
    "fail": ["fail", "x", "-m", "words"],
    "close --rejected": ["close", "x", "--rejected", "-m", "words"],
    "abandon": ["abandon", "x", "-m", "words"],
    "retry": ["retry", "x", "--id", "y"],
}
# (status, command): the kinds of event written, and the status after.
GIVE_UP = {"fail": "failed", "close --rejected": "failed", "abandon": "failed"}
ACCEPT = {"complete": "completed", "close --accepted": "completed"}
ALLOWED: dict[tuple[str, str], tuple[list[str], str]] = {
    ("queued", "start"): (["spawned"], "spawned"),
    ("spawned", "report"): (["reported"], "awaiting-review"),
    ("resumed", "report"): (["reported"], "awaiting-review"),
    ("interrupted", "report"): (["resumed", "reported"], "awaiting-review"),
    ("awaiting-review", "revise"): (["revised"], "spawned"),
    ("spawned", "interrupt"): (["interrupted"], "interrupted"),
    ("resumed", "interrupt"): (["interrupted"], "interrupted"),
    ("interrupted", "resume"): (["resumed"], "resumed"),
    ("interrupted", "resume --yes"): (["resumed"], "resumed"),
    ("spawned", "resume --yes"): (["interrupted", "resumed"], "resumed"),
    ("resumed", "resume --yes"): (["interrupted", "resumed"], "resumed"),
    ("completed", "retry"): ([], "completed"),
    ("failed", "retry"): ([], "failed"),
    **{
        (status, command): ([after], after)
        for status in ("spawned", "resumed", "awaiting-review", "interrupted")
        for command, after in {**ACCEPT, **GIVE_UP}.items()
    },
    **{("queued", command): ([after], after) for command, after in GIVE_UP.items()},
}
UNSURE = {("spawned", "resume"), ("resumed", "resume")}  # exit 4: nothing proves a cut
MERGEABLE = ("spawned", "resumed", "awaiting-review", "interrupted")  # nothing to merge here
TAKES = {
    "start": "queued",
    "report": "spawned, resumed, interrupted",
    "revise": "awaiting-review",
    "interrupt": "spawned, resumed",
    "resume": "interrupted",
    "complete": "spawned, resumed, awaiting-review, interrupted",
    "close --accepted": "spawned, resumed, awaiting-review, interrupted",
    "merge": "spawned, resumed, awaiting-review, interrupted",
    "fail": "queued, spawned, resumed, awaiting-review, interrupted",
    "close --rejected": "queued, spawned, resumed, awaiting-review, interrupted",
    "abandon": "queued, spawned, resumed, awaiting-review, interrupted",
    "retry": "completed, failed",
}
ENDINGS = "complete, close --accepted, merge, fail, close --rejected, abandon"
TAKEN_BY = {
    "queued": "start, fail, close --rejected, abandon",
    "spawned": f"report, interrupt, {ENDINGS}",
    "resumed": f"report, interrupt, {ENDINGS}",
    "awaiting-review": f"revise, {ENDINGS}",
    "interrupted": f"report, resume, {ENDINGS}",
    "completed": "retry",
    "failed": "retry",
}
PAIRS = [(status, command) for status in LIVES for command in COMMANDS]


@pytest.fixture
def run(repo: Place, monkeypatch, capsys):
    """`git ledger WORDS` in the repository, in this process: exit code, stderr."""
    for name, value in repo.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.path)

    def ran(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        code = main.run(words)
        return code, capsys.readouterr().err

    return ran


def live(repo: Place, status: str) -> list[str]:
    """Make the agent `x` with that status, without a worktree; the kinds of its events."""
    seen = discover(str(repo.path))
    logs.append(seen, agent_ref("x", "log"), lambda _: LIVES[status])
    return kinds(repo)


def kinds(repo: Place) -> list[str]:
    return [one.kind for one in logs.read(discover(str(repo.path)), agent_ref("x", "log")).events]


def taken(repo: Place) -> dict:
    view = look(discover(str(repo.path)))
    return snapshots(view, [find(view, "x")])[0]


@pytest.mark.parametrize(("status", "command"), ALLOWED)
def test_allowed(repo: Place, run, status: str, command: str) -> None:
    before = live(repo, status)
    was = taken(repo)
    code, said = run(*COMMANDS[command])
    assert code == 0, said
    written, after = ALLOWED[status, command]
    assert kinds(repo) == [*before, *written]
    now = taken(repo)
    changed = {name for name in {*was, *now} if was.get(name) != now.get(name)}
    assert now["status"] == after
    assert changed - {"status", "state"} == _changes(command, written)


def _changes(command: str, written: list[str]) -> set[str]:
    """The fields of the snapshot that a command may change beside status and state."""
    found: set[str] = set()
    if command == "start":
        found |= {"spawned_at", "spawn_commit", "head", "branch", "worktree"}
    if "reported" in written:
        found |= {"iteration", "summary"}
    if "resumed" in written:
        found |= {"resumes"}
    if {"completed", "failed"} & set(written):
        found |= {"completed_at", "summary" if "completed" in written else "error"}
    return found


@pytest.mark.parametrize(
    ("status", "command"),
    [pair for pair in PAIRS if pair not in ALLOWED and pair not in UNSURE]
)  # fmt: skip
def test_refused(repo: Place, run, status: str, command: str) -> None:
    before = live(repo, status)
    refs = repo.git("for-each-ref")
    code, said = run(*COMMANDS[command])
    assert code == 2, said
    assert said.startswith(_refusal(status, command))
    assert kinds(repo) == before
    assert repo.git("for-each-ref") == refs
    assert repo.git("worktree", "list").count("\n") == 0


def _refusal(status: str, command: str) -> str:
    verb = command.removesuffix(" --yes")
    if status == "completed" and verb == "resume":
        return "error: cannot resume 'x': it is completed, since 20"
    if status in MERGEABLE and verb == "merge":
        return "error: "  # the transition is allowed; there is no branch to merge
    return (
        f"error: cannot {verb} 'x': it is {status}, and {verb} takes {TAKES[verb]}\n"
        f"hint: an agent that is {status} takes: {TAKEN_BY[status]}\n"
    )


@pytest.mark.parametrize(("status", "command"), sorted(UNSURE))
def test_without_evidence_it_asks_first(repo: Place, run, status: str, command: str) -> None:
    before = live(repo, status)
    assert run(*COMMANDS[command]) == (
        4,
        f"error: 'x' is not resumed: it is {status}, and nothing proves that it was cut off\n"
        "hint: give --yes to resume it\n",
    )
    assert kinds(repo) == before


def test_the_table_is_whole() -> None:
    assert {status for status, _ in ALLOWED} | {"failed"} == set(LIVES)
    assert len(PAIRS) == len(LIVES) * len(COMMANDS)
