"""`list show log current complete fail close` as a user types them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from gitledger.cli import agent_view
from gitledger.model.agent import Agent
from gitledger.model.snapshot import Facts, snapshot
from gitledger.services.roster import Filter, since, tree
from tests.support import Place

OID = re.compile(r"\b[0-9a-f]{10}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d( \((?:\w+ ago|just now)\))?")


@pytest.fixture
def one(repo: Place) -> Place:
    """The worktree of an agent `one` with two commits and an untracked file."""
    spawned = repo.ledger("spawn", "Parse dates strictly", "--id", "one", "--role", "coder")
    assert spawned.returncode == 0, spawned.stderr
    work = Place(repo.path.parent / "repo-one", repo.env)
    work.commit("dates: strict", dates="1\n2\n")
    work.commit("more", f="changed\n")
    work.write("untracked", "x\n")
    return work


def document(place: Place, *words: str) -> dict:
    done = place.ledger(words[0], "--json", *words[1:])
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_list_and_show_tell_what_no_hook_saw(one: Place) -> None:
    base, head = one.git("rev-parse", "HEAD~2"), one.git("rev-parse", "HEAD")
    listed = document(one, "list")
    agent = listed["agents"][0]
    spawned_at = agent["spawned_at"]
    assert listed == {
        "schema": "ledger.list/1",
        "agents": [
            {
                "snapshot_version": "1.0",
                "id": "one",
                "title": "Parse dates strictly",
                "slug": "parse-dates-strictly",
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
                "files_modified": ["dates", "f"],
                "role": "coder",
                "branch": "agent/one",
                "worktree": str(one.path),
                "spawn_commit": base,
                "head": head,
                "target": "main",
                "spawned_at": spawned_at,
            }
        ],
    }
    assert document(one, "show", "one") == {
        "schema": "ledger.agent/1",
        "agent": agent,
        "work": {
            "branch": "agent/one",
            "worktree": str(one.path),
            "base": base,
            "head": head,
            "commits": [
                {"commit": head, "subject": "more"},
                {"commit": one.git("rev-parse", "HEAD~1"), "subject": "dates: strict"},
            ],
            "files": [
                {"path": "dates", "change": "created"},
                {"path": "f", "change": "modified"},
            ],
            "insertions": 3,
            "deletions": 10,
            "diff_stat": (
                " dates |  2 ++\n f     | 11 +----------\n"
                " 2 files changed, 3 insertions(+), 10 deletions(-)"
            ),
            "dirty": True,
        },
    }


def test_show_for_a_person(one: Place) -> None:
    shown = one.ledger("show")
    told = TIME.sub("TIME", OID.sub("OID", shown.stdout))
    assert (shown.returncode, shown.stderr) == (0, "")
    assert told == (
        "one  Parse dates strictly\n"
        "  status    spawned\n"
        "  role      coder\n"
        "  branch    agent/one -> main\n"
        f"  worktree  {one.path} (here)\n"
        "  started   TIME from OID\n"
        "\n"
        "  2 commits, 2 files, +3 -10, uncommitted changes\n"
        "    OID dates: strict\n"
        "    OID more\n"
        "\n"
        "    dates |  2 ++\n"
        "    f     | 11 +----------\n"
        "    2 files changed, 3 insertions(+), 10 deletions(-)\n"
    )


def test_a_life_in_order(one: Place) -> None:
    one.ledger("complete", "-m", "dates are strict")
    told = one.ledger("log").stdout.splitlines()
    assert [TIME.sub("TIME", OID.sub("OID", line)) for line in told] == [
        "TIME  spawned    Parse dates strictly on agent/one",
        "TIME  commit     OID dates: strict",
        "TIME  commit     OID more",
        "TIME  completed  dates are strict",
    ]
    events = document(one, "log")
    assert [event["kind"] for event in events["events"]] == ["spawned", "completed"]
    assert events["events"][1]["head"] == one.git("rev-parse", "HEAD")


def test_current_until_the_end(one: Place) -> None:
    assert one.ledger("current").stdout == "one\n"
    done = one.ledger("complete")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "completed one\n")
    ended = one.ledger("current")
    assert (ended.returncode, ended.stdout) == (1, "")


def test_what_ended_is_told_as_its_end_froze_it(repo: Place, one: Place) -> None:
    closed = document(one, "close", "--rejected", "-m", "not what was asked")
    assert (closed["agent"]["status"], closed["agent"]["error"]) == ("failed", "not what was asked")
    late = one.commit("after the end", late="1\n")
    again = document(repo, "show", "one")
    assert again["agent"] == closed["agent"]
    assert again["work"] == {
        **closed["work"],
        "dirty": False,
        "late_commits": [{"commit": late, "subject": "after the end"}],
    }
    assert "  1 commit made after its end\n" in repo.ledger("show", "one").stdout
    assert repo.ledger("log", "one").stdout.endswith(
        f" {late[:10]} after the end (after the end)\n"
    )
    repo.ledger("reconcile")
    repo.git("merge", "-q", "--no-edit", "agent/one")
    assert document(repo, "show", "one") == again


@pytest.mark.usefixtures("one")
@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("show", "two"), "unknown agent 'two'", "the most recent: one"),
        (("complete", "nobody"), "unknown agent 'nobody'", "the most recent: one"),
        (("close", "one"), "accepted or rejected?", "say --accepted or --rejected"),
        (
            ("list", "--since", "yesterday"),
            "'yesterday' is no time",
            "write it as 30m, 2h, 3d, 2026-01-15 or 2026-01-15T14:00:00Z",
        ),
    ],
)
def test_bad_input(repo: Place, words, error, hint) -> None:
    repo.ledger("reconcile")
    before = repo.git("for-each-ref", "refs/ledger")
    done = repo.ledger(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {error}\nhint: {hint}\n"
    assert repo.git("for-each-ref", "refs/ledger") == before


def test_no_agent_here(repo: Place) -> None:
    done = repo.ledger("show")
    assert (done.returncode, done.stderr) == (
        2,
        "error: no agent works in this worktree\nhint: name one: 'git ledger list' shows them\n",
    )


def test_close_remove_loses_nothing(repo: Place, one: Place) -> None:
    dirty = repo.ledger("close", "one", "--accepted", "--remove")
    assert (dirty.returncode, dirty.stderr.splitlines()[0]) == (
        4,
        f"error: '{one.path}' has uncommitted changes",
    )
    (one.path / "untracked").unlink()
    unmerged = repo.ledger("close", "one", "--accepted", "--remove")
    assert (unmerged.returncode, unmerged.stderr.splitlines()[0]) == (
        4,
        "error: 'agent/one' is not merged into 'main'",
    )
    assert document(repo, "show", "one")["agent"]["status"] == "spawned"
    repo.git("merge", "-q", "--no-edit", "agent/one")
    head = one.git("rev-parse", "HEAD")
    assert repo.ledger("close", "one", "--accepted", "--remove").returncode == 0
    assert not one.path.exists()
    assert repo.git("branch", "--list", "agent/one") == ""
    assert repo.git("rev-parse", "ledger/agents/one/head") == head
    assert document(repo, "show", "one")["agent"]["files_modified"] == ["dates", "f"]


@pytest.mark.usefixtures("one")
def test_merged_while_the_worktree_stands(repo: Place) -> None:
    repo.ledger("reconcile")
    repo.commit("m", m="1\n")
    repo.git("merge", "-q", "--no-ff", "--no-edit", "agent/one")
    merge = repo.git("rev-parse", "HEAD")
    repo.commit("later", later="1\n")
    agent = document(repo, "list")["agents"][0]
    assert agent["status"] == "spawned"
    assert agent["merged"] == {"into": "main", "commit": merge}
    assert agent["files_modified"] == ["dates", "f"]


def rows(*given: tuple[str, dict, Facts]) -> list:
    told = (
        Agent(**{"id": name, "title": f"the title of {name}", "status": "spawned", **fields})
        for name, fields, _ in given
    )
    return [snapshot(agent, facts) for agent, (_, _, facts) in zip(told, given, strict=True)]


LISTED = rows(
    ("boss", {"role": "lead"}, Facts(branch="agent/boss")),
    (
        "worker-1",
        {"parent": "boss", "status": "awaiting-review", "iteration": 4, "group": "g"},
        Facts(branch="topic/one", files=["a", "b"]),
    ),
    ("worker-1-1", {"parent": "worker-1", "status": "failed"}, Facts()),
    ("lost", {"parent": "gone"}, Facts(merged={"into": "main", "commit": "c"})),
    ("circle-1", {"parent": "circle-2"}, Facts()),
    ("circle-2", {"parent": "circle-1"}, Facts()),
)


def test_the_tree_shows_who_spawned_whom(capsys, monkeypatch) -> None:
    monkeypatch.setattr(agent_view, "age", lambda _: "3h")
    agent_view.print_list(tree(LISTED))
    assert capsys.readouterr().out.splitlines() == [
        "STATUS           AGENT           BRANCH     GROUP  REPORTS  FILES  AGE  TITLE",
        "spawned          boss                                       -      3h   the title of boss",
        "awaiting-review  └ worker-1      topic/one  g      4 churn  2      3h   the title of worker-1",
        "failed             └ worker-1-1                             -      3h   the title of worker-1-1",
        "spawned, merged  lost                                       -      3h   the title of lost",
        "spawned          circle-1                                   -      3h   the title of circle-1",
        "spawned          └ circle-2                                 -      3h   the title of circle-2",
    ]


def test_times_that_since_takes() -> None:
    now = datetime(2026, 1, 15, 14, tzinfo=UTC)
    assert since("30m", now) == "2026-01-15T13:30:00.000000Z"
    assert since("1w", now) == "2026-01-08T14:00:00.000000Z"
    assert since("2026-01-15T14:00:00+02:00") == "2026-01-15T12:00:00.000000Z"


def test_on_a_narrow_terminal_what_matters_least_gives_way(capsys, monkeypatch) -> None:
    monkeypatch.setattr(agent_view, "age", lambda _: "3h")
    seen = {}
    for columns in (44, 60, 80):
        monkeypatch.setattr("gitledger.cli.terminal.line_width", lambda columns=columns: columns)
        agent_view.print_list([(0, one) for one in LISTED[:3]])
        seen[columns] = capsys.readouterr().out.splitlines()
    assert all(len(line) <= columns for columns, lines in seen.items() for line in lines)
    assert seen == {
        44: [
            "STATUS    AGENT     REPORTS  FILES  TITLE",
            "spawned   boss               -      the tit…",
            "awaitin…  worker-1  4 churn  2      the tit…",
            "failed    worker-…           -      the tit…",
        ],
        60: [
            "STATUS           AGENT       REPORTS  FILES  TITLE",
            "spawned          boss                 -      the title of b…",
            "awaiting-review  worker-1    4 churn  2      the title of w…",
            "failed           worker-1-1           -      the title of w…",
        ],
        80: [
            "STATUS           AGENT       REPORTS  FILES  AGE  TITLE",
            "spawned          boss                 -      3h   the title of boss",
            "awaiting-review  worker-1    4 churn  2      3h   the title of worker-1",
            "failed           worker-1-1           -      3h   the title of worker-1-1",
        ],
    }


FILTERED = rows(
    ("a", {"role": "coder", "phase": "1", "group": "g", "spawned_at": "2026-01-02"}, Facts()),
    ("b", {"status": "failed", "plan": "2", "iteration": 4, "spawned_at": "2026-01-01"}, Facts()),
    ("c", {"status": "resumed", "parent": "a", "queued_at": "2026-01-03"}, Facts()),
)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({}, "abc"),
        ({"statuses": ("spawned", "failed")}, "ab"),
        ({"states": ("running",)}, "ac"),
        ({"states": ("running",), "statuses": ("resumed",)}, "c"),
        ({"groups": ("g",)}, "a"),
        ({"in_group": True}, "a"),
        ({"roles": ("coder", "writer")}, "a"),
        ({"phases": ("1",), "plans": ("2",)}, ""),
        ({"plans": ("2",)}, "b"),
        ({"parents": ("a",)}, "c"),
        ({"churn": True}, "b"),
        ({"since": "2026-01-02"}, "ac"),
    ],
)
def test_filters(wanted, ids) -> None:
    chosen = Filter(**wanted)
    assert "".join(one["id"] for one in FILTERED if chosen.takes(one)) == ids


@pytest.mark.parametrize("name", ["exec/16-03 second", "Ünïcode", "x" * 150, "a..b", "-n"])
def test_foreign_ids_are_kept_word_for_word(repo: Place, name: str) -> None:
    spawned = repo.ledger("spawn", "A task", "--id", name)
    assert spawned.returncode == 0, spawned.stderr
    work = Place(repo.path.__class__(spawned.stdout.strip()), repo.env)
    work.commit("mine", mine="1\n")
    shown = document(repo, "show", "--", name)["agent"]
    assert (shown["id"], shown["files_modified"]) == (name, ["mine"])
    assert work.ledger("current").stdout == f"{name}\n"
    assert work.ledger("report", "-m", "done").returncode == 0
    assert repo.ledger("complete", "--", name).returncode == 0
    assert repo.ledger("prune", "--max", "0").stdout == f"archived {name}\n"
    assert document(repo, "show", "--", name)["agent"]["status"] == "completed"
    assert repo.is_clean_for_fsck()


def test_a_log_with_a_line_that_cannot_be_read(repo: Place, one: Place) -> None:
    ref = "refs/ledger/agents/one/log"
    log = repo.git("cat-file", "blob", ref)
    repo.write("log", f"{log}\n{{half a line\n")
    repo.git("update-ref", ref, repo.git("hash-object", "-w", "log"))
    shown = one.ledger("show", "one")
    assert shown.returncode == 0
    assert shown.stdout.startswith("one  Parse dates strictly\n")
    assert shown.stderr == (
        "warning: 1 line of the log of 'one' can't be read: 'git ledger verify' says which\n"
    )
    assert [agent["id"] for agent in document(repo, "list")["agents"]] == ["one"]
    assert one.ledger("report", "-m", "goes on").returncode == 0
    assert "half a line" in repo.git("cat-file", "blob", ref)
