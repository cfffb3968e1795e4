"""The real hook managers beside ours, installed before and after, in a linked worktree too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.install_support import (
    deinit,
    hook,
    init,
    installed_state,
    log_of,
    recorded,
)
from tests.managers import MANAGERS, Manager, npm_tools
from tests.support import new_repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

pytestmark = pytest.mark.usefixtures("stand_ins")
WORK = ["post-commit", "post-checkout", "post-commit", "post-commit", "post-rewrite"]


@pytest.fixture(params=MANAGERS, ids=lambda one: one.name)
def manager(request: pytest.FixtureRequest) -> Manager:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def tools(manager: Manager, tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.getbasetemp()
    return npm_tools(base.parent / "npm-tools") if manager.npm else base


def work(place: Place, name: str) -> None:
    """A commit here, a new worktree, a commit there, and that one amended."""
    place.commit("here")
    linked = place.worktree(name)
    linked.commit("there")
    linked.git("commit", "-q", "--amend", "--allow-empty", "-m", "there, again")


def theirs(manager: Manager) -> list[str]:
    return WORK if manager.everywhere else WORK[:2]


def only_theirs(manager: Manager, tools: Path, place: Place) -> dict[str, object]:
    """What the manager alone leaves in a repository of its own, paths from its root."""
    alone = new_repository(place.path.parent / "alone", place.env)
    manager.configure(alone)
    manager.install(alone, tools)
    return state(alone)


def state(place: Place) -> dict[str, object]:
    found = installed_state(place)
    return {path.removeprefix(str(place.path)): what for path, what in found.items()}


def test_ours_after_theirs(repo: Place, manager: Manager, tools: Path) -> None:
    manager.configure(repo)
    manager.install(repo, tools)
    before = state(repo)
    init(repo)
    work(repo, "a")
    assert recorded(repo) == WORK
    assert log_of(repo) == theirs(manager)
    deinit(repo)
    assert state(repo) == before
    work(repo, "b")
    assert recorded(repo) == []
    assert log_of(repo) == theirs(manager)


def test_ours_before_theirs(repo: Place, manager: Manager, tools: Path) -> None:
    init(repo)
    manager.configure(repo)
    manager.install(repo, tools)
    recorded(repo)
    repo.commit("theirs may have taken our place")
    assert log_of(repo) == ["post-commit"]
    assert recorded(repo) in ([], ["post-commit"])
    init(repo)
    work(repo, "a")
    assert recorded(repo) == WORK
    assert log_of(repo) == theirs(manager)
    deinit(repo)
    assert state(repo) == only_theirs(manager, tools, repo)


def test_theirs_installed_again(repo: Place, manager: Manager, tools: Path) -> None:
    manager.configure(repo)
    manager.install(repo, tools)
    before = state(repo)
    init(repo)
    manager.install(repo, tools)
    init(repo)
    work(repo, "a")
    assert recorded(repo) == WORK
    assert log_of(repo) == theirs(manager)
    deinit(repo)
    assert state(repo) == before


HAND_WRITTEN = {
    "shell": "#!/bin/sh\necho shell >> .git/theirs\n",
    "python": "#!/usr/bin/env python3\nopen('.git/theirs', 'a').write('python\\n')\n",
}
MOVERS = [one for one in MANAGERS if one.name in {"lefthook", "pre-commit", "prek"}]


@pytest.mark.parametrize("manager", MOVERS, ids=lambda one: one.name)
@pytest.mark.parametrize("content", HAND_WRITTEN.values(), ids=HAND_WRITTEN)
def test_theirs_moves_a_hook_that_carries_ours(
    repo: Place, manager: Manager, tools: Path, content: str
) -> None:
    """A hook of the user's, ours in it, then theirs, which moves both aside; then ours again."""
    path = hook(repo, ".git/hooks/post-commit", content)
    manager.configure(repo)
    init(repo)
    manager.install(repo, tools)
    repo.commit("moved")
    moved = theirs_then(manager, content)
    assert (recorded(repo), log_of(repo)) == (["post-commit"] if moved[1:] else [], moved)
    init(repo)
    repo.commit("ours again")
    assert (recorded(repo), log_of(repo)) == (["post-commit"], theirs_then(manager, content))
    deinit(repo)
    aside = path.with_suffix(".old" if manager.name == "lefthook" else ".legacy")
    assert aside.read_text() == content
    assert not (repo.path / ".git/hooks/git-ledger.kept").exists()


def theirs_then(manager: Manager, content: str) -> list[str]:
    """What is noted: lefthook runs what it moved aside no more, the others run it first."""
    if manager.name == "lefthook":
        return ["post-commit"]
    return ["python" if "python" in content else "shell", "post-commit"]
