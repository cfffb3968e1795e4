"""Asking git what a merge would do, under the conditions that the merge would meet."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitledger.git.attributes import attribute_files, standing, without_drivers
from gitledger.git.mergetree import Outcome, merge_trees
from gitledger.git.objects import read_objects
from gitledger.git.process import Git
from gitledger.model.regions import meeting_lines
from gitledger.model.verdict import PathConflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitledger.git.mergetree import Pair, Stage
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

GITLINK = "160000"


@dataclass(frozen=True)
class Terms:
    """How to ask. `homes` are the directories where a commit is checked out."""

    no_drivers: bool = False
    no_fetch: bool = False
    homes: Mapping[str, str] | None = None


def ask(
    repo: Repository, pairs: Sequence[Pair], scratch: Scratch, terms: Terms
) -> dict[Pair, Outcome]:
    """git's outcome for each pair (ours, theirs): one process for each set of attributes."""
    files = attribute_files(repo, [ours for ours, _ in pairs], scratch.env)
    groups: dict[object, list[Pair]] = {}
    for pair in dict.fromkeys(pairs):
        groups.setdefault(files.get(pair[0], ()), []).append(pair)
    found: dict[Pair, Outcome] = {}
    for group in groups.values():
        git = standing(repo, scratch, files.get(group[0][0], ()), {})
        found |= zip(
            group, merge_trees(git, group, _env(terms), _options(repo, terms)), strict=True
        )
    for pair, outcome in list(found.items()):
        links = _submodules(outcome, (terms.homes or {}).get(pair[0]))
        if links:
            git = standing(repo, scratch, files.get(pair[0], ()), links)
            found[pair] = merge_trees(git, [pair], _env(terms), _options(repo, terms))[0]
    return found


def merge_for_real(repo: Repository, ours: str, theirs: str, scratch: Scratch) -> Outcome:
    """As `ask`, for one pair whose merge is to be kept: objects go to the repository."""
    files = attribute_files(repo, [ours], {})
    git = standing(repo, replace(scratch, env={}), files.get(ours, ()), {})
    return merge_trees(git, [(ours, theirs)], {})[0]


def _env(terms: Terms) -> dict[str, str]:
    return {"GIT_NO_LAZY_FETCH": "1"} if terms.no_fetch else {}


def _options(repo: Repository, terms: Terms) -> list[str]:
    """git 2.39 does not know GIT_NO_LAZY_FETCH: there no remote may be one to fetch from."""
    drivers = without_drivers(repo) if terms.no_drivers else []
    if not terms.no_fetch:
        return drivers
    promisors = [name for name in repo.config.values if name.endswith(".promisor")]
    closed = [f"{name.removesuffix('.promisor')}.url=" for name in promisors]
    return [*drivers, *(word for one in closed for word in ("-c", one))]


def _submodules(outcome: Outcome, home: str | None) -> dict[str, str]:
    """The submodules in conflict that are checked out where the merge would be made."""
    links = {stage.path for stage in outcome.stages if stage.mode == GITLINK}
    found = {}
    for path in links if home else ():
        place = os.path.join(home or "", path)
        if os.path.exists(os.path.join(place, ".git")):
            asked = Git(place).try_run("rev-parse", "--absolute-git-dir")
            if asked.status == 0:
                found[path] = asked.line
    return found


def conflicts(repo: Repository, outcome: Outcome, scratch: Scratch) -> list[PathConflict]:
    """The paths over which git would stop, with its kind and both sides' lines."""
    kinds = _kinds(outcome)
    sides: dict[str, list[Stage]] = {path: [] for path in kinds}
    for stage in outcome.stages:
        sides.setdefault(stage.path, []).append(stage)
    found = [PathConflict(path, kinds.get(path, "unmerged")) for path in sorted(sides)]
    wanted = {path: stages for path, stages in sides.items() if _is_text(stages)}
    lines = _lines(repo, wanted, scratch)
    return [
        replace(one, a_lines=lines[one.path][0], b_lines=lines[one.path][1])
        if one.path in lines
        else one
        for one in found
    ]


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


def _is_text(stages: Sequence[Stage]) -> bool:
    """All three sides there, and each a regular file."""
    whole = sorted(stage.number for stage in stages) == [1, 2, 3]
    return whole and all(stage.mode.startswith("100") for stage in stages)


def _lines(
    repo: Repository, wanted: Mapping[str, Sequence[Stage]], scratch: Scratch
) -> dict[str, tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]]:
    ids = list(dict.fromkeys(stage.oid for stages in wanted.values() for stage in stages))
    blobs = dict(zip(ids, read_objects(repo, ids, scratch.env), strict=True))
    found = {}
    for path, stages in wanted.items():
        texts = [blobs[stage.oid] for stage in sorted(stages, key=lambda one: one.number)]
        if all(texts):
            met = meeting_lines(*(text.content for text in texts if text))
            if met:
                found[path] = met
    return found
