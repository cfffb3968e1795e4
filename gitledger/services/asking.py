"""Asking git what a merge would do, under the conditions that the merge would meet."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.attributes import (
    AttributeFiles,
    Home,
    attributes_there,
    seen_from,
    standing,
    submodules,
    without_drivers,
)
from gitledger.git.conditions import conditions
from gitledger.git.mergetree import Outcome, merge_trees
from gitledger.git.together import WIDTH, together
from gitledger.git.unwritable import without_unwritable
from gitledger.git.workplace import has_drivers, renormalizes, runs_programs
from gitledger.model.verdict import Answer
from gitledger.services.question import Terms
from gitledger.services.stopping import answers
from gitledger.store import outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.attributes import Files
    from gitledger.git.process import Git
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

    Tips = tuple[str, str]

_MISSING = Outcome(None, reason="missing objects: an attribute file or a tree")

_WORTH_IT = 8  # merges


class Merge(NamedTuple):
    """Two commits to merge, ours first. `home` is where, if that can make a difference."""

    ours: str
    theirs: str
    home: Home | None = None

    @property
    def name(self) -> str:
        return f"{self.ours} {self.theirs}"


def ask(
    repo: Repository,
    merges: Iterable[Merge],
    attributes: AttributeFiles,
    scratch: Scratch,
    terms: Terms,
) -> dict[Merge, Answer]:
    """git's answer for each merge; from what it said before, where nothing else has a say."""
    wanted = list(dict.fromkeys(merges))
    if not wanted:
        return {}
    lasting = [one for one in wanted if one.home is None] if _lasts(repo, terms) else []
    state = conditions(repo, terms.no_drivers) if lasting else ""
    known = outcomes.load(repo, state) if lasting else {}
    found = {one: Answer.of(known[one.name]) for one in lasting if one.name in known}
    rest = [one for one in wanted if one not in found]
    asked = ask_afresh(repo, rest, attributes, scratch, terms)
    new = {one.name: asked[one].row() for one in lasting if one in asked and asked[one].told}
    if new:
        used = {one.name: known.pop(one.name) for one in found}
        outcomes.keep(repo, state, {**known, **used, **new})
    return {**found, **asked}


def _lasts(repo: Repository, terms: Terms) -> bool:
    """Whether commits and git's configuration say all, where no checkout has a say."""
    if terms.fresh or renormalizes(repo):
        return False
    return terms.no_drivers or not has_drivers(repo)


def ask_afresh(
    repo: Repository,
    merges: Sequence[Merge],
    attributes: AttributeFiles,
    scratch: Scratch,
    terms: Terms,
) -> dict[Merge, Answer]:
    """As `ask`, whatever is known: the trees that are told are then in the scratch store.

    One process for each set of attributes; for each home too where that has a say.
    """
    if not merges:
        return {}
    files = attributes.of(one.ours for one in merges)
    groups: dict[tuple[Files | None, Home | None], list[Merge]] = {}
    for one in merges:
        groups.setdefault((files.get(one.ours), one.home), []).append(one)
    said: dict[Merge, Outcome] = {}
    for (known, home), group in groups.items():
        said |= zip(group, _said(repo, group, known, home, scratch, terms), strict=True)
    told = answers(repo, [((m.ours, m.theirs), one) for m, one in said.items()], scratch)
    return dict(zip(said, told, strict=True))


def _said(
    repo: Repository,
    group: Sequence[Merge],
    files: Files | None,
    home: Home | None,
    scratch: Scratch,
    terms: Terms,
) -> list[Outcome]:
    git = _git(repo, files, home, scratch)
    if git is None:
        return [_MISSING] * len(group)
    options = attributes_there(repo, home)
    options += without_drivers(seen_from(repo, home)) if terms.no_drivers else []
    pairs = [(one.ours, one.theirs) for one in group]
    # A program of the user's need not bear that it runs twice at a time.
    parts = [pairs] if home and home.programs else parts_of(pairs)
    found = together(lambda part: merge_trees(git, part, {}, options), parts)
    return without_unwritable(git, [one for part in found for one in part])


def parts_of(pairs: Sequence[Tips]) -> list[Sequence[Tips]]:
    """A part for each processor, if that is worth the start of another process."""
    count = max(1, min(WIDTH, os.cpu_count() or 1, len(pairs) // _WORTH_IT))
    return [pairs[n * len(pairs) // count : (n + 1) * len(pairs) // count] for n in range(count)]


def _git(repo: Repository, files: Files | None, home: Home | None, scratch: Scratch) -> Git | None:
    if files is None:
        return None
    # Where nothing hangs on it all is asked of the common dir: never of where the caller is.
    links: Mapping[str, str] = submodules(home) if home else {}
    return standing(repo, scratch, files, home or Home(repo.common_dir), links)


def merge_for_real(repo: Repository, ours: str, theirs: str, scratch: Scratch) -> Outcome:
    """As `ask`, for one merge that is to be kept, made in no worktree.

    Its objects go to the repository.
    """
    store = scratch._replace(env={})
    files = AttributeFiles(repo, ours, store).of([ours]).get(ours)
    home = Home(repo.common_dir, None, programs=True, commit=ours) if runs_programs(repo) else None
    return _said(repo, [Merge(ours, theirs)], files, home, store, Terms())[0]
