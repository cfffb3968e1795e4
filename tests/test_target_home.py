"""Where a target is checked out has a say in a merge: that worktree is asked, and no other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support import Place, new_repository

if TYPE_CHECKING:
    from pathlib import Path

ALLOW = ("-c", "protocol.file.allow=always")
MERGES, CONFLICT = ("overlap", []), ("conflict", ["submodule not initialized"])


@pytest.fixture
def elsewhere(repo: Place, tmp_path: Path, env: dict[str, str]) -> Place:
    """Target `main` is checked out in a linked worktree, `merges`; the main one is on `other`.

    `main` and the agent `a` moved a submodule, `a` further.
    """
    source = new_repository(tmp_path / "source", env)
    first = source.git("rev-parse", "HEAD")
    second, third = source.commit("two", s="2\n"), source.commit("three", s="3\n")
    repo.git(*ALLOW, "submodule", "-q", "add", str(source.path), "sub")
    repo.git("-C", "sub", "checkout", "-q", first)
    repo.commit("sub")
    a = repo.worktree("a")
    a.git("update-index", "--cacheinfo", f"160000,{third},sub")
    a.git("commit", "-q", "-m", "a")
    repo.git("-C", "sub", "checkout", "-q", second)
    repo.commit("move on")
    repo.git("checkout", "-q", "-b", "other")
    repo.git("worktree", "add", "-q", "../merges", "main")
    return repo


def said(place: Place, *words: str) -> tuple[str, list[str]]:
    (pair,) = json.loads(place.ledger("check", "a", *words, "--json").stdout)["pairs"]
    return pair["verdict"], [one["kind"] for one in pair["paths"]]


def everywhere(repo: Place, *words: str) -> list[tuple[str, list[str]]]:
    places = (repo, repo.at("../a"), repo.at("../merges"), repo.at(".git"))
    return [said(one, *words) for one in places]


@pytest.mark.parametrize("name", ["main", "refs/heads/main"])
def test_the_linked_worktree_that_is_on_the_target(elsewhere: Place, name: str) -> None:
    assert everywhere(elsewhere, "--onto", name) == [CONFLICT] * 4  # only the main one has it
    merges = elsewhere.at("../merges")
    assert merges.run("git", "merge", "-q", "--no-edit", "a").returncode == 1
    merges.git("merge", "--abort")
    merges.git(*ALLOW, "submodule", "-q", "update", "--init")
    assert everywhere(elsewhere, "--onto", name) == [MERGES] * 4
    order = json.loads(elsewhere.ledger("plan", "a", "--onto", name, "--json").stdout)
    assert order["counts"]["merges"] == 1
    assert merges.run("git", "merge", "-q", "--no-edit", "a").returncode == 0


def test_a_target_that_is_checked_out_nowhere(elsewhere: Place) -> None:
    """It is judged as `git ledger merge` makes that merge: with what the common dir has."""
    elsewhere.git("worktree", "remove", "--force", "../merges")
    places = (elsewhere, elsewhere.at("../a"), elsewhere.at(".git"))
    assert [said(one, "--onto", "main") for one in places] == [MERGES] * 3
    (elsewhere.path / ".git/modules/sub").rename(elsewhere.path / ".git/away")
    assert [said(one, "--onto", "main") for one in places] == [CONFLICT] * 3
    assert elsewhere.ledger("merge", "a", "--onto", "main").returncode == 1
    (elsewhere.path / ".git/away").rename(elsewhere.path / ".git/modules/sub")
    assert elsewhere.ledger("merge", "a", "--onto", "main").returncode == 0


def test_head_is_that_of_the_caller(elsewhere: Place) -> None:
    merges = elsewhere.at("../merges")
    assert said(merges, "--onto", "HEAD") == CONFLICT
    merges.git(*ALLOW, "submodule", "-q", "update", "--init")
    assert said(merges, "--onto", "HEAD") == MERGES
    (elsewhere.path / ".git/worktrees/merges/modules").rename(elsewhere.path / ".git/away")
    assert said(merges, "--onto", "HEAD") == CONFLICT
    assert said(elsewhere, "--onto", "HEAD") == MERGES


def test_the_configuration_of_that_worktree(repo: Place) -> None:
    for number in range(3):
        repo.write(f"src/m{number}", f"{number}\n" * 20)
    repo.commit("src")
    repo.worktree("a").git("mv", "src", "lib")
    repo.at("../a").commit("a")
    repo.commit("main", **{"src/new": "1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.git("worktree", "add", "-q", "../merges", "main")
    repo.git("config", "extensions.worktreeConfig", "true")
    assert everywhere(repo, "--onto", "main") == [("conflict", ["directory rename suggested"])] * 4
    repo.at("../merges").git("config", "--worktree", "merge.directoryRenames", "true")
    assert everywhere(repo, "--onto", "main") == [("clean", [])] * 4
    repo.at("../merges").git("config", "--worktree", "--unset", "merge.directoryRenames")
    repo.git("config", "--worktree", "merge.directoryRenames", "true")
    assert everywhere(repo, "--onto", "main") == [("conflict", ["directory rename suggested"])] * 4
    done = repo.at("../merges").run("git", "merge", "-q", "--no-edit", "a")
    assert done.returncode == 1


def test_a_driver_of_that_worktree_alone(repo: Place) -> None:
    """It is run where it would be run; and with --no-drivers nowhere."""
    repo.commit("attributes", __gitattributes="f merge=own\n")
    repo.worktree("a").commit("a", f="a\n")
    repo.commit("main", f="main\n")
    repo.git("checkout", "-q", "-b", "other")
    repo.git("worktree", "add", "-q", "../merges", "main")
    merges = repo.at("../merges")
    repo.git("config", "extensions.worktreeConfig", "true")
    merges.git("config", "--worktree", "merge.own.driver", f"touch {repo.path}/ran")
    assert everywhere(repo, "--onto", "main") == [("overlap", [])] * 4
    assert (repo.path / "ran").exists()
    order = json.loads(repo.ledger("plan", "--onto", "main", "--json").stdout)
    assert order["counts"]["merges"] == 1
    (repo.path / "ran").unlink()
    plain = everywhere(repo, "--onto", "main", "--no-drivers")
    assert plain == [("conflict", ["contents"])] * 4
    assert not (repo.path / "ran").exists()
    merges.git("config", "--worktree", "--unset", "merge.own.driver")
    repo.at("../a").git("config", "--worktree", "merge.own.driver", "true")  # nobody merges there
    assert everywhere(repo, "--onto", "main") == [("conflict", ["contents"])] * 4
