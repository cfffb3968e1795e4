"""Programs that git runs in a merge, named by a path in the worktree: found as git finds them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support import Place

DRIVER = '#!/bin/sh\ncat "$1" "$2" >"$1.new" && mv "$1.new" "$1"\n'


def program(place: Place, name: str, content: str = DRIVER) -> None:
    place.write(name, content)
    (place.path / name).chmod(0o755)


@pytest.fixture
def driven(repo: Place) -> Place:
    """`a` and `b` edit one line of `d/f`, which a driver of the tree merges by taking both."""
    program(repo, "tools/both")
    repo.write("d/.gitattributes", "f merge=both\n")
    repo.write("d/f", "one\n")
    repo.commit("tools")
    repo.git("config", "merge.both.driver", "tools/both %A %B")
    for name in ("a", "b"):
        tree = repo.worktree(name)
        tree.write("d/f", f"{name}\n")
        tree.commit(f"Work of {name}")
    return repo


def check(place: Place, name: str, onto: str, *more: str) -> tuple[int, str]:
    done = place.ledger("check", name, "--onto", onto, "--json", *more)
    return done.returncode, json.loads(done.stdout)["pairs"][0]["verdict"]


def really(place: Place, name: str) -> int:
    status = place.run("git", "merge", "-q", "--no-edit", name).returncode
    place.run("git", "merge", "--abort")
    place.git("reset", "-q", "--hard", "ORIG_HEAD")
    return status


def test_a_driver_of_the_tree_runs_wherever_it_is_asked(driven: Place) -> None:
    b = driven.at("../b")
    for place in (driven, b, driven.at("../a"), driven.at(".git")):
        assert check(place, "a", "b") == (0, "overlap")
    assert really(b, "a") == 0


def test_a_driver_of_the_tree_where_the_target_is_checked_out_nowhere(driven: Place) -> None:
    driven.git("worktree", "remove", "../b")
    assert check(driven, "a", "b") == (0, "overlap")


def test_a_driver_that_one_side_lacks(driven: Place) -> None:
    """The merge is made on ours: what is not there can't be run."""
    b = driven.at("../b")
    b.git("rm", "-q", "-r", "tools")
    b.git("commit", "-q", "-m", "No tools")
    assert check(driven, "a", "b") == (1, "conflict")
    assert check(driven, "b", "a") == (0, "overlap")
    assert really(b, "a") == 1


def test_a_driver_that_git_does_not_track(driven: Place) -> None:
    """Installed in one worktree, as package managers do, it is in that one alone."""
    driven.git("config", "merge.both.driver", "node_modules/.bin/both %A %B")
    program(driven.at("../b"), "node_modules/.bin/both")
    assert check(driven, "a", "b") == (0, "overlap")
    assert check(driven, "b", "a") == (1, "conflict")


def test_a_driver_that_is_not_trusted_does_not_run(driven: Place) -> None:
    assert check(driven, "a", "b", "--no-drivers") == (1, "conflict")


@pytest.mark.parametrize("name", [".gitattributes", "d/.gitattributes", "d/e/.gitattributes"])
def test_attributes_that_lie_about_have_no_say(driven: Place, name: str) -> None:
    driven.at("../b").write(name, "* -merge\nf -merge\n")
    assert check(driven, "a", "b") == (0, "overlap")


def test_nothing_is_written_to_the_worktree(driven: Place) -> None:
    assert check(driven, "a", "b") == (0, "overlap")
    for place in (driven, driven.at("../a"), driven.at("../b")):
        assert place.git("status", "--porcelain", "--ignored") == ""


def test_agents_with_each_other_and_in_order(driven: Place) -> None:
    assert driven.ledger("adopt", "--all").returncode == 0
    pairs = json.loads(driven.ledger("conflicts", "--json").stdout)["pairs"]
    assert [one["verdict"] for one in pairs] == ["overlap"]
    assert json.loads(driven.ledger("plan", "--json").stdout)["left"] == []


def test_it_is_merged_so_where_the_target_is_checked_out_nowhere(driven: Place) -> None:
    driven.git("branch", "release")
    assert driven.ledger("adopt", "--all").returncode == 0
    for name in ("a", "b"):
        assert driven.ledger("merge", name, "--onto", "release").returncode == 0
    assert sorted(driven.git("show", "release:d/f").split()) == ["a", "b"]


def test_a_filter_of_the_tree_where_git_renormalizes(repo: Place) -> None:
    repo.git("config", "merge.renormalize", "true")
    program(repo, "tools/lower", "#!/bin/sh\ntr A-Z a-z\n")
    repo.write("f", "ONE\n")
    repo.commit("before the filter")
    repo.git("config", "filter.lower.clean", "tools/lower")
    a = repo.worktree("a")
    a.write("f", "two\n")
    a.commit("Work of a")
    b = repo.worktree("b")
    b.write(".gitattributes", "f filter=lower\n")
    b.write("f", "one\n")
    b.commit("Work of b")
    assert check(repo, "a", "b") == (0, "overlap")
    assert really(b, "a") == 0
