"""spawn: branch, worktree and record together, or none of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from gitledger.errors import LedgerError
from gitledger.git.repository import Repository, discover
from gitledger.services import spawn as spawning
from gitledger.services.live import look
from gitledger.services.spawn import Order, spawn, spawn_here

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place


@pytest.fixture
def opened(repo: Place) -> Repository:
    return discover(str(repo.path))


def everything(repo: Place) -> tuple[str, str, list[str]]:
    """Refs, worktrees and what lies beside the repository."""
    beside = sorted(one.name for one in repo.path.parent.iterdir())
    return repo.git("for-each-ref"), repo.git("worktree", "list"), beside


def test_a_spawn_is_a_branch_a_worktree_and_a_record(repo: Place, opened: Repository) -> None:
    made = spawn(opened, Order("Fix the Thing", "fix"))
    assert made.path == str(repo.path.parent / "repo-fix")
    one = look(opened).by_id["fix"]
    assert (one.agent.title, one.branch, one.tip) == (
        "Fix the Thing",
        "agent/fix",
        repo.git("rev-parse", "HEAD"),
    )
    assert repo.at(made.path).git("symbolic-ref", "refs/worktree/ledger/agent") == (
        "refs/ledger/agents/fix/log"
    )


def test_a_foreign_id_is_kept_word_for_word(repo: Place, opened: Repository) -> None:
    made = spawn(opened, Order("x", "Ada/Lovelace 1"))
    assert made.branch == "agent/%41da%2f%4covelace%201"
    assert look(opened).by_id["Ada/Lovelace 1"].worktree is not None


def test_sixteen_spawns_at_once_are_sixteen_agents(repo: Place, opened: Repository) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda n: spawn(opened, Order("same title", f"a{n}")), range(16)))
    assert sorted(look(opened).by_id) == sorted(one.id for one in made)
    assert len(repo.git("worktree", "list").splitlines()) == 17


@pytest.mark.parametrize(
    "order",
    [
        Order("two\nlines"),
        Order(" "),
        Order("x", "a\x07b"),
        Order("x", branch="main"),
        Order("x", branch="a..b"),
        Order("x", start="nowhere"),
        Order("x", path="."),
    ],
    ids=["title", "empty title", "id", "branch there", "bad branch", "no commit", "path there"],
)
def test_what_is_refused_leaves_nothing(repo: Place, opened: Repository, order: Order) -> None:
    before = everything(repo)
    with pytest.raises(LedgerError):
        spawn(opened, order)
    assert everything(repo) == before


def test_a_record_that_cannot_be_written_takes_worktree_and_branch_back(
    repo: Place, opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LedgerError("no")

    monkeypatch.setattr(spawning, "record", fail)
    before = everything(repo)
    with pytest.raises(LedgerError, match="no"):
        spawn(opened, Order("x"))
    assert everything(repo) == before


def test_a_hook_of_the_users_that_fails_is_a_warning(repo: Place, opened: Repository) -> None:
    hook = repo.path / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\necho no config >&2\nexit 1\n")
    hook.chmod(0o755)
    made = spawn(opened, Order("x", "x"))
    assert made.warning == "no config"
    assert list(look(opened).by_id) == ["x"]


def test_the_worktrees_go_where_the_configuration_says(
    repo: Place, opened: Repository, tmp_path: Path
) -> None:
    repo.git("config", "ledger.worktreeDir", str(tmp_path / "trees"))
    assert spawn(discover(str(repo.path)), Order("x", "x")).path == str(tmp_path / "trees" / "x")


def test_here_records_the_worktree_that_stands(repo: Place, opened: Repository) -> None:
    made = spawn_here(opened, Order("by hand", "hand"))
    assert (made.path, made.branch) == (str(repo.path), "main")
    with pytest.raises(LedgerError, match="agent 'hand' is at work in this worktree"):
        spawn_here(opened, Order("another", "other"))
