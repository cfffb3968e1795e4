"""What was decided about a merge, so that anyone can derive it again: a `checked` event.

Source: docs/FORMAT.md, "Verdicts that can be derived again".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger import __version__
from gitledger.git.attributes import home_at
from gitledger.git.on_record import recordable

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.verdict import Pair

CHECKED = "checked"


def body(
    repo: Repository,
    pair: Pair,
    commits: tuple[str | None, str | None],
    home: Worktree | None,
    *,
    by: str,
    decision: str,
) -> dict[str, Any]:
    """The event's keys beside the common ones, for a pair of commits, ours first.

    `home` is the worktree where the target is checked out, if one is. Told is what there
    is: no target, no tree, no key.
    """
    found: dict[str, Any] = {
        "by": by,
        **{key: oid for key, oid in zip(("ours", "theirs"), commits, strict=True) if oid},
        "bases": list(pair.bases),
        "verdict": pair.verdict,
        "decision": decision,
        **conditions_in(repo, home),
    }
    more = {
        "reason": pair.reason,
        "tree": pair.tree,
        "paths": [{"path": one.path, "kind": one.kind} for one in pair.paths],
    }
    return found | {key: value for key, value in more.items() if value}


def conditions_in(repo: Repository, home: Worktree | None) -> dict[str, Any]:
    """All that a verdict depends on beside the two commits, as it is now."""
    where = {"home": home.name} if home else {}
    return {**recordable(repo, home_at(repo, home)), "ledger": __version__, **where}
