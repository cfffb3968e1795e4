"""The archive: moved and never copied, whole in one place whenever it is killed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.errors import LedgerError
from gitledger.git.refs import Update, update
from gitledger.model.session_doc import document
from gitledger.services import sessions
from gitledger.services.session_archive import archive
from gitledger.services.session_start import Order, start_session
from gitledger.services.session_verify import verify
from gitledger.services.session_work import complete, view
from tests.session_steps import agent, begin, go, kept, ledger, told
from tests.support import ROOT, Place, new_repository

if TYPE_CHECKING:
    from pathlib import Path

PLANS = "docs/maestro/plans"
DESIGN, PLAN = f"{PLANS}/design.md", f"{PLANS}/plan.md"


def planned(place: Place) -> str:
    """A session with two documents and one completed phase; its id."""
    place.write(DESIGN, "the design\n")
    place.write(PLAN, "the plan\n")
    name = begin(place, phases="- one\n", design=DESIGN, plan=PLAN)
    go(place, "start", "1")
    agent(place, "a1", "coder").commit("work", made="1\n")
    told(place, "a1", "usage", usage={"input": 2, "output": 1})
    complete(ledger(place), kept(place), "1")
    return name


def faults(place: Place, name: str) -> list[str]:
    return verify(ledger(place), name).faults


def test_an_archive_moves_documents_and_record(repo: Place) -> None:
    name = planned(repo)
    before = document(view(ledger(repo), name))
    found = archive(ledger(repo), None)
    assert found.archived_files == [f"{PLANS}/archive/design.md", f"{PLANS}/archive/plan.md"]
    assert found.warnings == []
    assert sorted(os.listdir(repo.path / PLANS)) == ["archive"]
    assert (repo.path / found.archived_files[0]).read_text() == "the design\n"
    assert repo.git("for-each-ref", "--format=%(refname)", "refs/ledger/sessions") == ""
    assert sessions.active(ledger(repo)) is None
    after = document(view(ledger(repo), name))
    for one in (before, after):
        del one["updated"]
    assert after == {**before, "status": "completed"}
    checked = verify(ledger(repo), name)
    assert (checked.place, checked.faults) == ("archived", [])
    assert checked.documents == [(DESIGN, "archive"), (PLAN, "archive")]


def test_an_archived_session_needs_no_agents_logs(repo: Place) -> None:
    name = planned(repo)
    archive(ledger(repo), None)
    for ref in ("log", "spawn", "head", "note"):
        repo.git("update-ref", "-d", f"refs/ledger/agents/a1/{ref}")
    session = view(ledger(repo), name)
    assert (session.usage.input, session.phases[0].files_created) == (2, ("made",))
    assert [one.id for one in session.shares] == ["a1"]


def test_a_new_session_of_the_same_topic_gets_a_number(repo: Place) -> None:
    name = begin(repo)
    archive(ledger(repo), None)
    assert begin(repo) == f"{name}-2"


def test_archiving_twice_changes_nothing(repo: Place) -> None:
    name = planned(repo)
    archive(ledger(repo), None)
    refs = repo.git("for-each-ref")
    assert archive(ledger(repo), name).archived_files == [
        f"{PLANS}/archive/design.md",
        f"{PLANS}/archive/plan.md",
    ]
    assert repo.git("for-each-ref") == refs


def test_documents_that_are_not_there_are_skipped_and_named(repo: Place) -> None:
    name = planned(repo)
    os.remove(repo.path / DESIGN)
    found = archive(ledger(repo), None)
    assert found.archived_files == [f"{PLANS}/archive/plan.md"]
    assert found.warnings == [f"'{DESIGN}' does not exist: nothing to move"]
    assert faults(repo, name) == []


def test_a_session_without_documents_has_nothing_to_move(repo: Place) -> None:
    name = start_session(ledger(repo), Order("Fix", express=True)).session_id
    assert archive(ledger(repo), None).archived_files == []
    assert faults(repo, name) == []


def test_nothing_is_moved_where_something_else_is_in_the_way(repo: Place) -> None:
    planned(repo)
    repo.write(f"{PLANS}/archive/plan.md", "another plan\n")
    with pytest.raises(LedgerError) as caught:
        archive(ledger(repo), None)
    assert caught.value.message == f"'{PLANS}/archive/plan.md' exists already with other content"
    assert (repo.path / DESIGN).exists()
    assert kept(repo).session.place == "active"


def test_a_link_out_of_the_worktree_is_not_followed(repo: Place, tmp_path: Path) -> None:
    planned(repo)
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", repo.path / PLANS / "archive")
    with pytest.raises(LedgerError, match="leads out of the worktree"):
        archive(ledger(repo), None)
    assert (repo.path / DESIGN).exists()
    assert os.listdir(tmp_path / "outside") == []


def test_documents_move_in_the_worktree_where_the_session_began(repo: Place) -> None:
    planned(repo)
    other = agent(repo, "a2")
    archive(ledger(other), None)
    assert (repo.path / PLANS / "archive/plan.md").exists()
    assert not (other.path / "docs").exists()


def test_an_original_left_behind_is_named_and_then_removed(repo: Place) -> None:
    name = planned(repo)
    archive(ledger(repo), None)
    repo.write(PLAN, "the plan\n")
    repo.write(DESIGN, "a new design of that name\n")
    assert faults(repo, name) == [
        f"'{PLAN}' was left behind: finish with 'git ledger session archive' {name}"
    ]
    archive(ledger(repo), name)
    assert not (repo.path / PLAN).exists()
    assert (repo.path / DESIGN).read_text() == "a new design of that name\n"
    assert faults(repo, name) == []


def test_verify_names_what_is_wrong(repo: Place) -> None:
    name = planned(repo)
    archive(ledger(repo), None)
    repo.write(f"{PLANS}/archive/plan.md", "changed\n")
    os.remove(repo.path / PLANS / "archive/design.md")
    assert faults(repo, name) == [
        f"'{DESIGN}' is in neither place",
        f"the archived '{PLAN}' has other content than it had",
    ]


def test_half_a_ref_transaction_of_git_is_finished(repo: Place) -> None:
    name = planned(repo)
    archive(ledger(repo), None)
    old, new = sessions.old_ref(name), sessions.live_ref(name)
    oid = repo.git("rev-parse", old)
    update(ledger(repo), [Update(new, oid, None)])
    assert len(sessions.read_all(ledger(repo))) == 1
    assert faults(repo, name) == [
        (
            f"its record is archived but still in the live place: "
            f"finish with 'git ledger session archive' {name}"
        )
    ]
    begin(repo, "Another")  # a start finishes it first
    assert faults(repo, name) == []


def whole(place: Place, name: str) -> str:
    """Assert that session and documents are each in one place; where the session is."""
    (one,) = [one for one in sessions.read_all(ledger(place)) if one.session.session_id == name]
    assert one.session.phases[0].status == "completed"
    assert one.session.faults == ()
    for source, words in ((DESIGN, "the design\n"), (PLAN, "the plan\n")):
        goal = f"{PLANS}/archive/{os.path.basename(source)}"
        there = [path for path in (source, goal) if (place.path / path).exists()]
        assert len(there) == 1
        assert (place.path / there[0]).read_text() == words
    return verify(ledger(place), name).place


# Counts what changes something on disk, and kills itself before or after the n-th of it.
KILLER = """
import os, shutil, signal, subprocess, sys
from gitledger.git.process import Git
from gitledger.git.repository import discover
from gitledger.services.session_archive import archive

template, where = sys.argv[1:]

def armed(number):
    count = -1
    def wrap(function, changes):
        def call(*words, **more):
            nonlocal count
            if not changes(words):
                return function(*words, **more)
            count += 2
            if count - 1 == number:
                os.kill(os.getpid(), signal.SIGKILL)
            found = function(*words, **more)
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return found
        return call
    always = lambda words: True
    os.rename, os.makedirs = wrap(os.rename, always), wrap(os.makedirs, always)
    writes = {"update-ref", "hash-object", "mktree"}
    Git._finished = wrap(Git._finished, lambda words: bool(writes & set(words[1])))

for number in range(1000):
    shutil.copytree(template, f"{where}/{number}", symlinks=True)
    child = os.fork()
    if child == 0:
        armed(number)
        archive(discover(f"{where}/{number}"), None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        sys.exit(0 if os.WEXITSTATUS(status) == 0 else 1)
"""


def test_killed_before_or_after_any_change_it_is_whole_in_one_place(
    tmp_path: Path, env: dict[str, str]
) -> None:
    template = new_repository(tmp_path / "template", env)
    name = planned(template)
    where = tmp_path / "runs"
    where.mkdir()
    words = [sys.executable, "-c", KILLER, str(template.path), str(where)]
    subprocess.run(words, env={**env, "PYTHONPATH": str(ROOT)}, check=True)
    places = []
    for number in sorted(os.listdir(where), key=int):
        place = Place(where / number, env)
        places.append(whole(place, name))
        archive(ledger(place), name)
        assert whole(place, name) == "archived"
        assert faults(place, name) == []
        assert repo_is_quiet(place)
    assert places == sorted(places, key=["active", "archiving", "archived"].index)
    assert set(places) == {"active", "archiving", "archived"}
    assert len(places) > 15


def repo_is_quiet(place: Place) -> bool:
    return place.git("for-each-ref", "refs/ledger/sessions") == "" and place.is_clean_for_fsck()


def test_killed_with_its_git_at_a_random_moment_it_is_whole_too(
    tmp_path: Path, env: dict[str, str]
) -> None:
    template = new_repository(tmp_path / "template", env)
    name = planned(template)
    code = "import sys; from gitledger.git.repository import discover as d\n"
    code += "from gitledger.services.session_archive import archive; archive(d(sys.argv[1]), None)"
    dice = random.Random(7)
    seen: dict[str, int] = {}
    for number in range(12):
        place = Place(tmp_path / str(number), env)
        shutil.copytree(template.path, place.path, symlinks=True)
        started: Any = subprocess.Popen(
            [sys.executable, "-c", code, str(place.path)],
            env={**env, "PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )
        time.sleep(dice.uniform(0.02, 0.25))
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        where = whole(place, name)
        seen[where] = seen.get(where, 0) + 1
        for lock in (place.path / ".git").rglob("*.lock"):
            lock.unlink()  # what git left; a user is told to remove it
        archive(ledger(place), name)
        assert (whole(place, name), faults(place, name)) == ("archived", [])
    assert sum(seen.values()) == 12
