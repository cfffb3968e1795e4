"""Why git would stop: from what merge-tree said to paths, kinds and both sides' lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.git.hunks import hunks
from gitledger.git.objects import read_objects
from gitledger.model.regions import meeting_lines
from gitledger.model.verdict import Answer, PathConflict
from gitledger.model.warnings import sort_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.mergetree import Outcome, Stage
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.model.verdict import Lines

_WHOLE = [1, 2, 3]


def answers(repo: Repository, said: Sequence[Outcome], scratch: Scratch) -> list[Answer]:
    """Each outcome as an answer. All contents that are needed are read in one process."""
    wanted = {stage.oid for one in said for stages in _texts(one).values() for stage in stages}
    ids = sorted(wanted)
    blobs = zip(ids, read_objects(repo, ids, scratch.env), strict=True)
    contents = {oid: blob.content for oid, blob in blobs if blob}
    return [Answer(one.clean, one.tree, _paths(one, contents), one.reason) for one in said]


def _paths(outcome: Outcome, contents: Mapping[str, bytes]) -> tuple[PathConflict, ...]:
    if outcome.clean is not False:
        return ()
    kinds = _kinds(outcome)
    texts = _texts(outcome)
    paths = sorted({*kinds, *(stage.path for stage in outcome.stages)})
    return tuple(
        _path(path, kinds.get(path, "unmerged"), texts.get(path, ()), contents) for path in paths
    )


def _path(
    path: str, kind: str, stages: Sequence[Stage], contents: Mapping[str, bytes]
) -> PathConflict:
    texts = [contents[one.oid] for one in stages if one.oid in contents]
    met = _meeting(*texts) if len(texts) == len(_WHOLE) else None
    a_lines, b_lines = met or (None, None)
    return PathConflict(path, kind, a_lines, b_lines, sort_of(path, texts))


def _meeting(base: bytes, ours: bytes, theirs: bytes) -> tuple[Lines, Lines] | None:
    mine, other = hunks(base, ours), hunks(base, theirs)
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


def _kinds(outcome: Outcome) -> dict[str, str]:
    """Path to git's kind. A message's further paths are only what it tells of on the way."""
    staged = {stage.path for stage in outcome.stages}
    found: dict[str, str] = {}
    for message in outcome.messages:
        if message.kind.startswith("CONFLICT"):
            kind = message.kind.removeprefix("CONFLICT (").removesuffix(")")
            named = [path for path in message.paths if path in staged] or list(message.paths[:1])
            for path in named:
                found.setdefault(path, kind)
    return found
