"""A verdict on record beside a derived one: what is a fault, what is explained, what is the same."""

from __future__ import annotations

from typing import Any

import pytest

from gitledger.model.rederived import compare, words
from gitledger.model.verdict import UNRELATED, Pair, PathConflict

DERIVED = Pair("a", "b", "conflict", ("base",), (PathConflict("f", "contents"),), tree="tree")
BODY = {
    "verdict": "conflict",
    "bases": ["base"],
    "tree": "tree",
    "paths": [{"path": "f", "kind": "contents"}],
    "git": "2.39.5",
    "config": {},
    "home": "main-worktree",
    "ledger": "1.0",
}
NOW = {"git": "2.39.5", "config": {}, "home": "main-worktree", "ledger": "1.0"}


def come_out(changes: dict[str, Any], derived: Pair = DERIVED) -> tuple[str, list[str], str | None]:
    """How a body with changes (`...` takes a key away) comes out: status, fields, reason."""
    body = {key: value for key, value in {**BODY, **changes}.items() if value is not ...}
    found = compare(body, derived, NOW)
    return found.status, [one.field for one in found.differences], found.reason


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"verdict": "clean"}, ["verdict"]),
        ({"verdict": "nonsense"}, ["verdict"]),
        ({"tree": "other"}, ["tree"]),
        ({"tree": 5}, ["tree"]),
        ({"bases": []}, ["bases"]),
        ({"bases": "x"}, ["bases"]),
        ({"paths": [{"path": "g", "kind": "contents"}]}, ["paths"]),
        ({"paths": [5, {"kind": []}]}, ["paths"]),
        ({"verdict": "unknown", "reason": UNRELATED}, ["verdict"]),
        ({"verdict": "clean", "tree": "x", "bases": [], "paths": ...}, ["verdict", "bases", "tree"]),
    ],
)  # fmt: skip
def test_each_field_that_is_wrong_is_named(changes: dict[str, Any], fields: list[str]) -> None:
    assert come_out(changes) == ("differs", fields, None)


@pytest.mark.parametrize("field", ["tree", "paths", "bases", "git", "config", "home", "ledger"])
def test_what_an_event_lacks_is_not_compared(field: str) -> None:
    assert come_out({field: ...}) == ("same", [], None)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"git": ...}, "the version of git is not on record"),
        ({"config": ...}, "the configuration is not on record"),
        ({"config": {"merge.renames": "false"}}, "merge.renames was 'false', is unset"),
        ({"attributes": "x"}, "attributes outside the tree were others"),
        ({"replaced": "x"}, "replace refs were others"),
        ({"ledger": "0.9"}, "judged by git-ledger 0.9, this is 1.0"),
        ({"home": "worktrees/x"}, "the worktree that it was judged in is gone"),
        ({"git": "2.30.1", "config": {"merge.default": "x"}}, "judged by git 2.30.1, this is 2.39.5; merge.default was 'x', is unset"),
        ({"verdict": "unknown"}, "it was unknown, and why is not on record"),
        ({"verdict": "unknown", "reason": "missing objects: x"}, "it was unknown: missing objects: x"),
        ({"paths": [{"path": "s", "kind": "submodule not initialized"}]}, "a submodule has a say, by what of it is checked out"),
    ],
)  # fmt: skip
def test_another_result_under_other_conditions_is_no_fault(
    changes: dict[str, Any], reason: str
) -> None:
    status, _, told = come_out({"verdict": "overlap", **changes})
    assert (status, told) == ("not-derivable", reason)


@pytest.mark.parametrize(
    "changes",
    [{"git": "2.30.1"}, {"config": {"merge.renames": "false"}}, {"home": "worktrees/x"}, {"replaced": "x"}],
)  # fmt: skip
def test_the_same_result_under_other_conditions_is_the_same(changes: dict[str, Any]) -> None:
    assert come_out(changes) == ("same", [], None)


MISSING, FAILED = "missing objects: a commit, or one in its history", "git failed: x"


@pytest.mark.parametrize(
    ("changes", "reason", "expected"),
    [
        ({"verdict": "clean"}, MISSING, ("not-derivable", [], MISSING)),
        ({"verdict": "clean"}, FAILED, ("not-derivable", [], FAILED)),
        ({"verdict": "unknown"}, MISSING, ("not-derivable", [], MISSING)),
        ({"verdict": "unknown", "reason": FAILED}, MISSING, ("not-derivable", [], MISSING)),
        ({"verdict": "unknown", "reason": FAILED}, FAILED, ("same", [], None)),
        ({"verdict": "unknown", "reason": [1]}, FAILED, ("not-derivable", [], FAILED)),
        ({"verdict": "unknown", "reason": UNRELATED}, UNRELATED, ("same", [], None)),
        ({"verdict": "unknown"}, UNRELATED, ("same", [], None)),
        ({"verdict": "clean"}, UNRELATED, ("differs", ["verdict"], None)),
    ],
)
def test_what_is_unknown_now_is_an_answer_only_where_the_commits_make_it_so(
    changes: dict[str, Any], reason: str, expected: tuple[str, list[str], str | None]
) -> None:
    derived = Pair("a", "b", "unknown", reason=reason)
    assert come_out({"bases": ..., "tree": ..., "paths": ..., **changes}, derived) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tree": "x"}, "tree 'x' on record, 'tree' derived"),
        (
            {"verdict": "clean", "paths": [], "git": "2.30"},
            "verdict 'clean' on record, 'conflict' derived; "
            "paths none on record, 'f' (contents) derived (but judged by git 2.30, this is 2.39.5)",
        ),
        ({"bases": ["x", "y"]}, "bases 'x', 'y' on record, 'base' derived"),
        ({"bases": [*"vwxyz"]}, "bases 'v', 'w', 'x' and 2 more on record, 'base' derived"),
    ],
)
def test_in_words(changes: dict[str, Any], expected: str) -> None:
    assert words(compare({**BODY, **changes}, DERIVED, NOW)) == expected


def test_in_words_without_an_answer() -> None:
    derived = Pair("a", "b", "unknown", reason=MISSING)
    assert words(compare(BODY, derived, NOW)) == f"can't be derived: {MISSING}"
