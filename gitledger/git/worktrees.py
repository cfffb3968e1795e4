"""Worktrees by their admin id, with the path, HEAD and branch that git knows.

git 2.39 prints a wrong path for a worktree whose back-link is relative
(git >= 2.48 writes such links), and calls it prunable although it works: so the
back-link is read from the admin directory, which git is asked for.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.objects import resolve
from gitledger.git.process import Git, text
from gitledger.git.refs import read_symbolic
from gitledger.model.names import MAIN_WORKTREE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitledger.git.repository import Repository


class Worktree(NamedTuple):
    """A worktree now. `head` is None while unborn, `branch` (short) None when detached.

    `present` is False when its directory is gone. `path` is absolute; for a bare
    main repository it is the repository itself, which has nothing checked out.
    """

    name: str  # main-worktree, worktrees/<id>
    path: str
    head: str | None
    branch: str | None
    present: bool
    bare: bool = False

    def head_ref(self) -> str:
        return f"{self.name}/HEAD"


def list_worktrees(repo: Repository) -> list[Worktree]:
    """All worktrees, the main one first, the linked ones by admin id."""
    listed = _listed(repo)
    paths = {MAIN_WORKTREE: _main_path(repo, listed), **_linked_paths(repo)}
    names = list(paths)
    heads = resolve(repo, [f"{name}/HEAD" for name in names])
    branches = _branches(repo, paths, listed)
    bare = main_is_bare(repo)
    return [
        Worktree(
            name,
            paths[name],
            head[0] if head else None,
            branches.get(name),
            os.path.isdir(paths[name]),
            bare and name == MAIN_WORKTREE,
        )
        for name, head in zip(names, heads, strict=True)
    ]


def main_is_bare(repo: Repository) -> bool:
    """Whether the repository has no main worktree, asked from any of its worktrees."""
    return repo.config.get("core.bare") == "true"


def _main_path(repo: Repository, listed: Mapping[str, str | None]) -> str:
    """The main worktree is the first that git lists."""
    return repo.work_tree if repo.work_tree and not repo.linked else next(iter(listed))


def _linked_paths(repo: Repository) -> dict[str, str]:
    # The common dir's own: from a linked worktree git-path gives the same place.
    root = repo.path("worktrees")
    try:
        ids = sorted(os.listdir(root))
    except FileNotFoundError:
        return {}
    found = ((one, _back_link(os.path.join(root, one))) for one in ids)
    return {f"worktrees/{one}": path for one, path in found if path is not None}


def _back_link(admin: str) -> str | None:
    """The worktree's path from `gitdir`, a relative one counted from the admin dir."""
    try:
        with open(os.path.join(admin, "gitdir"), "rb") as file:
            link = text(file.read()).removesuffix("\n")
    except OSError:
        return None  # half-made or half-removed: git does not list it either
    return os.path.dirname(os.path.normpath(os.path.join(admin, link)))


def _branches(
    repo: Repository, paths: Mapping[str, str], listed: Mapping[str, str | None]
) -> dict[str, str]:
    """The branch of each worktree: one question for each that the listing leaves open."""
    answers: dict[str, str] = {}
    for name, path in paths.items():
        ref = listed[path] if path in listed else read_symbolic(repo, f"{name}/HEAD")
        if ref and ref.startswith("refs/heads/"):
            answers[name] = ref.removeprefix("refs/heads/")
    return answers


def _listed(repo: Repository) -> dict[str, str | None]:
    """Path to branch ref of every worktree that git lists; None when detached."""
    found: dict[str, str | None] = {}
    path = ""
    for record in repo.git.run("worktree", "list", "--porcelain", "-z").records:
        key, _, value = text(record).partition(" ")
        if key == "worktree":
            path = value
            found[path] = None
        elif key == "branch":
            found[path] = value
    return found


def at(repo: Repository, worktree: Worktree) -> Repository:
    """The same repository seen from another worktree."""
    if worktree.name == repo.worktree:
        return repo
    if worktree.name == MAIN_WORKTREE:
        git_dir = repo.common_dir
    else:
        git_dir = os.path.join(repo.path("worktrees"), worktree.name.removeprefix("worktrees/"))
    top = None if worktree.bare or not worktree.present else worktree.path
    return replace(repo, git_dir=git_dir, work_tree=top, bare=worktree.bare)


def find(worktrees: Iterable[Worktree], name: str) -> Worktree | None:
    return next((one for one in worktrees if one.name == name), None)


def door(worktree: Worktree) -> Git:
    """git in that worktree's directory, found by git itself."""
    return Git(worktree.path)
