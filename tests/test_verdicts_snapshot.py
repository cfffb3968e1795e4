"""Uncommitted work as a tree: what an edit, an index and a checkout can hide."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitledger.git.merging import standings
from gitledger.git.repository import discover
from gitledger.git.scratch import scratch
from gitledger.git.snapshot import Uncommitted, uncommitted
from gitledger.git.status import status

if TYPE_CHECKING:
    from tests.support import Place


def taken(place: Place) -> tuple[Uncommitted, list[str]]:
    """What is taken in, and what `git diff` says it changed since the last commit."""
    repo = discover(str(place.path))
    with scratch(repo) as store:
        standing = standings(repo, [repo.worktree])[repo.worktree]
        found = uncommitted(repo, status(repo), standing, store)
        if found.tree is None:
            return found, []
        words = ("diff-tree", "-r", "-z", "--name-status", "--no-renames", "HEAD", found.tree)
        out = repo.git.run(*words, env=store.env).records
    return found, [f"{out[n].decode()} {out[n + 1].decode()}" for n in range(0, len(out), 2)]


def test_an_edit_in_the_instant_of_the_last_add_is_not_missed(repo: Place) -> None:
    """git looks again at files no older than the index; a copy of it must be as old."""
    repo.git("config", "core.trustctime", "false")
    file, index = repo.path / "e", repo.path / ".git" / "index"
    stamp = 1_700_000_000
    repo.write("e", "aaaa\n")
    os.utime(file, (stamp, stamp))
    repo.commit("five")
    repo.write("e", "bbbb\n")
    for path in (file, index):
        os.utime(path, (stamp, stamp))
    assert taken(repo)[1] == ["M e"]
