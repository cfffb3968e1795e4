from __future__ import annotations

import os
import shutil
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support import (
    ROOT,
    Place,
    new_repository,
    put_hooks,
    sealed_environment,
    sealed_git,
    shells,
)

if TYPE_CHECKING:
    from pathlib import Path

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
FOR_TESTS = {"GIT_LEDGER_TEST_GITS", "GIT_LEDGER_LONG_TESTS"}


HOME = TemporaryDirectory(prefix="git-ledger-tests-")


def pytest_configure() -> None:
    """Services called in this process see nothing of the machine's git either."""
    for name in [one for one in os.environ if one.startswith("GIT_") and one not in FOR_TESTS]:
        del os.environ[name]
    # Not /dev/null: who writes a configuration as root would put a file in its place.
    here = {"GIT_CONFIG_GLOBAL": f"{HOME.name}/.gitconfig", "XDG_CONFIG_HOME": HOME.name}
    os.environ |= sealed_git() | here


def pytest_unconfigure() -> None:
    HOME.cleanup()


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return sealed_environment(tmp_path / "home")


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch, env: dict[str, str]) -> None:
    """`init` installs recorders that only note their calls; nothing of the machine is seen."""
    from gitledger.services import install, install_text
    from gitledger.services.install_files import Kept
    from tests.install_support import RECORDER

    scripts = {
        name: Kept(RECORDER) for name in (*install_text.RECORDERS, *install_text.TRAILER, "gate")
    }
    monkeypatch.setattr(install, "scripts", lambda: scripts)
    monkeypatch.setattr(os, "environ", env)


@pytest.fixture
def repo(tmp_path: Path, env: dict[str, str]) -> Place:
    """A fresh repository with one commit, without the ledger."""
    return new_repository(tmp_path / "repo", env)


@pytest.fixture
def nowhere(tmp_path: Path, env: dict[str, str]) -> Place:
    """A directory that is no repository."""
    (tmp_path / "nowhere").mkdir()
    return Place(tmp_path / "nowhere", env)


@pytest.fixture(scope="session")
def seal(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A sealed environment for what tests share."""
    return sealed_environment(tmp_path_factory.mktemp("home"))


@pytest.fixture(params=[pytest.param(words, id=" ".join(words)) for words in shells()])
def hooked(request: pytest.FixtureRequest, repo: Place) -> Place:
    """A repository with our recording hooks, under each shell in turn."""
    put_hooks(repo, request.param)
    return repo


@pytest.fixture
def quick(repo: Place) -> Place:
    """A repository with our recording hooks, for what no shell can change."""
    put_hooks(repo, ["sh"])
    return repo


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, seal: dict[str, str]) -> Place:
    """A repository with what a user of pre-commit clones."""
    place = Place(tmp_path_factory.mktemp("published"), seal)
    shutil.copytree(ROOT / "hooks", place.path / "hooks")
    shutil.copytree(ROOT / "gitledger", place.path / "gitledger")
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place.path / name)
    shutil.copytree(ROOT / "docs", place.path / "docs")
    place.git("init", "-q")
    place.commit("published")
    return place
