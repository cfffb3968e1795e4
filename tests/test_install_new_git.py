"""Hooks by git's configuration, in a git that has them: 2.54 or newer, from GIT_LEDGER_TEST_GITS."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.doctor import examine
from tests.install_support import (
    NOTES_ITSELF,
    deinit,
    hook,
    init,
    installed_state,
    log_of,
    recorded,
)

if TYPE_CHECKING:
    from tests.support import Place

GITS = [one for one in os.environ.get("GIT_LEDGER_TEST_GITS", "").split(os.pathsep) if one]


def is_new(program: str) -> bool:
    told = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+)\.(\d+)", told)
    return found is not None and (int(found[1]), int(found[2])) >= (2, 54)


NEW = [one for one in GITS if is_new(one)]
pytestmark = [
    pytest.mark.usefixtures("stand_ins"),
    pytest.mark.skipif(not NEW, reason="GIT_LEDGER_TEST_GITS names no git 2.54 or newer"),
]


@pytest.fixture(autouse=True)
def new_git(env: dict[str, str]) -> None:
    """The first such git, before the machine's own."""
    env["PATH"] = f"{os.path.dirname(NEW[0])}{os.pathsep}{env['PATH']}"


def test_every_worktree_records_and_no_hook_is_touched(repo: Place) -> None:
    hook(repo, ".git/hooks/post-rewrite", f"#!/bin/sh\n{NOTES_ITSELF}")
    before = installed_state(repo)
    init(repo)
    assert init(repo).changes == []
    linked = repo.worktree("a")
    old = linked.commit("one")
    linked.git("commit", "-q", "--amend", "--allow-empty", "-m", "again")
    new = linked.git("rev-parse", "HEAD")
    lines = (repo.path / ".git/recorded").read_text().splitlines()
    assert lines[1:] == ["post-commit||", "post-commit||", f"post-rewrite|amend|{old} {new};"]
    assert lines[0].startswith(f"post-checkout|{'0' * 40} ")
    assert log_of(repo) == [f"{repo.path}/.git/hooks/post-rewrite|amend||{old} {new};"]
    assert examine(discover(str(repo.path))).faults == 0
    deinit(repo)
    assert installed_state(repo) == before


@pytest.mark.parametrize("value", ["/dev/null", ".husky/_"])
def test_whatever_core_hooks_path_says(repo: Place, value: str) -> None:
    repo.git("config", "core.hooksPath", value)
    before = installed_state(repo)
    init(repo)
    repo.commit("one")
    assert recorded(repo) == ["post-commit"]
    deinit(repo)
    assert installed_state(repo) == before


def test_ours_gone_or_failing_is_never_felt(repo: Place) -> None:
    init(repo)
    recorder = repo.path / ".git/ledger/hooks/post-checkout"
    recorder.unlink()
    done = repo.run("git", "worktree", "add", "-q", "-b", "a", "../a")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert examine(discover(str(repo.path))).faults > 0


def test_gates_stop_git_and_get_its_input(repo: Place) -> None:
    hook(repo, ".git/hooks/pre-push", f"#!/bin/sh\n{NOTES_ITSELF}")
    init(repo, gates=True)
    repo.git("init", "-q", "--bare", "../remote")
    repo.git("push", "-q", "../remote", "main")
    head = repo.git("rev-parse", "HEAD")
    line = f"refs/heads/main {head} refs/heads/main {'0' * 40};"
    assert (
        repo.path / ".git/recorded"
    ).read_text() == f"gate|pre-push ../remote ../remote|{line}\n"
    assert log_of(repo) == [f".git/hooks/pre-push|../remote|../remote|{line}"]
    (repo.path / ".git/ledger/hooks/gate").write_text("#!/bin/sh\nexit 1\n")
    assert repo.run("git", "commit", "--allow-empty", "-qm", "x").returncode == 1


def test_an_older_git_next_to_it_is_told_apart(repo: Place) -> None:
    """Installed by the new one, looked at and mended with the old one, and back."""
    new = repo.env["PATH"]
    init(repo)
    repo.env["PATH"] = new.partition(os.pathsep)[2]
    assert examine(discover(str(repo.path))).faults == 1
    init(repo)
    repo.commit("by the old one")
    assert recorded(repo) == ["post-commit"]
    repo.env["PATH"] = new
    repo.commit("by the new one")
    assert recorded(repo) == ["post-commit"]


def test_in_words(repo: Place) -> None:
    each = "{post-checkout,post-commit,post-merge,post-rewrite}"
    assert repo.ledger("init").stdout == f"set hook.git-ledger-{each}.*\n"
    assert repo.ledger("deinit").stdout == f"unset hook.git-ledger-{each}.*\n"
