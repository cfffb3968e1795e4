"""What stands beside a conflict: who is on the other side, what they did, and their hunks."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.support import git_calls

if TYPE_CHECKING:
    from tests.support import Place

TEN = "".join(f"line {n}\n" for n in range(1, 11))


def plain(words: str) -> list[str]:
    """Lines without what differs from run to run: the ends of agents' ids, commits."""
    words = re.sub(r"\b([ab])-[0-9a-f]{6}\b", r"\1", words)
    words = re.sub(r"\b[0-9a-f]{12}\b", "COMMIT", words)
    return [" ".join(line.split()) for line in words.splitlines()]


def two(repo: Place) -> None:
    for name in ("a", "b"):
        place = repo.worktree(name)
        place.commit("elsewhere", **{name: "1\n"})
        place.commit(f"{name} edits", f=TEN.replace("line 5", name))


def test_a_conflict_names_both_sides_and_their_commits_there(repo: Place) -> None:
    two(repo)
    told = plain(repo.ledger("conflicts").stdout)
    assert told[told.index("conflict a with b") :] == [
        "conflict a with b",
        "f contents line 5 against line 5",
        "a a COMMIT a edits",
        "b b COMMIT b edits",
        "3 pairs: 2 clean, 1 conflict",
    ]


def test_the_hunks_of_both_sides(repo: Place) -> None:
    two(repo)
    told = plain(repo.ledger("conflicts", "--diff").stdout)
    assert [line for line in told if line.startswith(("+", "-")) and line[1:2] not in "+-"] == [
        "-line 5",
        "+a",
        "-line 5",
        "+b",
    ]
    repo.git("merge", "-q", "--no-edit", "a")
    told = plain(repo.ledger("check", "b", "--diff").stdout)
    assert "+a" in told[told.index("--- main") :]
    assert repo.ledger("conflicts", "--json").stdout.count('"title"') == 2


def test_drift_of_paths_that_look_like_something_else(repo: Place) -> None:
    """As long as a commit id, or beginning with what git puts between a commit and its paths."""
    names = sorted(["\na newline", "a" * 40, "b" * 64, "other"])
    foreign = ["\n", "e" * 40, "f" * 64]  # in hexadecimal even, and none of the agent's files
    for tree, more in ((repo.worktree("a"), []), (repo, foreign)):
        for name in names + more:
            tree.write(name, f"{tree.path}\n")
        last = tree.commit("odd names")
    document = json.loads(repo.ledger("conflicts", "--drift", "a", "--json").stdout)
    found = document["agents"][0]["drift"]
    assert [(one["path"], one["commit"]) for one in found] == [(name, last) for name in names]


def test_drift_of_one_agent(repo: Place) -> None:
    two(repo)
    assert plain(repo.ledger("conflicts", "--drift", "b").stderr) == [
        "no drift: the target changed no file of b since it began"
    ]
    repo.git("merge", "-q", "--no-edit", "a")
    commit = repo.git("rev-parse", "--short=12", "a")
    told = repo.ledger("conflicts", "--drift", "b").stdout
    assert plain(told) == ["drift main changed files of b since it began", "f a COMMIT"]
    assert commit in told
    document = json.loads(repo.ledger("conflicts", "--drift", "b", "--json").stdout)
    assert [one["path"] for one in document["agents"][0]["drift"]] == ["f"]


def test_the_hunks_of_work_that_is_not_committed(repo: Place) -> None:
    """In a file that both have changed without a commit, and one that both have made."""
    for name in ("a", "b"):
        place = repo.worktree(name)
        place.write("f", TEN.replace("line 5", name))
        place.write("notes", f"{name}'s\n")
    before = repo.git("count-objects", "-v")
    told = plain(repo.ledger("conflicts", "--diff").stdout)
    start = told.index("conflict a with b (committed work alone: clean)")
    assert told[start + 1 : told.index("--- a")] == [
        "f contents line 5 against line 5",
        "notes contents",
        "a a uncommitted work",
        "b b uncommitted work",
    ]
    ours, theirs = told[told.index("--- a") : told.index("--- b")], told[told.index("--- b") :]
    for side, name in ((ours, "a"), (theirs, "b")):
        assert [one for one in side if one in {"-line 5", "+a", "+b", "+a's", "+b's"}] == [
            "-line 5",
            f"+{name}",
            f"+{name}'s",
        ]
    assert repo.git("count-objects", "-v") == before
    (pair,) = json.loads(repo.ledger("conflicts", "--diff", "--json").stdout)["pairs"]
    assert "+a's" in pair["hunks"]["a"].splitlines()
    assert "+b's" in pair["hunks"]["b"].splitlines()


def test_the_hunks_on_top_of_a_commit(repo: Place) -> None:
    """What is told is what is merged: the commits, and with --uncommitted the work on them."""
    a = repo.worktree("a")
    a.commit("mine", f=TEN.replace("line 5", "committed"))
    a.write("f", TEN.replace("line 5", "uncommitted"))
    repo.commit("theirs", f=TEN.replace("line 5", "main"))
    for words, expected, work in (
        ((), "+committed", False),
        (("--uncommitted",), "+uncommitted", True),
    ):
        told = plain(repo.ledger("check", "a", "--diff", *words).stdout)
        first, second = told.index("--- a"), told.index("--- main")
        assert [one for one in told[first:second] if one[:1] == "+"][1:] == [expected]
        assert "+main" in told[second:]
        assert ("a a uncommitted work" in told) == work
    assert "hunks" not in json.loads(repo.ledger("check", "a", "--json").stdout)["pairs"][0]


def test_hunks_that_can_not_be_had_are_no_fault(repo: Place) -> None:
    """A deletion against an edit is told without a content; its hunks need one."""
    a, b = repo.worktree("a"), repo.worktree("b")
    a.git("rm", "-q", "f")
    a.commit("gone")
    b.commit("edit", f="new\n")
    blob = repo.git("rev-parse", "main:f")
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    done = repo.ledger("check", "a", "--onto", "b", "--diff")
    assert done.returncode == 1, done.stderr
    assert "can't be told: " in done.stdout


def test_the_drift_of_many_is_looked_for_at_once(repo: Place) -> None:
    """Who made the commits of the target is asked once, not once an agent."""
    counted = {}
    for number in range(9):
        place = repo.worktree(f"w{number}", None, "HEAD")
        place.commit("theirs", f=TEN.replace(f"line {number + 1}\n", f"{number}\n"))
        if number in {2, 8}:
            repo.commit(f"main {number}", f=TEN.replace("line 10", f"ten {number}"))
            counted[number + 1] = len(git_calls(repo, "conflicts", "--committed", "--json"))
    told = json.loads(repo.ledger("conflicts", "--committed", "--json").stdout)
    assert [len(one["drift"]) for one in told["agents"]] == [1] * 9
    assert counted[9] - counted[3] <= 6 * 5
