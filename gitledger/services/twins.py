"""The recorded commit that an unrecorded one repeats: picked, rebased, applied again.

Concluded, never known: the author, the author's time and the change must be the
same, or `cherry-pick -x` must have written the source down. Where two agents fit,
none does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.commits import patch_ids, rev_list, signatures
from gitledger.git.refs import list_refs
from gitledger.store import notes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gitledger.git.commits import Signature
    from gitledger.services.live import View


def twins_of(
    view: View, commits: Sequence[str], maker: Callable[[str], str | None]
) -> dict[str, str]:
    """Commit to the agent of the older commit that says the same.

    Whose that one is its note tells, else `maker`.
    """
    signed = signatures(view.repo, commits)
    if not signed:
        return {}
    sources = _sources(signed, _pool(view, min(one.time for one in signed.values())))
    owners = _owners(view, {one for found in sources.values() for one in found}, maker)
    patches = patch_ids(view.repo, sorted({*sources, *owners})) if owners else {}
    found = {}
    for oid, candidates in sources.items():
        same = [
            one
            for one in candidates
            if one == signed[oid].picked_from or (patches.get(oid) or oid) == patches.get(one)
        ]
        agents = {agent for one in same for agent in owners.get(one, ())}
        if len(agents) == 1:
            found[oid] = agents.pop()
    return found


def _owners(
    view: View, commits: Iterable[str], maker: Callable[[str], str | None]
) -> dict[str, set[str]]:
    noted = notes.lookup(view.repo, sorted(commits))
    found = {oid: {note.agent for note in there.values()} - {""} for oid, there in noted.items()}
    unnoted = {oid: maker(oid) for oid in commits if oid not in noted}
    return found | {oid: {agent} for oid, agent in unnoted.items() if agent}


def _pool(view: View, since: int) -> dict[str, Signature]:
    """The agents' commits, live or kept by their head refs, that can be a source."""
    tips = [one.tip for one in view.agents]
    kept = list_refs(view.repo, "refs/ledger/agents/*/head").values()
    return signatures(view.repo, rev_list(view.repo, [*tips, *kept], since=since))


def _sources(signed: dict[str, Signature], pool: dict[str, Signature]) -> dict[str, list[str]]:
    by_author: dict[str, list[str]] = {}
    for oid, signature in pool.items():
        by_author.setdefault(signature.author, []).append(oid)
    found: dict[str, list[str]] = {}
    for oid, signature in signed.items():
        named = [signature.picked_from] if signature.picked_from else []
        likely = [*named, *by_author.get(signature.author, ())]
        older = [
            one
            for one in dict.fromkeys(likely)
            if one != oid and (one not in pool or pool[one].committed <= signature.committed)
        ]
        if older:
            found[oid] = older
    return found
