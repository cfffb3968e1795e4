"""Warnings beside the verdict: each with its evidence, and what must give rise to none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.judging import Asked, judge_all
from gitledger.services.live import look
from tests.support import git_calls

if TYPE_CHECKING:
    from tests.support import Place

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 1\n"


def warned(repo: Place) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Branch, kind, message (ids as branches) and paths of every warning."""
    judged = judge_all(look(discover(str(repo.path))), [], Asked())
    branches = {one.side.id: one.side.branch or "" for one in judged.forecast.facts}
    found = []
    for one in judged.warnings:
        message = one.message
        for agent, branch in branches.items():
            message = message.replace(agent, branch)
        found.append((branches[one.agent], one.kind, message, one.paths))
    return found


def test_old_files_committed_on_top_of_a_newer_target(repo: Place) -> None:
    a = repo.worktree("a")
    repo.commit("main", f="changed\n", new="1\n")
    a.git("reset", "-q", "--soft", "main")
    a.git("commit", "-q", "-m", "stale")
    assert warned(repo) == [
        ("a", "stale-base", "undoes what main changed since it began: f, new", ("f", "new"))
    ]


def test_a_merge_of_the_newer_target_undoes_nothing(repo: Place) -> None:
    a = repo.worktree("a")
    a.commit("own", g="1\n")
    repo.commit("main", f="changed\n", new="1\n")
    a.git("merge", "-q", "--no-edit", "main")
    assert warned(repo) == []


def test_who_was_put_on_a_branch_with_commits_undoes_nothing(repo: Place) -> None:
    repo.git("checkout", "-q", "-b", "a")
    repo.commit("own", f="a\n")
    repo.git("checkout", "-q", "main")
    repo.git("worktree", "add", "-q", "../a", "a")
    assert warned(repo) == []
    repo.at("../a").commit("more", g="1\n")
    assert warned(repo) == []


def test_where_many_began_is_asked_once(repo: Place) -> None:
    """Each was put on a branch with commits, and went on."""
    counted = []
    for number in range(5):
        repo.git("checkout", "-q", "-b", f"w{number}", "main")
        repo.commit("before", **{f"a{number}": "1\n"})
        repo.git("checkout", "-q", "main")
        repo.git("worktree", "add", "-q", f"../w{number}", f"w{number}")
        repo.at(f"../w{number}").commit("after", **{f"b{number}": "1\n"})
        calls = git_calls(repo, "conflicts", "--committed", "--json")
        counted.append(sum(one.startswith("git merge-base ") for one in calls))
    assert counted[1:] == [counted[1]] * 4


def test_files_below_a_directory_that_is_gone(repo: Place) -> None:
    repo.commit("dir", **{"d/x": "1\n", "d/y": "2\n"})
    a, b = repo.worktree("a"), repo.worktree("b")
    a.commit("new", **{"d/new": "3\n"})
    b.git("rm", "-q", "-r", "d")
    b.commit("gone")
    assert warned(repo) == [
        ("a", "removed-directory", "adds files below a directory that b removed: d/new", ("d/new",))
    ]
    repo.git("merge", "-q", "--no-edit", "b")
    told = ("a", "removed-directory", "adds files below a directory that main removed: d/new")
    assert told in [one[:3] for one in warned(repo)]


def removed(*pairs: tuple[str, str]) -> list[tuple[str, str]]:
    return [(who, f"adds files below a directory that {by} removed: d/new") for who, by in pairs]


@pytest.mark.parametrize("first", ["a", "b"])
def test_they_are_told_of_agents_that_began_at_different_commits(repo: Place, first: str) -> None:
    """`a` adds, `b` removes; whoever began before main went on."""
    repo.commit("dir", **{"d/x": "1\n", "d/y": "2\n"})
    repo.worktree(first)
    repo.commit("elsewhere", e="1\n")
    repo.worktree("b" if first == "a" else "a")
    repo.at("../a").commit("new", **{"d/new": "3\n"})
    repo.at("../b").git("rm", "-q", "-r", "d")
    repo.at("../b").commit("gone")
    assert [(one, words) for one, _, words, _ in warned(repo)] == removed(("a", "b"))


def test_a_directory_that_is_made_anew_was_not_there(repo: Place) -> None:
    """`b` removed it, as main did; `a` began after that. `c` began before it was there."""
    c = repo.worktree("c")
    repo.commit("dir", **{"d/x": "1\n"})
    b = repo.worktree("b")
    b.git("rm", "-q", "-r", "d")
    b.commit("gone")
    repo.git("rm", "-q", "-r", "d")
    repo.commit("gone too")
    for place in (repo.worktree("a"), c):
        place.commit("new", **{"d/new": "3\n"})
    assert [one[:2] for one in warned(repo)] == [("b", "squash-merged")]  # main did the same


def test_what_the_target_adds_there_is_nobodys(repo: Place) -> None:
    repo.commit("dir", **{"d/x": "1\n"})
    b = repo.worktree("b")
    b.git("rm", "-q", "-r", "d")
    b.commit("gone")
    repo.commit("more", **{"d/new": "1\n"})
    repo.worktree("a").commit("elsewhere", e="1\n")
    assert warned(repo) == []


def test_names_that_are_one_on_some_file_systems(repo: Place) -> None:
    repo.commit("dir", **{"src/x": "1\n"})
    made = {"a": ["Src/y", "caf\u00e9", "plain"], "b": ["cafe\u0301", "Plain"]}
    for name, paths in made.items():
        place = repo.worktree(name)
        for path in paths:
            place.write(path, "1\n")
        place.commit(name)
    repo.worktree("c").commit("c", plains="1\n")
    kinds = [(branch, kind, paths) for branch, kind, _, paths in warned(repo)]
    assert kinds == [
        ("a", "same-name", ("Src/", "caf\u00e9", "plain")),
        ("b", "same-name", ("Plain", "cafe\u0301")),
    ]


def test_files_that_nobody_merges_line_by_line(repo: Place) -> None:
    files = {"go.sum": "0\n", "api.py": "# @generated\n0\n", "big.bin": POINTER.format(0)}
    repo.commit("base", **files)
    for name in ("a", "b"):
        place = repo.worktree(name)
        for path, content in files.items():
            place.write(path, content.replace("0", name))
        place.write("f", f"{name}\n")
        place.commit(name)
    assert [one for one in warned(repo) if one[1] != "same-name"] == [
        (
            "a",
            "generated",
            "with b: both changed a generated file: merge its source and make it anew: api.py",
            ("api.py",),
        ),
        (
            "a",
            "lfs-pointer",
            "with b: both changed an LFS pointer: take one version whole: big.bin",
            ("big.bin",),
        ),
        (
            "a",
            "lock-file",
            "with b: both changed a lock file: merge the rest and make it anew: go.sum",
            ("go.sum",),
        ),
    ]
