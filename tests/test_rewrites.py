"""Every rewrite, with native hooks, pre-commit's, prek's and none: who made what is there."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.model.ownership import HOOK as BY_HOOK
from gitledger.model.ownership import TRAILER as BY_TRAILER
from gitledger.services.live import look
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.services.who import who
from gitledger.store import notes
from tests.managers import RECORDED, configure, install_framework
from tests.rewrites import (
    CLOSE,
    COLUMNS,
    FOUND,
    HOOK,
    NOTHING,
    OPEN,
    REWRITES,
    TODO,
    Rewrite,
    matrix,
)
from tests.support import ROOT, Place, new_repository, put_hooks

if TYPE_CHECKING:
    from pathlib import Path

LONG = bool(os.environ.get("GIT_LEDGER_LONG_TESTS"))


def prepared(repo: Place, column: str, published: Place) -> Place:
    """An agent with three commits; main, `other` and `conflicting` have gone on."""
    if column in {"native", TRAILER}:
        put_hooks(repo, ["sh"])
        repo.git("config", "ledger.trailer", str(column == TRAILER).lower())
    elif column != "no hooks":
        configure(repo, published, *(f"ledger-{one}" for one in RECORDED))
        install_framework(repo, column, *RECORDED)
    repo.git("branch", "-q", "other")
    repo.git("branch", "-q", "conflicting")
    made = spawn(discover(str(repo.path)), Order("a", "a", "a", str(repo.path.parent / "a")))
    a = repo.at(made.path)
    for subject, name in (("one", "x"), ("two", "y")):
        a.commit(subject, **{name: f"{subject}\n"})
    a.commit("three", z="three\n", zz="three\n")
    for branch, name in (("other", "o"), ("conflicting", "y")):
        repo.git("checkout", "-q", branch)
        repo.commit(branch, **{name: "theirs\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("on main", m="1\n")
    return a


TRAILER = "native, with trailers"


@pytest.fixture(scope="session")
def molds() -> dict[str, Path]:
    """The place that each cell of a column begins with, made once."""
    return {}


@pytest.fixture
def start(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    seal: dict[str, str],
    molds: dict[str, Path],
    published: Place,
) -> Place:
    column = request.param
    if column not in molds:
        molds[column] = tmp_path_factory.mktemp("mold")
        prepared(new_repository(molds[column] / "repo", seal), column, published)
    shutil.copytree(molds[column], tmp_path / "cell", symlinks=True)
    return relinked(tmp_path / "cell", seal)


def relinked(folder: Path, seal: dict[str, str]) -> Place:
    """The copy's worktree, linked with the copy's repository."""
    admin, a = folder / "repo/.git/worktrees/a", folder / "a"
    (a / ".git").write_text(f"gitdir: {admin}\n")
    (admin / "gitdir").write_text(f"{a}/.git\n")
    return Place(a, seal)


CELLS = [
    pytest.param(column, name, id=f"{name}-{column}")
    for column in COLUMNS
    for name, case in REWRITES.items()
    if LONG or case.quick or column in {"native", "no hooks"}
]


@pytest.mark.parametrize(("start", "name"), CELLS, indirect=["start"])
def test_rewrite(start: Place, name: str, request: pytest.FixtureRequest) -> None:
    column = request.node.callspec.params["start"]
    case = REWRITES[name]
    was = dict(
        one.split(" ", 1) for one in start.git("log", "--format=%H %s", "main..").split("\n")
    )
    done = start.run("sh", "-c", TODO + case.commands)
    assert done.returncode == 0, done.stdout + done.stderr
    by_hook = check_who(start, case)
    report = reconcile(discover(str(start.path)))
    check_notes(start, case)
    after = case.after if column == "no hooks" else case.after | case.listed
    check_gone(start, case, was, after)
    settle(start)
    assert start.is_clean_for_fsck()
    cell = FOUND if report.noted or report.superseded or not by_hook else HOOK
    assert (NOTHING if set(case.live) == set(case.others) else cell) == case.cell(column)


@pytest.mark.parametrize("start", [TRAILER], indirect=True)
@pytest.mark.parametrize("name", [name for name, case in REWRITES.items() if case.quick])
def test_with_trailers_the_trailer_decides(start: Place, name: str) -> None:
    """Each commit is its agent's by the trailer in its message, where the message has one."""
    case = REWRITES[name]
    assert start.run("sh", "-c", TODO + case.commands).returncode == 0
    check_who(start, case)
    settle(start)
    check_who(start, case)
    view = look(discover(str(start.path)))
    for oid in live(start, case):
        named = "Ledger-Agent: a" in start.git("log", "-1", "--format=%B", oid)
        owner = who(view, oid).owner
        assert (owner is not None and owner.how == BY_TRAILER) == named


@pytest.mark.parametrize("start", [TRAILER], indirect=True)
def test_a_trailer_outranks_the_worktree_and_the_note(start: Place) -> None:
    here = discover(str(start.path))
    spawn(here, Order("b", "b", "b", str(start.path.parent / "b")))
    start.git("commit", "-q", "--allow-empty", "-m", "for b", "-m", "Ledger-Agent: b")
    settle(start)
    owner = who(look(here), start.git("rev-parse", "HEAD")).owner
    assert (owner and (owner.agent, owner.how)) == ("b", BY_TRAILER)


def settle(a: Place) -> None:
    """Reconcile, and again, which changes nothing."""
    reconcile(discover(str(a.path)))
    assert not reconcile(discover(str(a.path)))


def live(a: Place, case: Rewrite) -> dict[str, str]:
    """Commit to subject, of what stands from main on, newest first."""
    span = case.tip if ".." in case.tip else f"main..{case.tip}"
    listed = a.git("log", "--topo-order", "--format=%H %s", span).splitlines()
    return dict(line.split(" ", 1) for line in listed)


def check_who(a: Place, case: Rewrite) -> bool:
    """As reading commands tell it now; whether hooks recorded all of it."""
    view = look(discover(str(a.path)))
    commits = live(a, case)
    assert tuple(commits.values()) == case.live
    answers = {oid: who(view, oid) for oid in commits}
    named = {oid: one.owner.agent if one.owner else None for oid, one in answers.items()}
    assert named == {oid: None if s in case.others else "a" for oid, s in commits.items()}
    assert [one.superseded_by for one in answers.values()] == [None] * len(answers)
    return all(one.owner.how == BY_HOOK for one in answers.values() if one.owner)


def check_notes(a: Place, case: Rewrite) -> None:
    """Every live commit of the agent has one note, and it is the agent's."""
    read = notes.read_all(discover(str(a.path)))
    for oid, subject in live(a, case).items():
        there = [place[oid].agent for place in read.values() if oid in place]
        assert there == ([] if subject in case.others else ["a"]), subject


def check_gone(a: Place, case: Rewrite, was: dict[str, str], after: dict[str, str | None]) -> None:
    """What went away is marked with what stands for it; steps on the way are not looked at."""
    view = look(discover(str(a.path)))
    now = live(a, case)
    listed = a.git("log", "-g", "--format=%H %s", "HEAD").splitlines()
    rest = dict(line.split(" ", 1) for line in listed)
    gone = was | {oid: s for oid, s in rest.items() if s in case.after and s not in was.values()}
    found: dict[str, str | None] = {}
    for oid, subject in gone.items():
        if oid not in now and subject in case.after:
            new = who(view, oid).superseded_by
            found[subject] = now.get(new, new) if new else None
    assert found == after


def test_the_page_has_the_matrix_as_it_is_tested() -> None:
    page = (ROOT / "docs/HOOKS.md").read_text()
    assert OPEN + matrix() + CLOSE in page, "run: python -m tests.rewrites"
