"""Each command that writes records what no hook saw first; those that read write nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from gitledger.cli.main import cli
from gitledger.git.repository import discover
from gitledger.services.spawn import Order, spawn
from gitledger.store import notes

if TYPE_CHECKING:
    from tests.support import Place

WRITERS = (
    "spawn new",
    "spawn here --here",
    "adopt --all",
    "set a --title better",
    "report a -m done",
    "complete a",
    "fail a --error broken",
    "close a --accepted",
    "interrupt a",
    "abandon a",
    "resume --yes",
    "merge a",
    "session start topic",
    "reconcile",
)
READERS = (
    "list",
    "show a",
    "log a",
    "who a",
    "conflicts",
    "check a",
    "diff a",
    "path a",
    "verify",
    "doctor",
    "session list",
    "resume --dry-run",
)


@pytest.fixture
def unseen(repo: Place, monkeypatch: pytest.MonkeyPatch) -> str:
    """A commit of agent a that nothing has recorded; the commands run in the main worktree."""
    made = spawn(discover(str(repo.path)), Order("a", "a", "a", str(repo.path.parent / "a")))
    monkeypatch.setattr(os, "environ", repo.env)
    monkeypatch.chdir(repo.path)
    return repo.at(made.path).commit("one", x="1")


def recorded(commit: str) -> bool:
    return any(commit in place for place in notes.read_all(discover()).values())


@pytest.mark.parametrize("words", WRITERS)
def test_a_command_that_writes(unseen: str, words: str) -> None:
    CliRunner().invoke(cli, words.split())
    assert recorded(unseen)


@pytest.mark.parametrize("words", READERS)
def test_a_command_that_reads(unseen: str, words: str, repo: Place) -> None:
    before = repo.git("for-each-ref")
    CliRunner().invoke(cli, words.split())
    assert repo.git("for-each-ref") == before
    assert not recorded(unseen)
