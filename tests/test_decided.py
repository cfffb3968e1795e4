"""What a `checked` event holds: all that the verdict depends on, and nothing of the machine."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from gitledger import __version__
from gitledger.git.attributes import home_at
from gitledger.git.on_record import recordable
from gitledger.git.repository import discover
from gitledger.git.worktrees import list_worktrees
from gitledger.store import logs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

OTHERS = "\n".join(f"line {n}" for n in range(2, 11)) + "\n"


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def told(place: Place) -> list[dict[str, Any]]:
    """Every `checked` event, without the keys that all events have."""
    found = logs.read_all(discover(str(place.path))).values()
    events = [one.body for log in found for one in log.events if one.kind == "checked"]
    common = {"v", "kind", "at", "prev", "nonce"}
    return [{key: value for key, value in one.items() if key not in common} for one in events]


def test_merge_and_the_gates_record_the_same(repo: Place) -> None:
    assert repo.ledger("init", "--gates").returncode == 0
    repo.git("config", "merge.directoryRenames", "true")
    linked = repo.worktree("a")
    linked.commit("a's first line", f=f"of a\n{OTHERS}")
    repo.commit("main's first line", f=f"of main\n{OTHERS}")
    repo.git("init", "-q", "--bare", "../remote")
    assert linked.run("git", "push", "-q", "../remote", "a").returncode == 0
    assert repo.ledger("merge", "a").returncode == 1
    main, a = repo.git("rev-parse", "main"), repo.git("rev-parse", "a")
    # As merge-tree names the sides, with what it was asked: the two ids.
    tree = repo.run("git", "merge-tree", "--write-tree", main, a).stdout.splitlines()[0]
    both = {
        "ours": main,
        "theirs": a,
        "bases": [repo.git("merge-base", "main", "a")],
        "verdict": "conflict",
        "git": repo.git("version").split()[2],
        "config": {"merge.directoryrenames": "true"},
        "tree": tree,
        "paths": [{"path": "f", "kind": "contents"}],
        "home": "main-worktree",
        "ledger": __version__,
    }
    assert told(repo) == [
        {"by": "pre-push", "decision": "warned", **both},
        {"by": "merge", "decision": "refused", **both},
    ]


def test_a_gate_that_decides_the_same_again_records_it_once(repo: Place) -> None:
    assert repo.ledger("init", "--gates").returncode == 0
    linked = repo.worktree("a")
    linked.commit("a's first line", f=f"of a\n{OTHERS}")
    repo.commit("main's first line", f=f"of main\n{OTHERS}")
    for _ in range(2):
        linked.ledger("gate", "manual")
    assert len(told(repo)) == 1
    repo.git("config", "merge.conflictStyle", "diff3")
    linked.ledger("gate", "manual")
    assert [one["config"] for one in told(repo)] == [{}, {"merge.conflictstyle": "diff3"}]


def recorded(place: Place) -> dict[str, Any]:
    found = recordable(discover(str(place.path)))
    assert found.pop("git") == place.git("version").split()[2]
    return found


@pytest.mark.parametrize(
    ("settings", "config"),
    [
        ({}, {}),
        (
            {"merge.renames": "copies", "diff.renameLimit": "7", "merge.default": "own"},
            {"diff.renamelimit": "7", "merge.default": "own", "merge.renames": "copies"},
        ),
        (
            {"merge.Own.driver": "/home/me/bin/merge --token=s3cret %A", "merge.Own.name": "mine", "merge.Own.recursive": "text"},
            {"merge.Own.driver": digest("/home/me/bin/merge --token=s3cret %A"), "merge.Own.recursive": "text"},
        ),
        ({"merge.tool": "vimdiff", "merge.ff": "only", "merge.x.url": "s3cret"}, {}),
        ({"user.password": "s3cret", "core.autocrlf": "input", "filter.x.clean": "x"}, {}),
        (
            {"merge.renormalize": "true", "core.autocrlf": "input", "filter.x.clean": "x"},
            {"core.autocrlf": "input", "filter.x.clean": digest("x"), "merge.renormalize": "true"},
        ),
    ],
)  # fmt: skip
def test_what_of_the_configuration_is_recorded(
    repo: Place, settings: dict[str, str], config: dict[str, str]
) -> None:
    for name, value in settings.items():
        repo.git("config", name, value)
    assert recorded(repo) == {"config": config}


def test_attributes_outside_the_tree_are_a_digest(repo: Place, tmp_path: Path) -> None:
    repo.write(".git/info/attributes", "f merge=union\n")
    assert recorded(repo) == {"config": {}, "attributes": digest("f merge=union\n")}
    own = tmp_path / "own attributes"
    own.write_text("g -merge\n")
    repo.git("config", "core.attributesFile", str(own))
    both = digest("f merge=union\n", "g -merge\n")
    assert recorded(repo) == {"config": {}, "attributes": both}


def test_replace_refs_are_a_digest(repo: Place) -> None:
    old = repo.git("rev-parse", "HEAD")
    new = repo.commit("new")
    repo.git("replace", old, new)
    before = recorded(repo)
    assert set(before) == {"config", "replaced"}
    repo.git("replace", "-d", old)
    assert recorded(repo) == {"config": {}}


def test_where_worktrees_have_settings_of_their_own_it_is_that_of_the_merge(repo: Place) -> None:
    repo.worktree("a").git("config", "extensions.worktreeConfig", "true")
    repo.at("../a").git("config", "--worktree", "merge.conflictStyle", "diff3")
    from_a = discover(str(repo.path.parent / "a"))
    found = {
        tree.name: recordable(from_a, home_at(from_a, tree))["config"]
        for tree in list_worktrees(from_a)
    }
    assert found == {"main-worktree": {}, "worktrees/a": {"merge.conflictstyle": "diff3"}}
    assert recordable(from_a)["config"] == {}
