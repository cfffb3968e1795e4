"""Whether a PLAN.md or a SUMMARY.md can be handed over: its parts, commits and files.

Source: REQUIREMENTS section 4.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitledger.contracts.handoff import missing_in_plan, read_summary
from gitledger.git.objects import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository


def missing(repo: Repository, kind: str, text: str) -> list[str]:
    """What a document lacks; `kind` is plan or summary. Nothing when it is whole."""
    if kind == "plan":
        return missing_in_plan(text)
    summary = read_summary(text)
    commits = missing_commits(repo, summary.commits)
    files = missing_files(repo, repo.work_tree, summary.key_files)
    return [
        *summary.missing,
        *(f"commit {one}" for one in commits),
        *(f"file {one}" for one in files),
    ]


def missing_commits(repo: Repository, commits: Sequence[str]) -> list[str]:
    found = resolve(repo, [f"{one}^{{commit}}" for one in commits])
    return [one for one, there in zip(commits, found, strict=True) if there is None]


def missing_files(
    repo: Repository, directory: str | None, paths: Iterable[str], tip: str = "HEAD"
) -> list[str]:
    """The paths that are neither in the directory nor, where it is gone, in the commit."""
    wanted = list(paths)
    if directory is not None:
        return [one for one in wanted if not os.path.lexists(os.path.join(directory, one))]
    found = resolve(repo, [f"{tip}:{one}" for one in wanted])
    return [one for one, there in zip(wanted, found, strict=True) if there is None]
