from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import Place, new_repository, sealed_environment

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return sealed_environment(tmp_path / "home")


@pytest.fixture
def repo(tmp_path: Path, env: dict[str, str]) -> Place:
    """A fresh repository with one commit, without the ledger."""
    return new_repository(tmp_path / "repo", env)


@pytest.fixture
def nowhere(tmp_path: Path, env: dict[str, str]) -> Place:
    """A directory that is no repository."""
    (tmp_path / "nowhere").mkdir()
    return Place(tmp_path / "nowhere", env)
