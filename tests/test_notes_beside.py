"""Another tool has a ref `refs/notes/ledger`: our notes go beside, and its are left alone."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.hooks import errors

if TYPE_CHECKING:
    from tests.support import Place

BESIDE = "refs/notes/git-ledger"


@pytest.fixture
def taken(hooked: Place) -> Place:
    """With the hooks, and with a note of the other tool's."""
    hooked.git("notes", "--ref=ledger", "add", "-m", "theirs", "HEAD")
    return hooked


def noted(place: Place, ref: str) -> set[str]:
    """The commits that a notes ref has notes on."""
    return {line.split(" ")[1] for line in place.git("notes", "--ref", ref, "list").splitlines()}


def owners(place: Place, *commits: str) -> list[str | None]:
    told = [json.loads(place.ledger("who", "--json", one).stdout) for one in commits]
    return [one.get("agent") for one in told]


def agent_in(place: Place) -> str:
    return place.ledger("current").stdout.split()[0]


def test_hooks_note_commits_and_what_replaces_them_there(taken: Place) -> None:
    theirs = taken.git("rev-parse", "refs/notes/ledger")
    a = taken.worktree("a")
    old = a.commit("one", x="1\n")
    a.git("commit", "-q", "--amend", "-m", "better")
    new = a.git("rev-parse", "HEAD")
    assert noted(a, f"{BESIDE}/worktrees/a") == {old, new}
    assert f"supersedes: {old}" in a.git("notes", "--ref", f"{BESIDE}/worktrees/a", "show", new)
    taken.commit("on main", m="1\n")
    a.git("rebase", "-q", "main")
    assert f"supersedes: {new}" in a.git("notes", "--ref", f"{BESIDE}/worktrees/a", "show", "HEAD")
    assert owners(a, new, "HEAD") == [agent_in(a)] * 2
    assert taken.git("rev-parse", "refs/notes/ledger") == theirs
    assert errors(taken) == ""
    assert taken.ledger("verify").returncode == 0
    assert a.is_clean_for_fsck()


def test_many_at_once(taken: Place) -> None:
    """The other tool's hook writes meanwhile."""
    trees = [taken.worktree(f"w{n}") for n in range(8)]
    script = "for i in 1 2 3; do echo $i > n; git add n; git commit -q -m $i || exit 1; done"
    script += "; git notes --ref=ledger append -m x HEAD 2>/dev/null; true"
    running = [subprocess.Popen(["sh", "-c", script], cwd=one.path, env=one.env) for one in trees]
    assert [one.wait() for one in running] == [0] * 8
    for n, tree in enumerate(trees):
        made = set(tree.git("rev-list", "main..HEAD").splitlines())
        assert len(made) == 3
        assert noted(tree, f"{BESIDE}/worktrees/w{n}") == made
    assert taken.ledger("verify").returncode == 0


def test_commands_write_there_too(taken: Place) -> None:
    assert taken.ledger("spawn", "Task", "--path", "../t", "-b", "t").returncode == 0
    t = taken.at("../t")
    made = t.commit("one", x="1\n")
    assert noted(t, f"{BESIDE}/worktrees/t") == {made}
    t.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "unseen")
    assert taken.ledger("reconcile").returncode == 0
    assert noted(t, f"{BESIDE}/worktrees/t") == {made, t.git("rev-parse", "HEAD")}


def test_when_the_other_ref_goes_both_places_are_read(taken: Place) -> None:
    """Who writes beside goes on there; who comes later has the usual place."""
    a = taken.worktree("a")
    first = a.commit("one", x="1\n")
    taken.git("update-ref", "-d", "refs/notes/ledger")
    second = a.commit("two", x="2\n")
    b = taken.worktree("b")
    third = b.commit("three", y="3\n")
    assert noted(a, f"{BESIDE}/worktrees/a") == {first, second}
    assert noted(b, "refs/notes/ledger/worktrees/b") == {third}
    assert owners(taken, first, second, third) == [agent_in(a), agent_in(a), agent_in(b)]
    a.git("cherry-pick", third)
    assert taken.ledger("verify").returncode == 0


def test_init_says_where_notes_go(repo: Place) -> None:
    repo.git("update-ref", "refs/notes/ledger", "HEAD")
    done = repo.ledger("init")
    assert done.returncode == 0
    assert "notes go to refs/notes/git-ledger/" in done.stdout + done.stderr
