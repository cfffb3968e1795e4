"""The same answer wherever it is asked: homes of submodules, attributes, partial clones, the cache."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gitledger.git import mergetree
from gitledger.git.repository import discover
from gitledger.git.worktrees import list_worktrees
from gitledger.services import asking
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side, Terms
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from pathlib import Path

TEN = [f"line {n}\n" for n in range(1, 11)]


def edited(number: int, words: str) -> str:
    return "".join([*TEN[: number - 1], f"{words}\n", *TEN[number:]])


def verdicts(at: Place, *names: str, terms: Terms | None = None) -> dict:
    """Asked in a directory: every branch with the target and each other."""
    opened = discover(str(at.path))
    trees = {one.branch: one for one in list_worktrees(opened)}
    sides = [Side(one, at.git("rev-parse", one), one, trees.get(one)) for one in names]
    target = at.git("rev-parse", "main")
    question = Question(target, sides, True, terms=terms or Terms(), target_home=trees.get("main"))
    return {
        (one.a, one.b or "main"): (one.verdict, [(p.path, p.kind) for p in one.paths])
        for one in foresee(opened, question).pairs
    }


@pytest.fixture
def superproject(repo: Place, tmp_path: Path, env: dict[str, str]) -> Place:
    """A submodule at its first commit; `a` and `main` moved it on, one further than the other."""
    source = new_repository(tmp_path / "source", env)
    first = source.git("rev-parse", "HEAD")
    second, third = source.commit("two", s="2\n"), source.commit("three", s="3\n")
    repo.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(source.path), "sub")
    repo.git("-C", "sub", "checkout", "-q", first)
    repo.commit("sub")
    for name, oid in (("a", second), ("b", third)):
        tree = repo.worktree(name)
        tree.git("update-index", "--cacheinfo", f"160000,{oid},sub")
        tree.git("commit", "-q", "-m", name)
    repo.git("-C", "sub", "checkout", "-q", second)
    repo.commit("move on")
    return repo


def test_a_submodule_is_judged_where_the_merge_would_be_made(superproject: Place) -> None:
    places = [superproject, superproject.at("../a"), superproject.at("../b")]
    places.append(superproject.at(".git"))
    expected = {
        ("a", "main"): ("overlap", []),
        ("b", "main"): ("overlap", []),  # a fast-forward, and the submodule is there
        ("a", "b"): ("conflict", [("sub", "submodule not initialized")]),
    }
    assert [verdicts(one, "a", "b") for one in places] == [expected] * len(places)
    assert superproject.run("git", "merge", "-q", "--no-edit", "b").returncode == 0
    assert superproject.at("../a").run("git", "merge", "-q", "--no-edit", "b").returncode == 1


def test_the_callers_place_has_no_say_in_attributes(repo: Place) -> None:
    a, b = repo.worktree("a"), repo.worktree("b")
    a.commit("a", f=edited(5, "a"), __gitattributes="f merge=union\n")
    b.commit("b", f=edited(5, "b"))
    c = repo.worktree("c")
    c.commit("c", f=edited(5, "c"))
    expected = {
        ("a", "main"): ("clean", []),
        ("b", "main"): ("clean", []),
        ("c", "main"): ("clean", []),
        ("a", "b"): ("overlap", []),  # a's attributes
        ("a", "c"): ("overlap", []),
        ("b", "c"): ("conflict", [("f", "contents")]),
    }
    for place in (repo, a, b, repo.at(".git")):
        assert verdicts(place, "a", "b", "c") == expected
        if place.path.name != ".git":
            place.write(".gitattributes", "* merge=union\n")  # lying about, not committed


def test_what_git_said_is_not_asked_again(repo: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        repo.worktree(name).commit(name, f=edited(5, name))
    asked: list[int] = []

    def counting(git, pairs, *more):
        asked.append(len(pairs))
        return mergetree.merge_trees(git, pairs, *more)

    monkeypatch.setattr(asking, "merge_trees", counting)
    first = verdicts(repo, "a", "b", "c")
    assert verdicts(repo, "a", "b", "c") == first
    assert asked == [3]
    repo.at("../c").commit("moved", g="1\n")
    verdicts(repo, "a", "b", "c")
    assert asked == [3, 2]  # only the pairs of the one that moved
    repo.git("config", "merge.directoryRenames", "false")
    verdicts(repo, "a", "b", "c")
    assert asked == [3, 2, 3]  # another configuration, another answer


def test_a_cache_that_is_lost_or_broken_is_made_again(repo: Place) -> None:
    for name in ("a", "b"):
        repo.worktree(name).commit(name, f=edited(5, name))
    first = verdicts(repo, "a", "b")
    folder = repo.path / ".git" / "ledger" / "cache" / "outcomes"
    (file,) = folder.iterdir()
    assert next(iter(json.loads(file.read_text()).values()))[0] is False
    for content in (b"", b"{", b"[]"):
        file.write_bytes(content)
        assert verdicts(repo, "a", "b") == first
    file.unlink()
    assert verdicts(repo, "a", "b") == first


@pytest.fixture
def partial(repo: Place, tmp_path: Path, env: dict[str, str]) -> Place:
    """A clone without blobs, in which `a` and `b` have changed one line of `f`."""
    for name in ("a", "b"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(name, f=edited(5, name))
    repo.git("checkout", "-q", "main")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = Place(tmp_path / "clone", env)
    words = ("clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}", str(clone.path))
    repo.git(*words)
    return clone


def test_missing_objects_are_fetched_only_where_that_is_allowed(partial: Place) -> None:
    missing = ("rev-list", "--objects", "--all", "--missing=print")
    before = partial.git(*missing)
    assert "?" in before
    assert verdicts(partial, "a", "b", terms=Terms(no_fetch=True))["a", "b"] == ("unknown", [])
    assert partial.git(*missing) == before
    told = verdicts(partial, "a", "b")
    assert told["a", "b"] == ("conflict", [("f", "contents")])
    assert told["a", "main"] == ("clean", [])


def test_where_the_remote_is_gone_it_can_not_be_told(partial: Place, repo: Place) -> None:
    repo.path.rename(repo.path.with_name("gone"))
    told = verdicts(partial, "a", "b")
    assert told["a", "b"] == ("unknown", [])
    assert told["a", "main"] == ("clean", [])  # for that no content is needed


def test_an_unborn_branch_is_unknown_with_its_work_too(repo: Place) -> None:
    opened = discover(str(repo.path))
    question = Question(repo.git("rev-parse", "main"), [Side("unborn", None)])
    pair = foresee(opened, question).pairs[0]
    assert (pair.verdict, pair.reason) == ("unknown", "no commit to merge")


def test_a_file_of_attributes_is_looked_for_from_where_the_merge_would_be_made(repo: Place) -> None:
    """`core.attributesFile=own`: one that lies in this worktree, and in no other."""
    repo.write("f", "one\n")
    repo.commit("base")
    for name in ("a", "b"):
        repo.worktree(name).commit(name, f=f"{name}\n")
    repo.git("config", "core.attributesFile", "own")
    (repo.at("../a").path / "own").write_text("f merge=union\n")
    for place in (repo, repo.at("../a"), repo.at("../b")):
        assert verdicts_there(place, "a", "b") == "overlap"
        assert verdicts_there(place, "b", "a") == "conflict"
    for name, other, status in (("b", "a", 1), ("a", "b", 0)):
        tree = repo.at(f"../{name}")
        assert tree.run("git", "merge", "-q", "--no-edit", other).returncode == status


def verdicts_there(at: Place, onto: str, name: str) -> str:
    """Of one branch into another, where that is checked out."""
    opened = discover(str(at.path))
    home = next(one for one in list_worktrees(opened) if one.branch == onto)
    side = Side(name, at.git("rev-parse", name), name)
    question = Question(at.git("rev-parse", onto), [side], True, target_home=home)
    return foresee(opened, question).pairs[0].verdict
