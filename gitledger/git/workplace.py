"""What lies about where a merge is made: programs that the configuration names by a path in it.

A merge driver `tools/merge %O %A %B` is started at the top of the worktree. In a scratch
tree of attribute files alone it would not be found, and git would call that a conflict.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git.process import Git, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

OWN = frozenset((".git", ".gitattributes", ".gitmodules"))  # those are the scratch tree's own
_ATTRIBUTES = ":(top,glob)**/.gitattributes"


def runs_programs(repo: Repository, *, drivers: bool = True) -> bool:
    """Whether the configuration has git run programs while it merges, `drivers` counted or not."""
    if drivers and has_drivers(repo):
        return True
    return renormalizes(repo) and any(name.startswith("filter.") for name in repo.config.values)


def renormalizes(repo: Repository) -> bool:
    return repo.config.get("merge.renormalize", "false") != "false"


def has_drivers(repo: Repository) -> bool:
    return any(is_driver(name) for name in repo.config.values)


def is_driver(name: str) -> bool:
    return name.startswith("merge.") and name.endswith(".driver")


def link_worktree(root: str, top: str, written: Iterable[str]) -> None:
    """Links in `root` to all that a worktree has, beside the paths that are written there.

    A directory with attributes of its own is made anew, or git would read those through
    the link. Raises GitError where git can't list them.
    """
    words = ("ls-files", "-z", "--cached", "--others", "--", _ATTRIBUTES)
    there = [text(one) for one in Git(top).run(*words).records]
    made_anew = {folder for path in (*written, *there) for folder in _folders(path)}
    _link(root, top, "", made_anew)


def _folders(path: str) -> list[str]:
    names = path.split("/")[:-1]
    return ["/".join(names[:n]) for n in range(1, len(names) + 1)]


def _link(root: str, top: str, folder: str, made_anew: Collection[str]) -> None:
    place = os.path.join(top, folder)
    if not os.path.isdir(place) or os.path.islink(place):
        return
    for name in os.listdir(place):
        path = os.path.join(folder, name)
        whole = os.path.join(root, path)
        if name in OWN:
            continue
        if path in made_anew:
            os.makedirs(whole, exist_ok=True)
            _link(root, top, path, made_anew)
        elif not os.path.lexists(whole):
            os.symlink(os.path.join(top, path), whole)


def check_out(repo: Repository, root: str, commit: str, scratch: Scratch) -> bool:
    """All files of a commit in `root`, as a checkout there would have them; False if it can't be."""
    env = {**scratch.env, "GIT_INDEX_FILE": f"{root}.index", "GIT_WORK_TREE": root}
    git = Git(root, repo.common_dir, {**repo.environment, **env})
    try:
        git.run("read-tree", commit)
        git.run("checkout-index", "--all", "--force", "--quiet")
    except GitError:
        return False
    return True
