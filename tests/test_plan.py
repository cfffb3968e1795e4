"""plan: the order that merges most, as a person and a program see it."""

from __future__ import annotations

import json
import random
from itertools import permutations
from typing import TYPE_CHECKING

from benchmarks import histories as h
from gitledger.git.repository import discover
from gitledger.services.aim import Aims
from gitledger.services.forecast import foresee
from gitledger.services.judging import Judgement
from gitledger.services.live import look
from gitledger.services.plan import plan
from gitledger.services.question import Question, Side, Terms
from gitledger.services.target import Target
from tests.support import git_calls

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support import Place

TEN = [f"line {n}\n" for n in range(1, 11)]


def edited(**lines: str) -> str:
    return "".join(lines.get(f"l{n}", line.strip()) + "\n" for n, line in enumerate(TEN, 1))


def three(repo: Place) -> None:
    """`wide` conflicts with both others, which go together; `old` with what main did since."""
    repo.git("branch", "early")
    repo.worktree("old", "old", "early").commit("old", g="old\n")
    repo.commit("main", g="main\n")
    repo.worktree("wide").commit("wide", f=edited(l2="w", l9="w"), w="1\n")
    repo.worktree("top").commit("top", f=edited(l2="t"))
    repo.worktree("end").commit("end", f=edited(l9="e"))


def test_the_order_is_told_with_what_is_left_out_and_why(repo: Place) -> None:
    three(repo)
    before = repo.git("count-objects", "-v"), repo.git("for-each-ref")
    done = repo.ledger("plan")
    ids = {
        one.rpartition("-")[0]: one
        for one in repo.ledger("list", "--porcelain").stdout.split()
        if "-" in one
    }
    told = done.stdout
    for name, one in ids.items():
        told = told.replace(one, name)
    assert (done.returncode, done.stderr) == (0, "")
    assert [" ".join(line.split()) for line in told.splitlines()] == [
        "2 of 4 merge into main, in this order:",
        "1 end 1 file",
        "2 top 1 file",
        "",
        "left out wide",
        "f contents",
        "conflicts with top, end" if "top, end" in told else "conflicts with end, top",
        "merged first, 1 merge: without end, top",
        "",
        "left out old",
        "g contents",
        "conflicts with main",
    ]
    assert (repo.git("count-objects", "-v"), repo.git("for-each-ref")) == before


def test_the_document(repo: Place) -> None:
    three(repo)
    told = json.loads(repo.ledger("plan", "--json").stdout)
    assert told["schema"] == "ledger.plan/1"
    assert told["counts"] == {"merges": 2, "left": 2, "elsewhere": 0}
    assert [one["branch"] for one in told["order"]] == ["end", "top"]
    wide = told["left"][0]
    assert wide["paths"] == [{"path": "f", "kind": "contents"}]
    assert wide["instead"] == {"merges": 1, "order": [wide["id"]]}
    assert sorted(one["verdict"] for one in wide["with"]) == ["conflict", "conflict"]


def test_what_is_foreseen_to_stop_is_not_merged_again(repo: Place) -> None:
    for name in ("a", "b", "c"):
        repo.worktree(name).commit(name, f=edited(l5=name))
    repo.commit("main", f=edited(l5="main"))
    calls = git_calls(repo, "plan", "--json")
    assert sum("merge-tree" in one for one in calls) == 1


def test_nothing_to_plan_is_said(repo: Place) -> None:
    done = repo.ledger("plan")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("no live agent")


def merged_by_git(clone: Path, target: str, tips: tuple[str, ...]) -> int:
    """How many of the tips git merge takes, one after another."""
    h.git(clone, "reset", "-q", "--hard", target)
    count = 0
    for tip in tips:
        done = h.git(clone, "merge", "-q", "--no-edit", "--no-ff", tip, ok=())
        if done.returncode:
            h.git(clone, "reset", "-q", "--hard")
            h.git(clone, "clean", "-q", "-fdx")
        count += done.returncode == 0
    return count


def test_no_order_of_real_merges_takes_more(
    tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in (3, 7):
        rng = random.Random(seed)
        history = h.random_history(rng, 4)
        repo = tmp_path / f"r{seed}"
        repo.mkdir()
        h.git(repo, "init", "-q", "-b", "unused")
        h.write(history, repo)
        ids = [history.ids[tip] for tip in history.tips]
        target = history.ids[0]
        h.git(repo, "checkout", "-q", "--detach", target)
        sides = [Side(one, one) for one in dict.fromkeys(ids)]
        found = plan_of(repo, target, sides)
        most = max(merged_by_git(repo, target, order) for order in permutations(found[1]))
        assert len(found[0]) == most


def plan_of(repo: Path, target: str, sides: list[Side]) -> tuple[tuple[str, ...], list[str]]:
    opened = discover(str(repo))
    forecast = foresee(opened, Question(target, sides, committed_only=True))
    judged = Judgement(Aims(Target("HEAD", target)), forecast, set(), {}, [])
    return plan(look(opened), judged, Terms()).order, [one.id for one in sides]
