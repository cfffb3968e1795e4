"""The history that a set of tips does not share: all that their merge bases lie in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.process import text
from gitledger.model.mergebase import merge_bases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository

Bases = dict[tuple[str, str], tuple[str, ...]]


def bases_of(repo: Repository, pairs: Sequence[tuple[str, str]]) -> Bases:
    """The merge bases of each pair of commits, as `git merge-base --all` gives them.

    Two processes for all pairs. git walks the history, so replace refs and grafts hold.
    Raises GitError where a commit of that history is missing.
    """
    tips = list(dict.fromkeys(tip for pair in pairs for tip in pair))
    if not tips:
        return {}
    return merge_bases(_history(repo, tips), pairs)


def _history(repo: Repository, tips: Sequence[str]) -> Iterable[tuple[str, Sequence[str]]]:
    """Down to what all tips share: below that no pair has a best common ancestor.

    Of the commits at that boundary only the shared ones count: any other is an
    ancestor of one of them, by a way that is not walked.
    """
    shared = repo.git.try_run("merge-base", "--octopus", "--all", *tips).line.split()
    asked = "\n".join([*tips, *(f"^{one}" for one in shared), ""]).encode()
    words = ("rev-list", "--topo-order", "--parents", "--stdin")
    for line in text(repo.git.run(*words, stdin=asked).stdout).splitlines():
        commit, *parents = line.split(" ")
        yield commit, parents
    for commit in shared:
        yield commit, ()


def is_shallow(repo: Repository) -> bool:
    return repo.git.run("rev-parse", "--is-shallow-repository").line == "true"
