"""What is stored as it lies there, and what git must convert: filters, `$Id$`, encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git import standing as standing_files
from gitledger.git.repository import discover
from gitledger.git.scratch import scratch
from gitledger.git.standing import standing
from gitledger.git.without_index import Looked, trees_without_index
from tests.support import new_repository
from tests.test_verdicts_standing import both

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

WIDE = "'*.txt working-tree-encoding=UTF-16LE'"
EDIT = r"printf 'x\0y\0' > d/wide.txt"  # as UTF-16LE `xy`

AS_THEY_LIE = {
    "no attributes": EDIT,
    "attributes that convert nothing": f"echo '*.txt text diff=x -ident' > .gitattributes; {EDIT}",
    "a filter for other files": "git config filter.up.clean 'tr a-z A-Z';"
    f" echo '*.md filter=up' > .gitattributes; {EDIT}",
    "a filter taken back": "git config filter.up.clean 'tr a-z A-Z';"
    f" echo '*.txt filter=up' > .gitattributes; echo '* -filter' > d/.gitattributes; {EDIT}",
    "attributes of another directory": f"mkdir z; echo {WIDE} > z/.gitattributes; {EDIT}",
}
CONVERTED = {
    "an encoding": f"echo {WIDE} > .gitattributes; {EDIT}",
    "an encoding, in a directory": f"echo {WIDE} > d/.gitattributes; {EDIT}",
    "an encoding, committed": f"echo {WIDE} > .gitattributes; git add .;"
    f" git commit -q -m wide; {EDIT}",
    "an encoding, in info": f"echo {WIDE} > $(git rev-parse --git-path info/attributes); {EDIT}",
    "an encoding, for the user": f"git config core.attributesFile ../own;"
    f" echo {WIDE} > ../own; {EDIT}",
    "an encoding, through a macro of the user's": "git config core.attributesFile ../own;"
    " echo '[attr]wide working-tree-encoding=UTF-16LE' > ../own;"
    f" echo '*.txt wide' > .gitattributes; {EDIT}",
    "an encoding in the index alone, not looked at": f"echo {WIDE} > .gitattributes; git add .;"
    " git commit -q -m wide; git update-index --skip-worktree .gitattributes;"
    f" rm .gitattributes; {EDIT}",
    "an encoding in the index, deleted": f"echo {WIDE} > .gitattributes; git add .;"
    f" git commit -q -m wide; rm .gitattributes; {EDIT}",
    "an encoding added to the index, deleted": f"echo {WIDE} > .gitattributes;"
    f" git add .gitattributes; rm .gitattributes; {EDIT}",
    "an encoding of a worktree's own": f"git config extensions.worktreeConfig true;"
    " git config --worktree core.attributesFile ../own;"
    f" echo {WIDE} > ../own; {EDIT}",
    "an encoding where a branch includes it": "git config includeIf.onbranch:main.path ../more;"
    f" git config -f .git/../../more core.attributesFile ../own; echo {WIDE} > ../own; {EDIT}",
    "a link to attributes": f"echo {WIDE} > ../own; ln -s ../own .gitattributes; {EDIT}",
    "a filter": "git config filter.up.clean 'tr a-z A-Z'; echo '*.txt filter=up' > .gitattributes;"
    f" {EDIT}",
    "an identity": "echo '*.txt ident' > .gitattributes; echo '$Id: 1 $' > d/wide.txt",
}


@pytest.fixture
def place(tmp_path: Path, env: dict[str, str]) -> Place:
    found = new_repository(tmp_path / "r", env)
    found.write("d/wide.txt", "x\n")
    found.commit("first")
    return found


@pytest.mark.parametrize("steps", AS_THEY_LIE.values(), ids=AS_THEY_LIE.keys())
def test_the_tree_that_git_makes_without_git_for_the_files(place: Place, steps: str) -> None:
    assert place.run("sh", "-c", steps).returncode == 0
    found = both(place)
    assert found.quick == found.whole is not None
    assert found.stored


@pytest.mark.parametrize("steps", CONVERTED.values(), ids=CONVERTED.keys())
def test_the_tree_that_git_makes_where_it_converts(place: Place, steps: str) -> None:
    assert place.run("sh", "-c", steps).returncode == 0
    found = both(place)
    assert found.whole is not None
    assert found.quick in {None, found.whole}
    assert not found.stored


@pytest.mark.parametrize(("room", "stored"), [(9, 0), (10, 2)])
def test_more_than_is_held_at_once_is_left_to_git(
    place: Place, monkeypatch: pytest.MonkeyPatch, room: int, stored: int
) -> None:
    """Two files of five bytes; a chunk is shorter than a file."""
    monkeypatch.setattr(standing_files, "_MOST_HELD", room)
    monkeypatch.setattr(standing_files, "_CHUNK", 2)
    place.write("d/wide.txt", "abcd\n")
    place.write("new", "efgh\n")
    found = both(place)
    assert found.quick == found.whole is not None
    assert found.stored == stored


def test_attributes_from_a_tree_that_is_named_are_left_to_git(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`git --attr-source`, of git 2.41; what is older does not look."""
    place.write("d/wide.txt", "y\n")
    monkeypatch.setenv("GIT_ATTR_SOURCE", "HEAD")
    assert not both(place).stored


def test_each_worktree_has_its_own_attributes(place: Place) -> None:
    """Asked about in one go, where they agree; what one says does not hold for another."""
    kinds = {"plain": "", "same": "", "wide": WIDE, "other": "'*.txt text'", "late": ""}
    for name, attributes in kinds.items():
        place.git("worktree", "add", "-q", f"../{name}", "-b", name)
        steps = f"cd ../{name}; echo {attributes} > .gitattributes; {EDIT}"
        assert place.run("sh", "-c", steps if attributes else f"cd ../{name}; {EDIT}").stderr == ""
    repos = [discover(str(place.path.parent / name)) for name in kinds]
    with scratch(repos[0]) as store:
        found = [standing(one) for one in repos]
        looked = {
            n: Looked(repo, one.head or "", edits)
            for n, (repo, (one, edits)) in enumerate(zip(repos, found, strict=True))
            if edits
        }
        trees, made = trees_without_index(repos[0], looked, store)
    contents = {content for kind, content in made.values() if kind == "blob"}
    assert contents == {b"x\0y\0", b"*.txt text\n"}
    for n, name in enumerate(kinds):
        place.run("git", "-C", f"../{name}", "add", "-A")
        assert trees[n] == place.run("git", "-C", f"../{name}", "write-tree").stdout.strip()
