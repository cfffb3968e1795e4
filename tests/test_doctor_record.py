"""`git ledger doctor` names the commits that have no record, each with its reason."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.doctor_record import gaps
from gitledger.services.spawn import Order, spawn
from tests.support import put_hooks

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support import Place


@pytest.fixture
def agent(repo: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The worktree of agent a, with our hooks, and one commit that is on record."""
    monkeypatch.setattr(os, "environ", repo.env)
    put_hooks(repo, ["sh"])
    made = spawn(discover(str(repo.path)), Order("a", "a", "a", str(repo.path.parent / "a")))
    place = repo.at(made.path)
    place.commit("one", x="1")
    return place


def told(place: Place) -> list[str]:
    """What doctor says of commits, by the commit's subject."""
    subjects = place.git("log", "--format=%H=%s", "--all").splitlines()
    known = dict(one.split("=") for one in subjects)
    found = [one.what for one in gaps(discover(str(place.path))) if "for commit" in one.what]
    return [re.sub("[0-9a-f]{40}", lambda one: known[one[0]], what) for what in found]


def test_all_is_on_record(agent: Place) -> None:
    agent.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "unseen")
    assert told(agent) == []


def under_a_stranger(agent: Place) -> str:
    env = {"GIT_LEDGER_AGENT": "stranger"}
    agent.git("commit", "-q", "--allow-empty", "-m", "two", env=env)
    return "it was made under a GIT_LEDGER_AGENT that the ledger did not know"


def by_a_person(agent: Place) -> str:
    main = agent.at("../repo")
    main.git("checkout", "-q", "--detach", "a")
    main.git("commit", "-q", "--allow-empty", "-m", "two")
    agent.git("reset", "-q", "--hard", main.git("rev-parse", "HEAD"))
    main.git("checkout", "-q", "main")
    return "it was made in a worktree where no agent works"


def on_two_branches(agent: Place) -> str:
    tree = agent.git("commit-tree", "-p", "a", "-m", "two", "a^{tree}")
    here = discover(str(agent.path))
    spawn(here, Order("b", "b", "b", str(agent.path.parent / "b"), "main"))
    agent.git("reset", "-q", "--hard", tree)
    agent.at("../b").git("reset", "-q", "--hard", tree)
    return "no hook saw it, no reflog has it, and it is on no agent's branch alone"


@pytest.mark.parametrize("do", [under_a_stranger, by_a_person, on_two_branches])
def test_a_commit_of_nobody(agent: Place, do: Callable[[Place], str]) -> None:
    why = do(agent)
    assert told(agent) == [f"nobody can be named for commit two: {why}"]
