"""ledger.trailer: the agent is named in the commit message, for those who want it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services import install
from tests.hooks import agent_of, errors

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place


@pytest.fixture
def a(hooked: Place) -> Place:
    hooked.git("config", "ledger.trailer", "true")
    return hooked.worktree("a")


def message(place: Place) -> str:
    return place.git("log", "-1", "--format=%B").rstrip("\n")


def test_the_agent_is_named_once(a: Place) -> None:
    named = f"Ledger-Agent: {agent_of(a)}"
    a.commit("one", x="1")
    assert message(a) == f"one\n\n{named}"
    a.git("commit", "-q", "--amend", "--no-edit")
    assert message(a) == f"one\n\n{named}"
    a.git("commit", "-q", "--allow-empty", "-m", "two\n\nbody\n\nSigned-off-by: dev <dev@x>")
    assert message(a) == f"two\n\nbody\n\nSigned-off-by: dev <dev@x>\n{named}"
    a.at("../repo").commit("on main", m="1")
    a.git("merge", "-q", "-m", "merged", "main")
    assert message(a).split() == ["merged", *named.split()]
    assert errors(a) == ""


NOT_NAMED = {
    "off": (["-c", "ledger.trailer=false"], "x", {}),
    "an agent that is not known": ([], "x", {"GIT_LEDGER_AGENT": "who?"}),
    "another's trailer": ([], "x\n\nLedger-Agent: other", {}),
}


@pytest.mark.parametrize("name", NOT_NAMED)
def test_the_message_stays(a: Place, name: str) -> None:
    options, given, env = NOT_NAMED[name]
    a.git(*options, "commit", "-q", "--allow-empty", "-m", given, env=env)
    assert message(a) == given


def test_an_empty_message_still_gives_up(a: Place) -> None:
    editor = {"GIT_EDITOR": "true"}
    done = a.run("git", "commit", "-q", "--allow-empty", env=editor)
    assert done.returncode == 1
    assert "empty commit message" in done.stderr


def test_no_agent_no_trailer(a: Place) -> None:
    main = a.at("../repo")
    main.commit("on main", m="1")
    assert message(main) == "on main"


def test_a_rebase_keeps_messages(a: Place) -> None:
    a.git("-c", "ledger.trailer=false", "commit", "-q", "--allow-empty", "-m", "bare")
    a.at("../repo").commit("on main", m="1")
    a.git("rebase", "-q", "main")
    assert message(a) == "bare"


def test_init_installs_it_where_it_is_wanted(repo: Place) -> None:
    def installed() -> bool:
        return (repo.path / ".git/hooks/commit-msg").exists()

    install.init(discover(str(repo.path)))
    assert not installed()
    repo.git("config", "ledger.trailer", "true")
    install.init(discover(str(repo.path)))
    assert installed()
    a = repo.worktree("a")
    a.commit("one", x="1")
    assert message(a) == f"one\n\nLedger-Agent: {agent_of(a)}"
    repo.git("config", "ledger.trailer", "false")
    install.init(discover(str(repo.path)))
    assert not installed()


def test_a_hook_of_the_user_s_sees_its_message_first_or_last(repo: Place, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    hook = repo.path / ".git/hooks/commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\ncat "$1" >{seen}\n! grep -q refuse "$1"\n')
    hook.chmod(0o755)
    before = hook.read_bytes()
    repo.git("config", "ledger.trailer", "true")
    install.init(discover(str(repo.path)))
    a = repo.worktree("a")
    a.commit("one", x="1")
    assert "one" in seen.read_text()
    assert a.run("git", "commit", "-q", "--allow-empty", "-m", "refuse").returncode == 1
    assert message(a) == f"one\n\nLedger-Agent: {agent_of(a)}"
    install.deinit(discover(str(repo.path)))
    assert hook.read_bytes() == before
