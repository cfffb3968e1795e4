"""The branch that work is merged into, and what git says of it. Source: DESIGN section 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.objects import resolve
from gitledger.git.refs import read_symbolic
from gitledger.git.worktrees import find
from gitledger.model.names import MAIN_WORKTREE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree


class Target(NamedTuple):
    """A target by the name it is shown by (short), and its commit; None where it has none."""

    name: str
    oid: str | None


def default_name(repo: Repository, worktrees: Iterable[Worktree] = ()) -> str | None:
    """`ledger.target`, else the branch of the main worktree (of a bare repository: HEAD's).

    Of a detached main worktree it is where that stands: `git merge` there would merge
    into it. None where that has no commit either. `worktrees` are those that are known.
    """
    chosen = repo.config.get("ledger.target")
    if chosen:
        return chosen
    known = find(worktrees, MAIN_WORKTREE)
    if known and known.branch:
        return known.branch
    head = f"{MAIN_WORKTREE}/HEAD"
    found = read_symbolic(repo, head)
    if found:
        return found.removeprefix("refs/heads/")
    return head if resolve(repo, [head])[0] else None


def targets(repo: Repository, names: Iterable[str | None]) -> dict[str, Target]:
    """Each name with its commit. A branch before any other name. One process."""
    wanted = list(dict.fromkeys(name for name in names if name))
    asked = [form for name in wanted for form in (f"refs/heads/{name}^0", f"{name}^0")]
    found = resolve(repo, asked)
    pairs = zip(wanted, found[::2], found[1::2], strict=True)
    return {
        name: Target(short(name), branch[0] if branch else other[0] if other else None)
        for name, branch, other in pairs
    }


def short(name: str) -> str:
    """`refs/heads/main` as `main`, as `git branch` shows it."""
    return name.removeprefix("refs/heads/")
