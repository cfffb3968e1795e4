"""`git ledger verify`: each way in which a log can be wrong is named, and a good one is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.model.event import make_line
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.store import logs

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support import Place

LOG = "refs/ledger/agents/a/log"


@pytest.fixture
def ledger(repo: Place) -> Place:
    """An agent whose log has three lines, and a commit of its own."""
    here = discover(str(repo.path))
    spawn(here, Order("work", "a", "a", str(repo.path.parent / "a")))
    for title in ("work", "more work"):
        logs.append(here, LOG, lambda _, title=title: [("set", {"title": title})])
    repo.at("../a").commit("one", x="1")
    return repo


def lines(repo: Place) -> list[str]:
    return repo.git("cat-file", "blob", LOG).splitlines()


def put(repo: Place, content: str) -> None:
    blob = repo.run("git", "hash-object", "-w", "--stdin", stdin=content.encode()).stdout.strip()
    repo.git("update-ref", LOG, blob)


def told(repo: Place) -> list[str]:
    found = verify(discover(str(repo.path)))
    return [f"{one.ref.rpartition('/')[2]}:{one.line or ''}: {one.what}" for one in found.faults]


def test_nothing_is_wrong(ledger: Place) -> None:
    done = ledger.ledger("verify")
    words = "1 log, 3 events, 0 notes: nothing is wrong\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", words)


def short(repo: Place, number: int) -> str:
    line = lines(repo)[number]
    return repo.run("git", "hash-object", "--stdin", stdin=line.encode()).stdout[:12]


def change(repo: Place) -> str:
    was = short(repo, 1)
    one, two, three = lines(repo)
    put(repo, "\n".join([one, two.replace('"title":"work"', '"title":"play"'), three, ""]))
    return f"log:3: it comes after {was}, which is changed or missing"


def leave_out(repo: Place) -> str:
    was = short(repo, 1)
    one, _, three = lines(repo)
    put(repo, f"{one}\n{three}\n")
    return f"log:2: it comes after {was}, which is changed or missing"


def double(repo: Place) -> str:
    put(repo, "\n".join([*lines(repo), lines(repo)[2], ""]))
    return f"log:3: event {short(repo, 2)} is there 2 times"


def begin_twice(repo: Place) -> str:
    another = make_line("set", (), {"title": "x"}).decode()
    put(repo, "\n".join([*lines(repo), another, ""]))
    return "log:4: a second beginning"


def break_a_line(repo: Place) -> str:
    put(repo, "\n".join([*lines(repo), '{"v":1', ""]))
    return "log:4: not JSON: Expecting ',' delimiter: line 1 column 7 (char 6)"


def cut_off(repo: Place) -> str:
    put(repo, "\n".join(lines(repo)))
    return "log:3: the last line is cut off"


def rename(repo: Place) -> str:
    put(repo, "\n".join([line.replace('"id":"a"', '"id":"b"') for line in lines(repo)[:1]] + [""]))
    return "log:: it is the log of 'b'"


@pytest.mark.parametrize(
    "harm", [change, leave_out, double, begin_twice, break_a_line, cut_off, rename]
)
def test_a_log_that_was_tampered_with(ledger: Place, harm: Callable[[Place], str]) -> None:
    expected = harm(ledger)
    found = told(ledger)
    assert expected in found
    assert ledger.ledger("verify").returncode == 1


def test_a_step_that_the_lifecycle_does_not_allow(ledger: Place) -> None:
    here = discover(str(ledger.path))
    logs.append(here, LOG, lambda _: [("completed", {}), ("reported", {})])
    (only,) = told(ledger)
    assert only.startswith(f"log:: event {short(ledger, 4)}: ")


@pytest.mark.parametrize(
    ("commands", "fault"),
    [
        (["update-ref -d refs/ledger/agents/a/note"], "note:: it is missing: no hook can record for this agent"),
        (["update-ref refs/ledger/agents/a/head HEAD^{tree}"], "head:: it names a tree, not a commit"),
        (["update-ref refs/ledger/agents/b/head HEAD"], "head:: there is no log beside it"),
        (
            [f"update-ref refs/ledger/archive/agents/a/log {LOG}"],
            "log:: it is archived too",
        ),
        (
            ["update-ref refs/notes/ledger/worktrees/a HEAD"],
            None,
        ),
        (
            ["commit --allow-empty -q -m two", "update-ref refs/notes/ledger/worktrees/a HEAD"],
            "a:: it is no commit without a parent: not written by the ledger",
        ),
        (
            ["-C ../a symbolic-ref refs/worktree/ledger/agent refs/ledger/agents/gone/log"],
            "agent:: it points to 'refs/ledger/agents/gone/log', which is no log",
        ),
    ],
)  # fmt: skip
def test_refs_that_do_not_fit(ledger: Place, commands: list[str], fault: str | None) -> None:
    for words in commands:
        ledger.git(*words.split())
    assert told(ledger) == ([fault] if fault else [])


def test_json(ledger: Place) -> None:
    break_a_line(ledger)
    done = ledger.ledger("verify", "--json")
    assert done.returncode == 1
    what = "not JSON: Expecting ',' delimiter: line 1 column 7 (char 6)"
    assert json.loads(done.stdout) == {
        "schema": "ledger.verify/1",
        "logs": 1,
        "events": 3,
        "notes": 0,
        "faults": [{"ref": LOG, "what": what, "line": 4}],
    }
