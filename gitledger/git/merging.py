"""Merging for real: where the target is checked out, and where it is not."""

from __future__ import annotations

from os.path import exists
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import Contended, Found
from gitledger.git.process import MERGING, Git, text
from gitledger.git.refs import Moved, Update, update
from gitledger.model.names import MAIN_WORKTREE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository

_SIGNS = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}


class Merged(NamedTuple):
    """What a merge left at the target; `said` is what git printed on the way."""

    commit: str
    fast_forward: bool
    said: str = ""


def is_dirty(git: Git) -> bool:
    """Whether a worktree has staged or unstaged changes to tracked files."""
    asked = ("status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=none")
    return bool(git.run(*asked).stdout)


def operation(repo: Repository) -> str | None:
    """What is under way in this worktree (`merge`, `rebase`, …), None when nothing is."""
    return standings(repo, [repo.worktree])[repo.worktree].operation


class Standing(NamedTuple):
    """A worktree's index file, and what is under way there (`merge`, `rebase`, …), if anything."""

    index_file: str
    operation: str | None


def standings(repo: Repository, worktrees: Sequence[str]) -> dict[str, Standing]:
    """The standing of each worktree (`main-worktree`, `worktrees/<id>`). One process for all."""
    names = [*_SIGNS, "index"]
    above = ["" if one == MAIN_WORKTREE else f"{one}/" for one in worktrees]
    asked = [word for start in above for name in names for word in ("--git-path", start + name)]
    git = Git(repo.common_dir, repo.common_dir, repo.environment)
    done = git.run("rev-parse", "--path-format=absolute", *asked)
    paths = text(done.stdout).split("\n")[:-1]
    rows = [paths[n : n + len(names)] for n in range(0, len(paths), len(names))]
    return {one: _standing(row) for one, row in zip(worktrees, rows, strict=True)}


def _standing(paths: Sequence[str]) -> Standing:
    found = (name for path, name in zip(paths, _SIGNS.values(), strict=False) if exists(path))
    return Standing(paths[-1], next(found, None))


def merge_here(repo: Repository, name: str, options: Sequence[str]) -> Merged:
    """`git merge NAME` in this repository's worktree, which is clean.

    Raises Found, with everything as it was, when git stops: on a conflict, or
    because an untracked file, a hook or a setting stands in the way.
    """
    before = repo.git.run("rev-parse", "HEAD").line
    git = Git(repo.git.directory, repo.git_dir, MERGING)
    done = git.try_run("merge", "--no-edit", *options, name)
    if done.status:
        _restore(repo, before)
        said = (done.stderr.strip() or done.stdout.decode(errors="replace").strip()).splitlines()
        words = " ".join(line.removeprefix("error: ").removeprefix("fatal: ") for line in said[:2])
        raise Found(f"git merge stopped: {words}", "nothing was changed; see to it and try again")
    after = repo.git.run("rev-parse", "HEAD").line
    return Merged(after, _is_plain(repo, after, before), done.stderr)


def merge_and_leave(repo: Repository, name: str, options: Sequence[str]) -> int:
    """`git merge NAME` with its conflicts left standing; git's exit status."""
    git = Git(repo.git.directory, repo.git_dir, MERGING)
    return git.try_run("merge", "--no-edit", *options, name).status


def _is_plain(repo: Repository, after: str, before: str) -> bool:
    """Whether HEAD moved on without a merge commit of its own."""
    made = repo.git.run("rev-list", "--count", "--merges", "--no-walk", after).line
    return made == "0" or before not in repo.git.run("rev-parse", f"{after}^@").line.split()


def _restore(repo: Repository, before: str) -> None:
    """Back to before: the worktree was clean, so nothing of the user's is in the way."""
    if operation(repo) == "merge":
        repo.git.try_run("merge", "--abort")
    if repo.git.run("rev-parse", "HEAD").line != before:
        repo.git.try_run("reset", "-q", "--merge", before)


def merge_commit(repo: Repository, ours: str, theirs: str, tree: str, message: str) -> str:
    """A merge commit of two sides, reachable from nothing yet. Raises GitError (no identity)."""
    parents = ("-p", ours, "-p", theirs)
    return repo.git.run("commit-tree", *parents, "-m", message, tree).line


def move_branch(repo: Repository, ref: str, old: str, new: str, how: str) -> None:
    """Move a branch that is checked out nowhere. Raises Contended when it moved meanwhile."""
    try:
        update(repo, [Update(ref, new, old)], f"merge: {how}")
    except Moved:
        raise Contended(f"'{ref}' moved while it was merged into", "try again") from None
