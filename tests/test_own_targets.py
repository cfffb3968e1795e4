"""Agents of one run whose work goes to different branches: each is judged with its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.support import Place

TEN = "".join(f"line {n}\n" for n in range(1, 11))


@pytest.fixture
def two(repo: Place) -> Place:
    """`a` goes to release, where line 5 is another; `b` and `c` to main."""
    repo.git("branch", "release")
    release = repo.worktree("release", "next", "release")
    release.git("checkout", "-q", "release")
    release.commit("release edits", f=TEN.replace("line 5", "release"), r="1\n")
    repo.git("worktree", "remove", "../release")
    repo.git("branch", "-q", "-D", "next")
    repo.ledger("spawn", "--id", "a", "--branch", "a", "--target", "release", "a's work")
    repo.ledger("spawn", "--id", "b", "--branch", "b", "b's work")
    repo.ledger("spawn", "--id", "c", "--branch", "c", "--target", "refs/heads/main", "c's work")
    at(repo, "a").commit("a edits", f=TEN.replace("line 5", "a"), R="1\n")
    at(repo, "b").commit("b edits", b="1\n")
    at(repo, "c").commit("c edits", c="1\n")
    return repo


def at(repo: Place, name: str) -> Place:
    return repo.at(repo.ledger("path", name).stdout.strip())


def lines(words: str) -> list[str]:
    return [" ".join(line.split()) for line in words.splitlines()]


def document(repo: Place, *words: str) -> dict[str, Any]:
    return json.loads(repo.ledger(*words, "--json").stdout)


def test_each_is_told_with_its_own_target(two: Place) -> None:
    edits, mine = (two.git("rev-parse", "--short=12", one) for one in ("release", "a"))
    assert lines(two.ledger("conflicts").stdout) == [
        "T 1 2 3",
        "1 a X . .",
        "2 b . . .",
        "3 c . . .",
        "",
        "X conflict ? unknown o overlap, merges . clean T the target",
        "",
        "conflict a into release",
        "f contents line 5 against line 5",
        f"a a's work {mine} a edits",
        f"release {edits} release edits",
        "drift release changed files of a since it began",
        f"f external {edits}",
        "note: a: names that differ only in case or form: 'R' and 'r' of the target",
        "6 pairs: 5 clean, 1 conflict",
    ]


def test_the_document_names_the_target_of_who_has_another(two: Place) -> None:
    told = document(two, "conflicts", "--all-pairs")
    main, release = (two.git("rev-parse", one) for one in ("main", "release"))
    assert told["target"] == {"ref": "main", "oid": main}
    assert [one.get("target") for one in told["agents"]] == [
        {"ref": "release", "oid": release},
        None,
        None,
    ]
    assert [[drift["path"] for drift in one["drift"]] for one in told["agents"]] == [["f"], [], []]
    assert [(one["a"], one["b"], one["verdict"]) for one in told["pairs"]] == [
        ("a", None, "conflict"),
        ("a", "b", "clean"),
        ("a", "c", "clean"),
        ("b", None, "clean"),
        ("b", "c", "clean"),
        ("c", None, "clean"),
    ]


def test_what_was_asked_for_goes_before_what_is_on_record(two: Place) -> None:
    told = document(two, "conflicts", "--onto", "main", "--all-pairs")
    assert {one["verdict"] for one in told["pairs"]} == {"clean"}
    assert [one for one in told["agents"] if "target" in one] == []


def test_one_and_all_say_the_same_of_an_agent(two: Place) -> None:
    alone, among = document(two, "check", "a"), document(two, "conflicts")
    assert alone["pairs"][0] == among["pairs"][0]
    assert alone["target"]["ref"] == "release"
    others = document(two, "check", "a", "--others")["agents"]
    expected = {"ref": "main", "oid": two.git("rev-parse", "main")}
    assert [one.get("target") for one in others] == [None, expected, expected]


def test_where_the_others_have_their_own_changes_from(two: Place) -> None:
    """`b` took in what landed on main: no change of its own, whoever asks."""
    two.commit("landed", landed="1\n")
    at(two, "b").git("merge", "-q", "--no-edit", "main")
    for words in (("conflicts",), ("check", "a", "--others"), ("check", "c", "--others")):
        told = {one["id"]: one for one in document(two, *words)["agents"]}
        assert told["b"]["base"] == two.git("rev-parse", "main"), words
        assert told["b"]["files"] == 1, words


def test_an_order_is_for_one_target(two: Place) -> None:
    assert lines(two.ledger("plan").stdout) == [
        "2 of 2 merge into main, in this order:",
        "1 b 1 file",
        "2 c 1 file",
        "",
        "elsewhere a into release",
    ]
    told = document(two, "plan")
    assert [(one["id"], one["target"]["ref"]) for one in told["elsewhere"]] == [("a", "release")]
    assert told["counts"] == {"merges": 2, "left": 0, "elsewhere": 1}
    assert lines(two.ledger("plan", "a").stdout) == [
        "nothing is meant to be merged into main",
        "",
        "elsewhere a into release",
    ]
    onto = document(two, "plan", "--onto", "release")
    assert (onto["counts"]["elsewhere"], [one["id"] for one in onto["left"]]) == (0, ["a"])


GONE = "its target 'release' is not a commit"


def test_a_target_that_is_gone_is_unknown_everywhere(two: Place) -> None:
    two.git("branch", "-q", "-D", "release")
    told = lines(two.ledger("conflicts").stdout)
    assert told[1:2] + told[7:] == [
        "1 a ? . .",
        f"unknown a into release ({GONE})",
        "6 pairs: 5 clean, 1 unknown",
    ]
    done = two.ledger("check", "a")
    assert (done.returncode, lines(done.stdout)[0]) == (3, f"unknown a into release ({GONE})")
    assert document(two, "check", "a")["target"] == {"ref": "release", "oid": None}
    done = two.ledger("conflicts", "--drift", "a")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"error: can't tell the drift of 'a': {GONE}\n"
    assert two.ledger("merge", "a").stderr.startswith("error: 'release' is not a branch\n")
    assert lines(two.ledger("plan").stdout)[-1] == "elsewhere a into release"


def test_a_gate_is_not_silent_about_a_target_that_is_gone(two: Place) -> None:
    assert two.ledger("init", "--gates").returncode == 0
    two.git("branch", "-q", "-D", "release")
    done = at(two, "a").run("git", "commit", "-q", "--allow-empty", "-m", "more")
    assert (done.returncode, done.stdout + done.stderr) == (
        0,
        f"unknown  a into release ({GONE})\n",
    )


def test_a_worktree_on_its_own_target_is_no_work(two: Place) -> None:
    """It is where work is merged; on another branch's target it is an agent like any."""
    two.git("worktree", "add", "-q", "../where", "release")
    assert two.ledger("adopt", "../where").returncode == 0
    ids = [one["id"] for one in document(two, "conflicts")["agents"]]
    assert len(ids) == 4
    name = next(one for one in ids if one.startswith("release-"))
    assert two.ledger("set", name, "--target", "release").returncode == 0
    assert [one["id"] for one in document(two, "conflicts")["agents"]] == ["a", "b", "c"]


def test_the_phase_is_told_the_branch_that_it_conflicts_with(two: Place) -> None:
    phases = [{"id": 1, "name": "one", "agents": ["coder"]}]
    two.write("../phases.json", json.dumps(phases))
    assert two.ledger("session", "start", "Topic", "--phases", "../phases.json").returncode == 0
    assert two.ledger("session", "phase", "start", "1").returncode == 0
    words = ("spawn", "--id", "d", "--branch", "d", "--target", "release", "--role", "coder")
    assert two.ledger(*words, "d's work").returncode == 0
    at(two, "d").commit("d edits", f=TEN.replace("line 5", "d"))
    two.ledger("session", "resume")
    (phase,) = document(two, "session", "show")["session"]["phases"]
    assert [(one["agent"], one["message"], one["resolved"]) for one in phase["errors"]] == [
        ("d", "conflicts with 'release' over 'f'", False)
    ]
    two.git("update-ref", "refs/heads/release", "main")
    two.ledger("session", "resume")
    (phase,) = document(two, "session", "show")["session"]["phases"]
    assert [one["resolved"] for one in phase["errors"]] == [True]
