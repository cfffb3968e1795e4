"""What stands beside a conflict: who is on the other side, what they did, and their hunks."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

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
        "f contents a line 5, b line 5",
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
