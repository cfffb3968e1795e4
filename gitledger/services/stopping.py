"""Why git would stop: from what merge-tree said to paths, kinds and both sides' lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitledger.git.hunks import hunks
from gitledger.git.objects import read_objects
from gitledger.model.moved import parted
from gitledger.model.regions import meeting_lines
from gitledger.model.verdict import Answer, PathConflict
from gitledger.model.warnings import sort_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.hunks import Hunk
    from gitledger.git.mergetree import Outcome, Stage
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.model.verdict import Lines

    Commits = tuple[str, str]  # ours and theirs
    Texts = Mapping[str, Sequence[Stage]]
    Changed = Mapping[tuple[str, str], list[Hunk] | None]

_WHOLE = [1, 2, 3]
_CONFLICT = re.compile(r"CONFLICT ?\((.*)\)")  # of some kinds git leaves the blank out


def answers(
    repo: Repository, said: Sequence[tuple[Commits, Outcome]], scratch: Scratch
) -> list[Answer]:
    """Each outcome, after what was merged, as an answer. A few processes for all of them."""
    texts = [_texts(one) for _, one in said]
    contents = _contents(repo, texts, scratch)
    changed = _changed(repo, texts, contents, scratch)
    told = zip(said, texts, strict=True)
    return [
        Answer(one.clean, one.tree, _paths(one, merged, known, contents, changed), one.reason)
        for (merged, one), known in told
    ]


def _contents(repo: Repository, texts: Sequence[Texts], scratch: Scratch) -> dict[str, bytes]:
    ids = sorted({one.oid for known in texts for stages in known.values() for one in stages})
    blobs = zip(ids, read_objects(repo, ids, scratch.env), strict=True)
    return {oid: blob.content for oid, blob in blobs if blob}


def _changed(
    repo: Repository, texts: Sequence[Texts], contents: Mapping[str, bytes], scratch: Scratch
) -> Changed:
    """What each side changed of the base, as far as all three are there."""
    whole = [
        [one.oid for one in stages]
        for known in texts
        for stages in known.values()
        if all(one.oid in contents for one in stages)
    ]
    return hunks(repo, [(base, side) for base, *sides in whole for side in sides], scratch.env)


def _paths(
    outcome: Outcome,
    merged: Commits,
    texts: Texts,
    contents: Mapping[str, bytes],
    changed: Changed,
) -> tuple[PathConflict, ...]:
    if outcome.clean is not False:
        return ()
    kinds, beside = _kinds(outcome)
    names = sorted({*kinds, *(stage.path for stage in outcome.stages)})
    origins = {stage.path: stage.oid for stage in outcome.stages if stage.number == 1}
    found: dict[tuple[str, str], PathConflict] = {}
    for name in names:
        path, moved = parted(name, *merged)
        kind = kinds.get(name, "unmerged")
        others = {parted(one, *merged)[0] for one in beside.get(name, ())} - {path}
        one = _path(path, kind, texts.get(name, ()), contents, changed)
        moved_to = (moved,) if moved else ()
        one = one._replace(
            moved_to=moved_to, beside=tuple(sorted(others)), origin=origins.get(name)
        )
        known = found.get((path, kind))
        found[path, kind] = known.joined(one) if known else one
    return tuple(found.values())


def _path(
    path: str,
    kind: str,
    stages: Sequence[Stage],
    contents: Mapping[str, bytes],
    changed: Changed,
) -> PathConflict:
    met = _meeting([one.oid for one in stages], changed)
    a_lines, b_lines = met or (None, None)
    known = [contents[one.oid] for one in stages if one.oid in contents]
    return PathConflict(path, kind, a_lines, b_lines, sort_of(path, known))


def _meeting(ids: Sequence[str], changed: Changed) -> tuple[Lines, Lines] | None:
    if len(ids) != len(_WHOLE):
        return None
    base, ours, theirs = ids
    mine, other = changed.get((base, ours)), changed.get((base, theirs))
    return meeting_lines(mine, other) if mine and other else None


def _texts(outcome: Outcome) -> dict[str, list[Stage]]:
    """Conflicted paths of which all three sides are regular files, the stages in order."""
    sides: dict[str, list[Stage]] = {}
    for stage in outcome.stages:
        sides.setdefault(stage.path, []).append(stage)
    ordered = {path: sorted(stages, key=lambda one: one.number) for path, stages in sides.items()}
    return {path: stages for path, stages in ordered.items() if _is_text(stages)}


def _is_text(stages: Sequence[Stage]) -> bool:
    whole = [stage.number for stage in stages] == _WHOLE
    return whole and all(stage.mode.startswith("100") for stage in stages)


def _kinds(outcome: Outcome) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Path to git's kind, and to all that git names with it, whatever it says of them.

    A conflict's further paths are only what it tells of on the way.
    """
    staged = {stage.path for stage in outcome.stages}
    found: dict[str, str] = {}
    beside: dict[str, set[str]] = {}
    for message in outcome.messages:
        named = [path for path in message.paths if path in staged] or list(message.paths[:1])
        conflict = _CONFLICT.fullmatch(message.kind)
        for path in named:
            beside.setdefault(path, set()).update(message.paths)
            if conflict:
                found.setdefault(path, conflict[1])
    return found, beside
