"""Uncommitted work without an index: the same tree as through it, or none at all."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from gitledger.errors import GitError
from gitledger.git.merging import standings
from gitledger.git.packing import put
from gitledger.git.repository import discover
from gitledger.git.scratch import scratch
from gitledger.git.snapshot import uncommitted
from gitledger.git.standing import edits_of
from gitledger.git.status import status
from gitledger.git.trees import Trees
from gitledger.git.without_index import Looked, trees_without_index
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Both:
    """The tree through a copy of the index, and the one without; None where that must help.

    `stored` are the paths whose content was taken as it lies there, without git.
    """

    whole: str | None
    quick: str | None
    stored: int = 0


def both(place: Place) -> Both:
    repo = discover(str(place.path))
    with scratch(repo) as store:
        found = status(repo)
        standing = standings(repo, [repo.worktree])[repo.worktree]
        whole = uncommitted(repo, found, standing, store).tree
        edits = edits_of(repo, found)
        looked = {0: Looked(repo, found.head or "", edits)} if edits else {}
        quick, made = trees_without_index(repo, looked, store)
        put(repo, made, store)  # git takes none that is damaged
        return Both(whole, quick.get(0), sum(kind == "blob" for kind, _ in made.values()))


@pytest.fixture(params=["sha1", "sha256"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, env: dict[str, str]) -> Place:
    """A repository with files two directories deep."""
    place = new_repository(tmp_path / "r", env, f"--object-format={request.param}")
    for name in ("a", "b", "d/a", "d/b", "d/e/a", "d/e/b", "d.x", "d0", "z/one"):
        place.write(name, f"{name}\n")
    place.commit("many")
    return place


PLAIN = {
    "an edit": "echo x >> d/e/a",
    "a staged edit": "echo x >> d/e/a; git add .",
    "an edit staged, and another on top": "echo x >> a; git add a; echo y >> a",
    "an edit staged and taken back": "echo x >> a; git add a; git show HEAD:a > a",
    "a new file": "echo x > new",
    "a new directory": "mkdir -p n/m; echo x > n/m/new",
    "a new file, staged": "echo x > d/new; git add d/new",
    "a new file, staged and edited": "echo x > d/new; git add d/new; echo y > d/new",
    "a deletion": "rm d/a",
    "a staged deletion": "git rm -q d/a",
    "a deletion from the index alone": "git rm -q --cached d/a",
    "one deleted, staged, made anew": "git rm -q d/a; mkdir -p d; echo new > d/a",
    "a whole directory": "git rm -q -r d",
    "everything": "git rm -q -r .",
    "a file for a directory": "rm -r d; echo x > d",
    "a file for a directory, staged": "git rm -q -r d; echo x > d; git add d",
    "a directory for a file": "rm a; mkdir a; echo x > a/b",
    "a directory for a file, staged": "git rm -q a; mkdir a; echo x > a/b; git add a",
    "a mode": "chmod +x a",
    "a mode, staged": "chmod +x a; git add a",
    "a rename": "git mv d/e n",
    "names that sort beside a directory": "rm -r d; echo x > d.x; echo x > d-; echo x > d0",
    "odd names": "echo x > 'with  blanks'; echo x > 'caf\u00e9'; echo x > -n; echo x > ':(top)'",
    "bytes that are no text": r"printf x > $(printf 'odd\377')",
    "binary": r"printf '\0\1' > a",
    "an empty file": ": > a; : > new",
    "a filter": "git config filter.up.clean 'tr a-z A-Z'; echo 'd/* filter=up' > .gitattributes;"
    " echo x >> d/a; echo x > d/new",
    "ignored files": "echo '*.o' > .gitignore; echo x > x.o; echo x > d/x.o; echo x > d/x.c",
    "a repository inside": "git init -q inside; echo x > inside/f; echo x > new",
    "no mode bits": "git config core.fileMode false; chmod +x a; echo x >> a",
}
LEFT_TO_THE_INDEX = {
    "a link": "ln -s a link",
    "a file made a link": "rm a; ln -s b a",
    "an executable new file": "echo x > run; chmod +x run",
    "carriage returns": r"printf 'x\r\n' > crlf",
    "carriage returns in the index": r"printf 'x\r\n' > crlf; git add crlf; git commit -qm c;"
    r" git config core.autocrlf true; printf 'x\r\ny\r\n' > crlf",
    "an intent to add": "echo x > new; git add -N new",
    "a newline in a name": "echo x > \"$(printf 'a\\nb')\"",
    "a quote in a name": "echo x > 'a\"b'",
    "a conflict": "git checkout -qb o; echo o > a; git commit -qam o; git checkout -q main;"
    " echo m > a; git commit -qam m; git merge -q o >/dev/null || git update-ref -d MERGE_HEAD",
}


LINKS = {
    "a link for a directory": "mv d elsewhere; ln -s elsewhere d",
    "a link for a directory, staged": "git rm -q -r d; ln -s z d; git add d",
    "a link for a directory whose file is staged": "echo x > d/a; git add d; rm -r d; ln -s z d",
    "a link to nothing for a directory": "rm -r d/e; ln -s nowhere d/e",
    "a link for a directory of odd names": "mkdir -- -d; echo x > ./-d/-f; git add -A;"
    " git commit -q -m odd; rm -r ./-d; ln -s z ./-d",
    "a link for a file": "rm a; ln -s z a",
    "a directory for a link": "ln -s z l; git add l; git commit -q -m l; rm l; mkdir l; echo x > l/f",
}


@pytest.mark.parametrize("steps", LINKS.values(), ids=LINKS.keys())
def test_links_are_as_a_commit_of_everything_would_have_them(tree: Place, steps: str) -> None:
    assert tree.run("sh", "-c", steps).returncode == 0
    found = both(tree)
    tree.git("add", "-A")
    assert found.whole == tree.git("write-tree")
    assert found.quick in {None, found.whole}


@pytest.mark.parametrize("steps", PLAIN.values(), ids=PLAIN.keys())
def test_the_same_tree_as_through_the_index(tree: Place, steps: str) -> None:
    assert tree.run("sh", "-c", steps).returncode == 0
    found = both(tree)
    assert found.quick == found.whole is not None


@pytest.mark.parametrize("steps", LEFT_TO_THE_INDEX.values(), ids=LEFT_TO_THE_INDEX.keys())
def test_what_the_index_must_help_with(tree: Place, steps: str) -> None:
    assert tree.run("sh", "-c", steps).returncode == 0
    assert both(tree).quick is None


def test_a_submodule_is_left_to_the_index(tree: Place, env: dict[str, str]) -> None:
    form = tree.git("rev-parse", "--show-object-format")
    new_repository(tree.path.parent / "sub", env, f"--object-format={form}")
    tree.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../sub", "sub")
    assert both(tree).quick is None


@pytest.mark.parametrize("seed", range(12))
def test_random_work(tree: Place, seed: int) -> None:
    """Edits, deletions, moves between files and directories, staged or not, on top of each other."""
    rng = random.Random(seed)
    for _ in range(12):
        _disturb(tree, rng)
    found = both(tree)
    assert found.quick == found.whole


def _disturb(place: Place, rng: random.Random) -> None:
    names = ("a", "b", "d", "d/a", "d/e", "d/e/a", "d.x", "n", "n/m", "z", "z/one")
    path = place.path / rng.choice(names)
    match rng.choice(("write", "remove", "stage", "mode", "write")):
        case "remove" if path.is_dir():
            shutil.rmtree(path)
        case "remove" if path.exists():
            path.unlink()
        case "stage":
            place.git(
                "add", "-A", *rng.sample([".", "d", "n", "z"], 1)
            ) if rng.random() < 0.5 else (place.run("git", "rm", "-q", "-r", "--cached", str(path)))
        case "mode" if path.is_file():
            place.run("git", "update-index", "--chmod=+x", str(path))
        case "write" if not path.is_dir():
            if any(one.is_file() for one in path.parents):
                return
            place.write(str(path.relative_to(place.path)), f"{rng.random()}\n")
        case _:
            pass


def test_a_tree_that_is_missing_is_no_empty_one(tree: Place) -> None:
    """Else all that it held would be taken for deleted."""
    tree.write("d/e/a", "x\n")
    oid = tree.git("rev-parse", "HEAD:d/e")
    (tree.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    repo = discover(str(tree.path))
    with scratch(repo) as store:
        blob = tree.git("rev-parse", "HEAD:a").encode()
        trees = Trees(repo, [("HEAD", [b"d/e/a"])], store)
        with pytest.raises(GitError, match="missing tree of 'd/e'"):
            trees.changed("HEAD", {b"d/e/a": (b"100644", blob)})
