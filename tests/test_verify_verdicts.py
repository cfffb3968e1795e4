"""`git ledger verify --verdicts`: what was decided is derived again, and a lie is found."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.git.repository import discover
from gitledger.git.together import WIDTH
from gitledger.services import deriving
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.store import logs
from tests.support import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.model.event import Event
    from gitledger.services.verdicts import Verdict


def agent(repo: Place, name: str, number: int, words: str | None = None) -> Place:
    """An agent with one commit that changes line `number` of the file `f`."""
    where = repo.path.parent / name
    spawn(discover(str(repo.path)), Order("work", name, name, str(where)))
    place = Place(where, repo.env)
    place.commit(f"work of {name}", f=lines(number, words or name))
    return place


def lines(number: int, words: str) -> str:
    return "".join(f"{words if n == number else f'line {n}'}\n" for n in range(1, 11))


def log_of(name: str, place: str = "agents") -> str:
    return f"refs/ledger/{place}/{name}/log"


def checked(repo: Place, name: str) -> list[Event]:
    found = logs.read(discover(str(repo.path)), log_of(name)).events
    return [one for one in found if one.kind == "checked"]


def tell(repo: Place, name: str, **changes: Any) -> str:
    """One more event in an agent's log, the chain whole: the last verdict, with changes; its id."""
    body = {key: value for key, value in checked(repo, name)[-1].body.items() if key not in COMMON}
    told = {key: value for key, value in {**body, **changes}.items() if value is not ...}
    here = discover(str(repo.path))
    return logs.append(here, log_of(name), lambda _: [("checked", told)])[0].id


COMMON = {"v", "kind", "at", "prev", "nonce"}


def found(repo: Place) -> list[Verdict]:
    told = verify(discover(str(repo.path)), lambda *_: None)
    assert told.verdicts is not None
    return told.verdicts


def last(repo: Place) -> tuple[str, list[str], str | None]:
    """How the last verdict came out: status, fields, reason."""
    one = found(repo)[-1].found
    return one.status, [each.field for each in one.differences], one.reason


def run(repo: Place, *words: str) -> tuple[int, str, str]:
    done = repo.ledger("verify", "--verdicts", *words)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def two(repo: Place) -> Place:
    """Agent `a` was merged; `b`, over the same line, was refused."""
    agent(repo, "a", 5)
    agent(repo, "b", 5)
    assert repo.ledger("merge", "a").returncode == 0
    assert repo.ledger("merge", "b").returncode == 1
    return repo


def test_what_merge_decided_is_derived_again(two: Place) -> None:
    words = "2 logs, 5 events, 2 notes: nothing is wrong\n2 verdicts: 2 same\n"
    assert run(two) == (0, "", words)


def test_without_a_verdict_there_is_nothing_to_derive(repo: Place) -> None:
    assert run(repo) == (0, "", "0 logs, 0 events, 0 notes: nothing is wrong\n0 verdicts\n")


def test_json(two: Place) -> None:
    b = tell(two, "b", verdict="clean")
    code, out, err = run(two, "--json")
    conflict = checked(two, "b")[0]
    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "schema": "ledger.verify/1",
        "logs": 2,
        "events": 6,
        "notes": 2,
        "faults": [
            {
                "ref": log_of("b"),
                "line": 3,
                "what": f"event {b[:12]} of 'b': verdict 'clean' on record, 'conflict' derived",
            }
        ],
        "verdicts": [
            {
                "ref": log_of("a"),
                "line": 2,
                "event": checked(two, "a")[0].id,
                "agent": "a",
                "status": "same",
                "differences": [],
            },
            {
                "ref": log_of("b"),
                "line": 2,
                "event": conflict.id,
                "agent": "b",
                "status": "same",
                "differences": [],
            },
            {
                "ref": log_of("b"),
                "line": 3,
                "event": b,
                "agent": "b",
                "status": "differs",
                "differences": [{"field": "verdict", "recorded": "clean", "derived": "conflict"}],
            },
        ],
        "verdict_counts": {"same": 2, "differs": 1, "not-derivable": 0},
    }


def test_a_lie_is_found_though_the_chain_of_the_log_is_whole(two: Place) -> None:
    tree, base = two.git("rev-parse", "main^{tree}"), two.git("rev-parse", "main")
    true = checked(two, "b")[0].body
    lie = tell(two, "b", verdict="overlap", tree=tree, bases=[base], paths=...)
    words = (
        f"{log_of('b')}, line 3: event {lie[:12]} of 'b': "
        f"verdict 'overlap' on record, 'conflict' derived; "
        f"bases '{base}' on record, '{true['bases'][0]}' derived; "
        f"tree '{tree}' on record, '{true['tree']}' derived\n"
    )
    last = "2 logs, 6 events, 2 notes: 1 fault\n3 verdicts: 2 same, 1 differs\n"
    assert run(two) == (1, words, last)
    assert two.ledger("verify").returncode == 0


def test_a_setting_that_was_changed_since_explains_it(repo: Place) -> None:
    """A file is added to a directory that main has renamed: git follows only when told to."""
    repo.write("src/one", "1\n")
    repo.commit("a directory")
    linked = agent(repo, "a", 5)
    linked.write("src/two", "2\n")
    linked.commit("another file")
    repo.git("mv", "src", "lib")
    repo.commit("renamed")
    repo.git("config", "merge.directoryRenames", "true")
    assert repo.ledger("merge", "a").returncode == 0
    assert run(repo)[0] == 0
    repo.git("config", "--unset", "merge.directoryRenames")
    one = checked(repo, "a")[0]
    words = (
        f"{log_of('a')}, line 2: event {one.id[:12]} of 'a': "
        "verdict 'clean' on record, 'conflict' derived "
        "(but merge.directoryrenames was 'true', is unset)\n"
    )
    err = "1 log, 3 events, 2 notes: nothing is wrong\n1 verdict: 1 can't be derived\n"
    assert run(repo) == (3, words, err)


def test_a_commit_that_is_gone_is_named(two: Place) -> None:
    b, tip = checked(two, "b")[0], two.git("rev-parse", "b")
    for ref in ("refs/heads/b", "refs/ledger/agents/b/head"):
        two.git("update-ref", "-d", ref)
    two.git("worktree", "remove", "--force", "../b")
    two.git("reflog", "expire", "--expire=now", "--all")
    two.git("update-ref", "-d", "refs/notes/ledger/worktrees/b")
    two.git("gc", "-q", "--prune=now")
    words = (
        f"{log_of('b')}, line 2: event {b.id[:12]} of 'b': "
        f"can't be derived: commit {tip} (theirs) is missing\n"
    )
    err = "2 logs, 5 events, 1 note: nothing is wrong\n2 verdicts: 1 same, 1 can't be derived\n"
    assert run(two) == (3, words, err)


def test_an_event_that_can_not_be_asked_about(two: Place) -> None:
    tree = two.git("rev-parse", "main^{tree}")
    table: list[tuple[dict[str, Any], str]] = [
        ({"verdict": ...}, "no verdict is on record"),
        ({"ours": ...}, "'ours' is no commit's id"),
        ({"theirs": "HEAD"}, "'theirs' is no commit's id"),
        ({"theirs": ["x"]}, "'theirs' is no commit's id"),
        ({"ours": tree}, f"{tree} (ours) is a tree, no commit"),
        ({"ours": "1" * 40}, f"commit {'1' * 40} (ours) is missing"),
    ]
    true = checked(two, "b")[-1].body
    for changes, _ in table:
        tell(two, "b", **{**{key: true[key] for key in ("ours", "theirs", "verdict")}, **changes})
    told = [one.found for one in found(two)]
    assert [one.status for one in told] == ["same", "same", *["not-derivable"] * len(table)]
    assert [one.reason for one in told[2:]] == [reason for _, reason in table]


def test_a_fault_goes_before_what_can_not_be_told(two: Place) -> None:
    tell(two, "b", verdict="clean")
    tell(two, "b", ours="1" * 40)
    code, _, err = run(two)
    assert code == 1
    assert err.endswith("4 verdicts: 2 same, 1 differs, 1 can't be derived\n")


def test_an_archived_log_is_derived_too(two: Place) -> None:
    tell(two, "a", verdict="conflict", paths=[{"path": "f", "kind": "contents"}])
    two.git("worktree", "remove", "--force", "../a")
    done = two.ledger("prune", "--max", "0")
    assert done.returncode == 0, done.stderr
    assert two.git("for-each-ref", "--format=%(refname)", "refs/ledger/archive/agents/a/log")
    one = found(two)[-1]
    assert (one.recorded.ref, one.recorded.agent) == (log_of("a", "archive/agents"), "a")
    assert (one.found.status, run(two)[0]) == ("differs", 1)


def test_the_gates_verdicts_are_derived_too(repo: Place) -> None:
    repo.git("config", "ledger.gate", "block")
    assert repo.ledger("init", "--gates").returncode == 0
    linked = agent(repo, "a", 5)
    repo.commit("main too", f=lines(5, "main"))
    assert repo.run("git", "merge", "-q", "--no-edit", "-X", "ours", "a").returncode == 1
    repo.git("merge", "--abort")
    linked.write("f", lines(6, "more"))
    linked.git("add", "f")
    assert linked.run("git", "commit", "-qm", "stopped").returncode == 1
    linked.git("reset", "-q", "--hard")
    linked.git("init", "-q", "--bare", "../remote")
    assert linked.run("git", "push", "-q", "../remote", "a").returncode == 1
    assert [one.body["by"] for one in checked(repo, "a")] == [
        "pre-merge-commit",
        "pre-commit",
        "pre-push",
    ]
    assert [one.found.status for one in found(repo)] == ["same"] * 3
    repo.git("gc", "-q", "--prune=now")
    gone = checked(repo, "a")[1].body["theirs"]
    assert [(one.found.status, one.found.reason) for one in found(repo)] == [
        ("same", None),
        ("not-derivable", f"commit {gone} (theirs) is missing"),
        ("same", None),
    ]


def test_what_was_left_to_git_is_derived_like_any_other(two: Place) -> None:
    assert two.ledger("merge", "b", "--override").returncode == 1
    assert [one.body["decision"] for one in checked(two, "b")] == ["refused", "override"]
    assert [one.found.status for one in found(two)] == ["same"] * 3


def test_unrelated_histories_are_unknown_again(two: Place) -> None:
    two.git("checkout", "-q", "--orphan", "other")
    two.commit("another root")
    assert two.ledger("merge", "b", "--onto", "other").returncode == 3
    assert checked(two, "b")[-1].body["reason"] == "no merge base: unrelated histories"
    assert last(two) == ("same", [], None)
    tell(two, "b", verdict="clean", reason=...)
    assert last(two) == ("differs", ["verdict"], None)


def test_a_target_that_was_gone_is_told(two: Place) -> None:
    two.git("branch", "gone")
    assert two.ledger("set", "b", "--target", "gone").returncode == 0
    two.git("branch", "-D", "gone")
    two.at("../b").ledger("gate", "manual")
    body = checked(two, "b")[-1].body
    assert (body["verdict"], "ours" in body) == ("unknown", False)
    reason = "it was unknown: its target 'gone' is not a commit"
    assert last(two) == ("not-derivable", [], reason)


def test_a_history_that_is_shallow_now_tells_nothing(two: Place, env: dict[str, str]) -> None:
    two.commit("more")
    agent(two, "c", 1)
    two.commit("and more")
    assert two.ledger("merge", "c").returncode == 0
    tip = checked(two, "c")[0].body["ours"]
    two.write(".git/shallow", f"{tip}\n{checked(two, 'c')[0].body['theirs']}\n")
    assert last(two) == ("not-derivable", [], "no merge base: the history is shallow")


def test_what_was_kept_has_no_say(two: Place) -> None:
    """A cache that lies misleads whoever asks it; it can't mislead who derives again."""
    assert two.ledger("check", "b").returncode == 1
    folder = two.path / ".git/ledger/cache/outcomes"
    clean = [True, two.git("rev-parse", "main^{tree}"), []]
    for name in os.listdir(folder):
        known = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(dict.fromkeys(known, clean)))
    assert two.ledger("check", "b").returncode == 0, "the cache was not poisoned"
    lie = tell(two, "b", verdict="overlap", tree=clean[1], paths=...)
    assert [one.found.status for one in found(two)] == ["same", "same", "differs"]
    assert found(two)[-1].recorded.event.id == lie


def test_nothing_is_written(two: Place) -> None:
    def state() -> list[str]:
        files = [str(one) for one in (two.path / ".git").rglob("*") if one.is_file()]
        return [*sorted(files), two.git("for-each-ref")]

    before = state()
    assert run(two)[0] == 0
    assert state() == before


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_a_conflict_makes_the_same_tree_however_large_the_repository_has_grown(
    repo: Place, style: str
) -> None:
    """With diff3 the base is named in the conflict, and short ids grow with the repository."""
    repo.git("config", "merge.conflictStyle", style)
    agent(repo, "a", 5)
    repo.commit("main too", f=lines(5, "main"))
    assert repo.ledger("merge", "a").returncode == 1
    repo.git("config", "core.abbrev", "25")
    assert last(repo) == ("same", [], None)


def driver(words: str) -> Callable[[Place], None]:
    def put(repo: Place) -> None:
        repo.write("../driver", f"#!/bin/sh\n{words}\n")
        (repo.path / "../driver").chmod(0o755)

    return put


def test_a_merge_driver_that_is_another_program_now_is_no_fault(repo: Place) -> None:
    repo.commit("attributes", __gitattributes="f merge=own\n")
    agent(repo, "a", 5)
    agent(repo, "b", 1)
    repo.commit("main too", f=lines(5, "main"))
    driver("exit 0")(repo)
    repo.git("config", "merge.own.driver", f"{repo.path.parent}/driver %A %O %B")
    assert repo.ledger("merge", "a").returncode == 0
    config = checked(repo, "a")[0].body["config"]
    assert list(config) == ["merge.own.driver"]
    assert str(repo.path.parent) not in json.dumps(config)
    assert last(repo) == ("same", [], None)
    driver("exit 1")(repo)
    status, fields, reason = last(repo)
    assert (status, fields) == ("not-derivable", ["verdict"])
    assert (
        reason
        == "a merge driver or a filter has a say, and nobody can tell whether it does the same"
    )
    repo.git("config", "merge.own.driver", "false")
    _, _, reason = last(repo)
    assert reason is not None
    assert reason.startswith(f"merge.own.driver was '{config['merge.own.driver']}', is '")


def test_a_driver_that_only_the_target_s_worktree_names_is_seen_from_elsewhere(two: Place) -> None:
    two.write(".git/info/attributes", "f merge=own\n")
    two.git("config", "extensions.worktreeConfig", "true")
    two.git("config", "--worktree", "merge.own.driver", f"{two.path.parent}/driver")
    driver("exit 0")(two)
    assert two.ledger("merge", "b").returncode == 0
    assert list(checked(two, "b")[-1].body["config"]) == ["merge.own.driver"]
    from_b = two.at("../b")
    assert last(from_b) == ("same", [], None)
    driver("exit 1")(two)
    status, fields, reason = last(from_b)
    assert (status, fields) == ("not-derivable", ["verdict"])
    assert reason is not None
    assert reason.startswith("a merge driver or a filter has a say")


def test_a_lie_about_a_merge_without_a_driver_is_one_though_there_are_drivers(two: Place) -> None:
    two.git("config", "merge.own.driver", "true")
    assert two.ledger("merge", "b").returncode == 1
    tell(two, "b", verdict="clean")
    assert last(two) == ("differs", ["verdict"], None)


def test_many_cost_few_processes(two: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> int:
        trace = two.path.parent / "trace"
        env = {"GIT_TRACE2_EVENT": str(trace)}
        assert two.ledger("verify", "--verdicts", env=env).returncode == 0
        count = sum('"event":"start"' in line for line in trace.read_text().splitlines())
        trace.unlink()
        return count

    few = asked()
    for number in range(20):
        two.commit(f"more {number}", m=f"{number}\n")
        assert two.ledger("merge", "b").returncode == 1
    assert len(found(two)) == 22
    assert asked() < few + WIDTH  # a merge-tree for each processor
    monkeypatch.setattr(deriving, "AT_ONCE", 4)
    assert [one.found.status for one in found(two)] == ["same"] * 22
