"""Branches whose whole change is in the target already, as one commit: squash-merged.

By ancestry they look unmerged, and the target's later edits look like conflicts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.commits import patch_ids, range_patch_id, rev_list
from gitledger.model.verdict import CLEAN

if TYPE_CHECKING:
    from gitledger.git.repository import Repository
    from gitledger.services.aim import Aims
    from gitledger.services.question import Forecast


def squash_commits(repo: Repository, aims: Aims, forecast: Forecast) -> dict[str, str]:
    """Side to the target's commit that makes the same change as its whole branch.

    Only sides that the target meets are looked at: on any other the merge is clean.
    """
    found: dict[str, str] = {}
    for facts in forecast.facts:
        pair, target = forecast.of(facts.side.id, None), aims.of(facts.side.id)
        if target is None or pair is None or pair.verdict == CLEAN or not facts.side.tip:
            continue
        whole = range_patch_id(repo, facts.base, facts.side.tip) if facts.base else None
        if whole is None:
            continue
        since = rev_list(repo, [target.oid], [facts.side.tip])
        same = [one for one, patch in patch_ids(repo, since).items() if patch == whole]
        if same:
            found[facts.side.id] = same[0]
    return found
