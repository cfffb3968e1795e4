"""Merges that merge-tree calls clean, or a conflict, and that kill `git merge`: unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.truth import difference, really_merge
from gitledger.git.repository import discover
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side

if TYPE_CHECKING:
    from tests.support import Place

TEN = "".join(f"line {n}\n" for n in range(10))
LOST = "git failed: no object for 'site/sub', in a renamed directory"


@pytest.fixture
def docs(repo: Place) -> Place:
    """Branch `site` renames `docs`, and has no `docs/sub/` any more."""
    for name in ("docs/a", "docs/b", "docs/sub/f"):
        repo.write(name, name + TEN)
    repo.commit("docs")
    tree = repo.worktree("site")
    tree.git("rm", "-rq", "docs/sub")
    tree.git("mv", "docs", "site")
    tree.git("commit", "-q", "-m", "site")
    return repo


def put_in_its_place(repo: Place, kind: str) -> None:
    """main puts a file or a submodule where `docs/sub/` was."""
    repo.git("rm", "-rq", "docs/sub")
    if kind == "file":
        repo.write("docs/sub", "new\n")
        repo.git("add", "docs/sub")
    else:
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},docs/sub")
    repo.git("commit", "-q", "-m", "sub")


@pytest.mark.parametrize("kind", ["file", "submodule"])
@pytest.mark.parametrize(
    ("follow", "ours", "verdict"),
    [
        ("true", "main", "unknown"),
        ("true", "site", "overlap"),
        ("conflict", "main", "unknown"),
        ("conflict", "site", "conflict"),
        ("false", "main", "overlap"),
        ("false", "site", "overlap"),
    ],
)
def test_what_git_can_not_write_is_unknown(
    docs: Place, kind: str, follow: str, ours: str, verdict: str
) -> None:
    docs.git("config", "merge.directoryRenames", follow)
    put_in_its_place(docs, kind)
    theirs = "main" if ours == "site" else "site"
    target, tip = docs.git("rev-parse", ours, theirs).split()
    question = Question(target, [Side("a", tip)], committed_only=True)
    for _ in ("asked", "kept"):
        (pair,) = foresee(discover(str(docs.path)), question).pairs
        assert (pair.verdict, pair.reason) == (verdict, LOST if verdict == "unknown" else None)
    docs.git("checkout", "-q", "--detach")
    assert difference(pair, really_merge(docs.path, target, tip)) is None


def test_what_git_can_not_write_is_not_merged_without_a_checkout_either(docs: Place) -> None:
    docs.git("config", "merge.directoryRenames", "true")
    put_in_its_place(docs, "file")
    docs.git("checkout", "-q", "--detach")
    before = docs.git("rev-parse", "main")
    docs.ledger("init")
    docs.ledger("adopt", "--all")
    done = docs.ledger("merge", "site", "--onto", "main")
    assert (done.returncode, LOST in done.stderr) == (3, True), done
    assert docs.git("rev-parse", "main") == before
    planned = docs.ledger("plan", "--onto", "main")
    assert planned.stdout.splitlines()[0] == "0 of 1 merge into main, in this order:"


@pytest.mark.parametrize("many", [1000, 0], ids=["asked by name", "the tree listed"])
@pytest.mark.parametrize(
    ("others", "verdict"), [(["d/e/f/x", "d/y"], "unknown"), (["d/y"], "conflict")]
)
def test_a_new_file_that_a_file_leaves_no_room_for_is_unknown(
    repo: Place, monkeypatch: pytest.MonkeyPatch, others: list[str], verdict: str, many: int
) -> None:
    """`d/` becomes `g/` on one side; on the other `d/e` makes room for a directory."""
    monkeypatch.setattr("gitledger.git.unwritable._MANY", many)
    repo.write("d/e", TEN)
    repo.write("g/c", "c\n")
    repo.commit("d")
    tree = repo.worktree("renames")
    tree.git("mv", "d/e", "g/e")
    tree.git("commit", "-q", "-m", "g")
    (repo.path / "z").mkdir()
    repo.git("mv", "d/e", "z/e")
    for name in others:
        repo.write(name, "new\n")
    repo.git("add", ".")
    repo.git("commit", "-q", "-m", "z")
    target, tip = repo.git("rev-parse", "main", "renames").split()
    question = Question(target, [Side("a", tip)], committed_only=True)
    (pair,) = foresee(discover(str(repo.path)), question).pairs
    reason = "git failed: no room for 'g/e/f/x', in a renamed directory"
    assert (pair.verdict, pair.reason) == (verdict, reason if verdict == "unknown" else None)
    repo.git("checkout", "-q", "--detach")
    assert difference(pair, really_merge(repo.path, target, tip)) is None


@pytest.mark.parametrize("name", [":z", ":(x)y", "*"])
def test_a_name_that_looks_like_a_pattern_is_a_name(repo: Place, name: str) -> None:
    """Taken along to the root, where git would read `:` at its start as more than a letter."""
    repo.write("d/e", TEN)
    repo.commit("d")
    tree = repo.worktree("renames")
    tree.git("mv", "d/e", "e")
    tree.git("commit", "-q", "-m", "e")
    repo.write(f"d/{name}", "new\n")
    repo.commit("new")
    target, tip = repo.git("rev-parse", "main", "renames").split()
    question = Question(target, [Side("a", tip)], committed_only=True)
    (pair,) = foresee(discover(str(repo.path)), question).pairs
    assert (pair.verdict, pair.names) == ("conflict", [name, f"d/{name}"])
    repo.git("checkout", "-q", "--detach")
    assert difference(pair, really_merge(repo.path, target, tip)) is None
