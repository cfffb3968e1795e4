"""The rules of who owns a commit, as a table. Beside it: who must not."""

from __future__ import annotations

import pytest

from gitledger.model.note import Note
from gitledger.model.ownership import Evidence, Owner, owner
from gitledger.model.reflog import Entry, amendments, rebases

NOTED = ("worktrees/a", Note("a"))
FOUND = ("worktrees/b", Note("b", found="reconcile"))


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (Evidence(notes=(NOTED,)), Owner("a", "hook")),
        (Evidence(notes=(FOUND, NOTED)), Owner("a", "hook")),
        (Evidence(notes=(FOUND,)), Owner("b", "reconcile")),
        (Evidence(notes=(NOTED,), made_by=("b",)), Owner("a", "hook")),
        (Evidence(notes=(NOTED,), trailer="t"), Owner("t", "trailer")),
        (Evidence(made_by=("a",)), Owner("a", "reconcile")),
        (Evidence(made_by=("a",), twin="a"), Owner("a", "reconcile")),
        (Evidence(made_by=("a",), twin="b"), Owner("a", "reconcile", ("b",))),
        (Evidence(made_elsewhere=True, twin="b"), Owner("b", "inferred")),
        (Evidence(twin="b"), Owner("b", "inferred")),
        (Evidence(only_on=("a",)), Owner("a", "inferred")),
    ],
)
def test_who_owns_a_commit(evidence: Evidence, expected: Owner) -> None:
    assert owner(evidence) == expected


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(),
        Evidence(made_elsewhere=True),
        Evidence(made_elsewhere=True, only_on=("a",)),
        Evidence(only_on=("a", "b")),
        Evidence(withheld=True, made_by=("a",), only_on=("a",)),
    ],
)
def test_what_stays_unrecorded(evidence: Evidence) -> None:
    assert owner(evidence) is None


@pytest.mark.parametrize(
    "why",
    [
        "commit: x",
        "commit (initial): x",
        "commit (amend): x",
        "commit (merge): x",
        "commit (cherry-pick): x",
        "commit: fast-forward the clock",
        "cherry-pick: x",
        'revert: Revert "x"',
        "am: x",
        "rebase (pick): x",
        "rebase (squash): x",
        "rebase (fixup): x",
        "rebase (reword): x",
        "rebase (continue): x",
        "rebase -i (pick): x",
        "pull --rebase (pick): x",
        "pull --rebase origin main (pick): x",
        "merge main: Merge made by the 'ort' strategy.",
        "pull: Merge made by the 'ort' strategy.",
    ],
)
def test_made_here(why: str) -> None:
    assert Entry("0", 0, why).made_here


@pytest.mark.parametrize(
    "why",
    [
        "",
        "checkout: moving from a to commit (amend): x",
        "reset: moving to HEAD~1",
        "merge main: Fast-forward",
        "pull: Fast-forward",
        "cherry-pick: fast-forward",
        "rebase: fast-forward",
        "rebase (start): checkout main",
        "rebase (finish): returning to refs/heads/a",
        "rebase (abort): returning to refs/heads/a",
        "Branch: renamed refs/heads/a to refs/heads/b",
        "branch: Created from HEAD",
        "clone: from /x",
        "checkout: moving from main to commit: x",
    ],
)
def test_only_visited(why: str) -> None:
    assert not Entry("0", 0, why).made_here


def test_an_amendment_replaces_the_commit_before_it() -> None:
    log = [
        Entry("1", 0, "commit: x"),
        Entry("2", 1, "commit (amend): x"),
        Entry("3", 2, "commit: y"),
    ]
    assert amendments(log) == {"2": "1"}


def test_a_rebase_keeps_what_its_steps_left() -> None:
    log = [
        Entry("t", 0, "commit: tip"),
        Entry("m", 1, "rebase (start): checkout main"),
        Entry("1", 1, "rebase (pick): one"),
        Entry("2", 1, "rebase (fixup): one"),
        Entry("3", 1, "rebase (pick): three"),
        Entry("3", 1, "rebase (finish): returning to refs/heads/a"),
        Entry("m", 2, "rebase (start): checkout main"),
        Entry("9", 2, "rebase (pick): one"),
        Entry("3", 2, "rebase (abort): returning to refs/heads/a"),
    ]
    first, second = rebases(log)
    assert (first.old_tip, first.onto, first.made, first.aborted) == ("t", "m", ("2", "3"), False)
    assert second.aborted


def test_a_rebase_that_still_runs_is_not_told() -> None:
    log = [Entry("t", 0, "commit: tip"), Entry("m", 1, "rebase (start): checkout main")]
    assert rebases(log) == []
