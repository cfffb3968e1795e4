"""Paths that git moves out of each other's way: told as themselves, with what git calls them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.git.worktrees import list_worktrees
from gitledger.model.moved import named, parted
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.model.verdict import Pair
    from tests.support import Place

A, B = "a" * 40, "b" * 40


def file(place: Place) -> None:
    place.write("n", "1\n")


def directory(place: Place) -> None:
    place.write("n/m", "1\n")


def executable(place: Place) -> None:
    (place.path / "f").chmod(0o755)


def link(place: Place) -> None:
    (place.path / "f").unlink()
    (place.path / "f").symlink_to("x")


CLASHES = {
    "file/directory": (file, directory, "n"),
    "directory/file": (directory, file, "n"),
    "mode/link": (executable, link, "f"),
    "link/mode": (link, executable, "f"),
}


def clash(repo: Place, ours: Callable[[Place], None], theirs: Callable[[Place], None]) -> None:
    for name, change in (("ours", ours), ("a/b", theirs)):
        place = repo.worktree(name.replace("/", "-"), name)
        change(place)
        place.commit(name)


def judged(repo: Place, *names: str, **how: bool) -> Pair:
    opened = discover(str(repo.path))
    trees = {one.branch: one for one in list_worktrees(opened)}
    sides = [Side(one, repo.git("rev-parse", one), one, trees.get(one)) for one in names]
    return foresee(opened, Question(None, sides, **how)).pairs[0]


def unmerged(repo: Place, branch: str) -> set[str]:
    """What `git merge` of a branch leaves unmerged, in the worktree of the other."""
    assert repo.run("git", "merge", "-q", branch).returncode == 1
    return {one.partition("\t")[2] for one in repo.git("ls-files", "-u", "-z").split("\0") if one}


@pytest.mark.parametrize("case", CLASHES)
def test_the_names_are_those_that_git_merge_writes(repo: Place, case: str) -> None:
    ours, theirs, path = CLASHES[case]
    clash(repo, ours, theirs)
    pair = judged(repo, "ours", "a/b", committed_only=True)
    assert [one.path for one in pair.paths] == [path]
    left = unmerged(repo.at("../ours"), "a/b")
    assert left - {path} == set(pair.paths[0].moved_to)


def test_of_work_that_is_not_committed_too(repo: Place) -> None:
    for name, change in (("ours", file), ("a/b", directory)):
        change(repo.worktree(name.replace("/", "-"), name))
    (one,) = judged(repo, "ours", "a/b").paths
    assert (one.path, one.kind, one.moved_to) == ("n", "file/directory", ("n~HEAD",))
    (one,) = judged(repo, "a/b", "ours").paths
    assert (one.path, one.kind, one.moved_to) == ("n", "file/directory", ("n~ours",))


def test_a_detached_side_is_called_by_its_commit(repo: Place) -> None:
    clash(repo, directory, file)
    commit = repo.git("rev-parse", "a/b")
    sides = [Side("one", repo.git("rev-parse", "ours")), Side("two", commit)]
    (pair,) = foresee(discover(str(repo.path)), Question(None, sides)).pairs
    assert pair.paths[0].moved_to == (f"n~{commit}",)


def test_the_document_and_the_words(repo: Place) -> None:
    clash(repo, directory, file)
    told = json.loads(repo.ledger("check", "a/b", "--onto", "ours", "--json").stdout)
    (pair,) = told["pairs"]
    assert pair["paths"] == [{"path": "n", "kind": "file/directory", "moved_to": ["n~a_b"]}]
    lines = repo.ledger("check", "a/b", "--onto", "ours").stdout.splitlines()
    assert lines[1] == "    n  file/directory  moved to n~a_b"
    again = json.loads(repo.ledger("check", "a/b", "--onto", "ours", "--json").stdout)
    assert again == told  # from what git said before


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("n", ("n", None)),
        (f"n~{A}", ("n", "n~HEAD")),
        (f"d/n~{A}_0", ("d/n", "d/n~HEAD_0")),
        (f"n~{B}", ("n", f"n~{B}")),
        (f"n~{'c' * 40}", (f"n~{'c' * 40}", None)),  # a file of that name
        (f"n~{A}x", (f"n~{A}x", None)),
    ],
)
def test_the_side_is_parted_from_the_path(path: str, expected: tuple[str, str | None]) -> None:
    assert parted(path, A, B) == expected


def test_a_branch_stands_for_its_commit() -> None:
    assert named(f"n~{B}_1", B, "team/a") == "n~team_a_1"
    assert named("n~HEAD", B, "team/a") == "n~HEAD"


def moved_on(repo: Place, ours: Callable[[Place], None], theirs: Callable[[Place], None]) -> Pair:
    """`a` began before main changed another file, `b` after."""
    a = repo.worktree("a")
    repo.commit("main", x="main\n")
    b = repo.worktree("b")
    for place, change in ((a, ours), (b, theirs)):
        change(place)
        place.commit("change")
    opened = discover(str(repo.path))
    sides = [Side(one, repo.git("rev-parse", one), one) for one in ("a", "b")]
    target = repo.git("rev-parse", "main")
    found = foresee(opened, Question(target, sides, committed_only=True)).of("a", "b")
    assert found is not None
    return found


def edit(place: Place, name: str, words: str) -> None:
    place.write(name, (place.path / name).read_text().replace("line 5", words))


OWN = {
    "file/directory": (file, directory),
    "rename/delete": (
        lambda r: r.git("mv", "f", "g"),
        lambda r: r.git("rm", "-q", "f"),
    ),
    "contents": (
        lambda r: (r.git("mv", "f", "g"), edit(r, "g", "a")),
        lambda r: edit(r, "f", "b"),
    ),
    "rename/rename": (lambda r: r.git("mv", "f", "g"), lambda r: r.git("mv", "f", "h")),
}


@pytest.mark.parametrize("case", OWN)
def test_what_both_did_themselves_is_not_through_the_target(repo: Place, case: str) -> None:
    pair = moved_on(repo, *OWN[case])
    assert pair.verdict == "conflict"
    assert {(one.kind, one.via) for one in pair.paths} == {(case, None)}


def test_a_directory_that_one_renamed_and_the_other_adds_to(repo: Place) -> None:
    for n in range(3):
        repo.write(f"src/m{n}", f"{n}\n" * 20)
    repo.commit("src")
    pair = moved_on(repo, lambda r: r.git("mv", "src", "lib"), lambda r: r.write("src/new", "1\n"))
    assert [(one.path, one.kind, one.via) for one in pair.paths] == [
        ("lib/new", "directory rename suggested", None)
    ]


def test_what_only_the_target_did_is_through_the_target(repo: Place) -> None:
    pair = moved_on(
        repo, lambda r: r.write("x", "a\n"), lambda r: r.write("y", "1\n")
    )  # a and main both made x
    assert [(one.path, one.via) for one in pair.paths] == [("x", "target")]


def test_a_file_that_one_moved_and_both_edited(repo: Place) -> None:
    """git tells the new name alone; the other's commits are those to the old one."""
    pair = moved_on(repo, *OWN["contents"])
    assert [(one.path, one.beside) for one in pair.paths] == [("g", ("f",))]
    told = [" ".join(one.split()) for one in repo.ledger("conflicts").stdout.splitlines()]
    _, a, _, b = next(one for one in told if one.startswith("conflict")).split()
    first, second = (repo.git("rev-parse", "--short=12", one) for one in ("a", "b"))
    assert [one for one in told if one.endswith(" change")] == [
        f"{a} a {first} change",
        f"{b} b {second} change",
    ]


SPLIT = {f"src/m{n}": f"{n}\n" * 20 for n in range(4)}


def split(place: Place) -> None:
    for n in range(4):
        folder = "x" if n < 2 else "y"
        (place.path / folder).mkdir(exist_ok=True)
        place.git("mv", f"src/m{n}", f"{folder}/m{n}")


def test_of_some_kinds_git_leaves_a_blank_out(repo: Place) -> None:
    for name, content in SPLIT.items():
        repo.write(name, content)
    repo.commit("src")
    clash(repo, split, lambda place: place.write("src/new", "1\n"))
    pair = judged(repo, "ours", "a/b", committed_only=True)
    assert [(one.path, one.kind) for one in pair.paths] == [
        ("src", "directory rename unclear split")
    ]
