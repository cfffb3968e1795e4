"""Repositories of every shape, paths of every kind, and git's own way for hooks, from 2.54 on."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from gitledger.errors import NotUsable
from gitledger.git.repository import discover
from gitledger.services import install
from gitledger.services import install_text as shell
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
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("stand_ins")


def noted(common: Path) -> list[str]:
    found = (common / "recorded").read_text().splitlines()
    (common / "recorded").unlink()
    return [line.partition("|")[0] for line in found]


@pytest.mark.parametrize("name", ["it's", 'a "b" $c `d`', "ünï\u202e", "#;=[x]", " blanks  "])
@pytest.mark.parametrize("hooks_path", [False, True])
def test_any_path(tmp_path: Path, env: dict[str, str], name: str, hooks_path: bool) -> None:
    repo = new_repository(tmp_path / name, env)
    hook(repo, "own hooks/post-commit", f"#!/bin/sh\n{NOTES_ITSELF}")
    if hooks_path:
        repo.git("config", "core.hooksPath", str(repo.path / "own hooks"))
    before = installed_state(repo)
    init(repo)
    assert init(repo).changes == []
    repo.commit("one")
    repo.worktree("linked").commit("two")
    assert recorded(repo) == ["post-commit", "post-checkout", "post-commit"]
    theirs = f"{repo.path}/own hooks/post-commit|||"
    assert log_of(repo) == ([theirs] * 2 if hooks_path else [])
    deinit(repo)
    assert installed_state(repo) == before


def test_a_submodule(repo: Place) -> None:
    library = new_repository(repo.path.parent / "library", repo.env)
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.path), "sub")
    sub = repo.at("sub")
    init(sub)
    sub.commit("one")
    assert noted(repo.path / ".git/modules/sub") == ["post-commit"]
    assert not (repo.path / ".git/ledger").exists()
    deinit(sub)
    assert not (repo.path / ".git/modules/sub/ledger").exists()


def test_a_git_dir_that_lies_apart(tmp_path: Path, env: dict[str, str]) -> None:
    repo = new_repository(tmp_path / "repo", env, "--separate-git-dir", str(tmp_path / "store"))
    linked = repo.worktree("a")
    init(linked)
    repo.commit("one")
    linked.commit("two")
    assert noted(tmp_path / "store") == ["post-commit", "post-commit"]


def test_without_a_hooks_directory_one_is_made_and_goes_again(repo: Place) -> None:
    shutil.rmtree(repo.path / ".git/hooks")
    init(repo)
    init(repo)
    repo.commit("one")
    assert recorded(repo) == ["post-commit"]
    deinit(repo)
    assert not (repo.path / ".git/hooks").exists()
    (repo.path / ".git/hooks").mkdir()
    init(repo)
    deinit(repo)
    assert (repo.path / ".git/hooks").is_dir()


def test_hooks_from_a_template_are_hooks_like_others(tmp_path: Path, env: dict[str, str]) -> None:
    Place(tmp_path, env).write("template/hooks/post-commit", f"#!/bin/sh\n{NOTES_ITSELF}")
    (tmp_path / "template/hooks/post-commit").chmod(0o755)
    Place(tmp_path, env).git("config", "--global", "init.templateDir", str(tmp_path / "template"))
    repo = new_repository(tmp_path / "repo", env)
    before = installed_state(repo)
    log_of(repo)
    init(repo)
    repo.commit("one")
    assert (log_of(repo), recorded(repo)) == ([".git/hooks/post-commit|||"], ["post-commit"])
    deinit(repo)
    assert installed_state(repo) == before


def test_our_own_hooks_in_a_template_do_no_harm(repo: Place) -> None:
    """A hook of ours that came without the rest is silent, and `init` takes it over."""
    init(repo)
    hooks = repo.path.parent / "template/hooks"
    shutil.copytree(repo.path / ".git/hooks", hooks)
    repo.git("config", "--global", "init.templateDir", str(hooks.parent))
    other = new_repository(repo.path.parent / "other", repo.env)
    done = other.run("git", "commit", "--allow-empty", "-qm", "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    init(other)
    other.commit("one")
    assert recorded(other) == ["post-commit"]
    deinit(other)
    assert not (other.path / ".git/hooks/post-commit").exists()


def test_a_moved_repository_is_found_out_and_mended(repo: Place) -> None:
    hook(repo, "hooks/post-commit", f"#!/bin/sh\n{NOTES_ITSELF}")
    repo.git("config", "core.hooksPath", "hooks")
    init(repo)
    shutil.move(repo.path, repo.path.parent / "moved")
    moved = (
        repo.at("../moved") if repo.path.exists() else Place(repo.path.parent / "moved", repo.env)
    )
    found = examine(discover(str(moved.path))).findings
    gone = f"'{repo.path}/.git/ledger/chain/local' is gone: was the repository moved?"
    assert [one.what.partition("here: ")[2] for one in found] == [gone]
    init(moved)
    moved.commit("one")
    assert (recorded(moved), log_of(moved)) == (["post-commit"], ["hooks/post-commit|||"])
    deinit(moved)
    assert moved.git("config", "core.hooksPath") == "hooks"


def test_a_worktree_that_is_away_gets_its_setting_back_too(repo: Place) -> None:
    linked = repo.worktree("a")
    repo.git("config", "extensions.worktreeConfig", "true")
    linked.git("config", "--worktree", "core.hooksPath", "own")
    init(repo)
    shutil.move(linked.path, repo.path.parent / "away")
    deinit(repo)
    shutil.move(repo.path.parent / "away", linked.path)
    assert linked.git("config", "core.hooksPath") == "own"
    assert examine(discover(str(repo.path))).faults == 2


def test_one_at_a_time(repo: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one installs another one refuses, and leaves things to it."""
    second: list[str] = []

    def meanwhile(*_: object, **__: object) -> None:
        with pytest.raises(NotUsable) as caught:
            deinit(repo)
        second.append(caught.value.message)

    monkeypatch.setattr(install, "apply", meanwhile)
    init(repo)
    assert second == ["another 'git ledger init' or 'deinit' is running here"]


@pytest.mark.parametrize(
    ("version", "configured"),
    [((2, 39, 5), False), ((2, 53, 9), False), ((2, 54), True), ((2, 54, 0), True), ((3, 0), True)],
)
def test_the_version_of_git_decides(version: tuple[int, ...], configured: bool) -> None:
    assert install.by_configuration(version) is configured


@pytest.fixture
def new_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """`init` is told that git is 2.54. Whether that git does what it says is not tried here."""
    monkeypatch.setattr(install, "version", lambda _: (2, 54, 0))


def hook_settings(repo: Place) -> str:
    return repo.run("git", "config", "--local", "--get-regexp", "^hook[.]").stdout


@pytest.mark.usefixtures("new_git")
def test_by_configuration_no_hook_is_touched(repo: Place) -> None:
    hook(repo, ".git/hooks/post-commit", f"#!/bin/sh\n{NOTES_ITSELF}")
    repo.git("config", "core.hooksPath", ".husky/_")
    before = installed_state(repo)
    init(repo)
    assert init(repo).changes == []
    recorders = repo.path / ".git/ledger/hooks"
    assert hook_settings(repo).splitlines() == [
        line
        for name in shell.RECORDERS
        for line in (
            f"hook.git-ledger-{name}.event {name}",
            f"hook.git-ledger-{name}.command git_ledger() {{ [ ! -x '{recorders}'/{name} ]"
            f" || '{recorders}'/{name} \"$@\" >/dev/null 2>&1 || :; }}; git_ledger",
        )
    ]
    assert (repo.path / ".git/hooks/post-commit").read_text() == f"#!/bin/sh\n{NOTES_ITSELF}"
    deinit(repo)
    assert installed_state(repo) == before


@pytest.mark.usefixtures("new_git")
def test_the_configured_command_as_git_would_run_it(repo: Place) -> None:
    """git gives it to sh with `"$@"` behind it."""
    init(repo, gates=True)
    for name, seen in [
        ("post-commit", "post-commit|x y|in;"),
        ("pre-push", "gate|pre-push x y|in;"),
    ]:
        command = repo.git("config", f"hook.git-ledger-{name}.command")
        words = ("sh", "-c", f'{command} "$@"', command, "x", "y")
        assert repo.run(*words, stdin=b"in\n").returncode == 0
        assert (repo.path / ".git/recorded").read_text().splitlines()[-1] == seen
        shutil.move(repo.path / ".git/ledger/hooks", repo.path / ".git/ledger/away")
        assert repo.run(*words, stdin=b"in\n").returncode == 0
        shutil.move(repo.path / ".git/ledger/away", repo.path / ".git/ledger/hooks")


def test_an_upgrade_of_git_and_back(repo: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    before = installed_state(repo)
    init(repo)
    chained = installed_state(repo)
    with monkeypatch.context() as patch:
        patch.setattr(install, "version", lambda _: (2, 54))
        init(repo)
    assert len(hook_settings(repo).splitlines()) == 2 * len(shell.RECORDERS)
    assert not (repo.path / ".git/hooks/post-commit").exists()
    init(repo)
    assert installed_state(repo) == chained
    deinit(repo)
    assert installed_state(repo) == before


def test_a_git_that_is_too_old_is_refused(repo: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    before = installed_state(repo)
    monkeypatch.setattr(install, "version", lambda _: (2, 30, 2))
    with pytest.raises(NotUsable) as caught:
        init(repo)
    assert (caught.value.message, caught.value.hint) == (
        "git 2.30.2 is too old",
        "install git 2.39 or newer",
    )
    assert installed_state(repo) == before
