"""Commits that are an agent's whole branch, or the beginning of it, as one: squash-merged.

`merge --squash`, or a server, leaves no mapping: the change is the only evidence.
Looked for only where the files that changed are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.commits import patch_ids, range_patch_id
from gitledger.git.ranges import files_between, files_of, own_lines, ranges
from gitledger.services.target import default_name, targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.services.live import View

Span = tuple[str, str]  # from, to
MOST_COMMITS = 200  # of an agent's branch, counted from its start


def squashed_from(view: View, commits: Sequence[str]) -> dict[str, str]:
    """Commit to the agent whose branch it repeats, of those that are told by no other means."""
    spans = _spans(view) if commits else {}
    if not spans:
        return {}
    whole = files_between(view.repo, list(spans))
    alike: dict[frozenset[bytes], list[Span]] = {}
    for span, files in whole.items():
        if files:
            alike.setdefault(files, []).append(span)
    own = files_of(view.repo, commits)
    patches = patch_ids(view.repo, [oid for oid in commits if own.get(oid) in alike])
    found: dict[str, str] = {}
    for oid, patch in patches.items():
        same = alike[own[oid]]
        agents = {spans[span] for span in same if range_patch_id(view.repo, *span) == patch}
        if len(agents) == 1:
            found[oid] = agents.pop()
    return found


def _spans(view: View) -> dict[Span, str]:
    """From where each branch left the target to each of its commits, of two or more.

    Of its own line: what it has merged in was done by others.
    """
    name = default_name(view.repo, view.worktrees)
    target = targets(view.repo, [name])[name].oid if name else None
    tips = {one.tip: one.id for one in view.agents if one.tip}
    if target is None:
        return {}
    found: dict[Span, str] = {}
    lines = own_lines(view.repo, target, list(tips))
    for tip, span in ranges(view.repo, target, list(tips)).items():
        line = lines[tip][1:MOST_COMMITS] if span.base else []
        found |= {(span.base or "", oid): tips[tip] for oid in line}
    return found
