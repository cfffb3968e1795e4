"""Branches whose change is in the target already, though by ancestry they look unmerged.

Squash-merged: one commit there makes the change of the whole branch, or of its beginning.
Picked or rebased: one commit for each. The target's later edits then look like conflicts
of the branch. What the target has taken back since counts for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.commits import patch_ids, range_patch_ids, rev_list
from gitledger.git.ranges import files_between, files_of, landing, own_lines
from gitledger.model.verdict import CLEAN, CONFLICT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.services.aim import Aims
    from gitledger.services.question import Facts, Forecast

MOST_COMMITS = 200  # of a branch, counted from its start


class Integrated(NamedTuple):
    """The newest commit of the target that holds work of a side; `left` are those it has not.

    `merged`: the tip itself is in the target.
    """

    commit: str
    left: tuple[str, ...] = ()
    merged: bool = False

    @property
    def whole(self) -> bool:
        return not self.left


def integrated(repo: Repository, aims: Aims, forecast: Forecast) -> dict[str, Integrated]:
    """Each side of which the target has commits already, looked for where that explains a pair.

    Of a side that no other meets nothing is said: there the merge is clean.
    """
    met = {name for one in forecast.pairs if one.verdict != CLEAN for name in (one.a, one.b)}
    asked = [one for one in forecast.facts if one.side.id in met]
    by_target: dict[str, list[Facts]] = {}
    for one in asked:
        target = aims.of(one.side.id)
        if target and target.oid and not one.landed and _may_be(one):
            by_target.setdefault(target.oid, []).append(one)
    found = _merged(repo, aims, forecast)
    for target_id, sides in by_target.items():
        found |= _repeated(repo, target_id, sides)
    return found


def _may_be(facts: Facts) -> bool:
    """Whether the target changed a file of the side."""
    if facts.base is None or facts.side.tip is None:
        return False
    return not (facts.own and facts.met and facts.own.files.isdisjoint(facts.met.files))


def _merged(repo: Repository, aims: Aims, forecast: Forecast) -> dict[str, Integrated]:
    """Sides that are merged already, and yet conflict with another: as the target would."""
    pairs = [one for one in forecast.pairs if one.b and one.verdict == CONFLICT]
    names = {name for one in pairs for name in (one.a, one.b)}
    found = {}
    for one in forecast.facts:
        tip, target = one.side.tip, aims.of(one.side.id)
        if one.side.id in names and one.landed and one.base != tip and tip and target:
            commit = landing(repo, tip, target.oid or "")
            found[one.side.id] = Integrated(commit, merged=True)
    return found


class _Line(NamedTuple):
    """A side's own commits, oldest first, and from where they are counted."""

    base: str
    tip: str
    commits: Sequence[str]

    @property
    def spans(self) -> list[tuple[str, str]]:
        """From the base to each commit, the whole first."""
        return [(self.base, one) for one in dict.fromkeys([self.tip, *reversed(self.commits)])]


def _repeated(repo: Repository, target: str, sides: Sequence[Facts]) -> dict[str, Integrated]:
    """Of sides that are merged into one target: a handful of processes for all."""
    lines = _lines(repo, target, sides)
    if not lines:
        return {}
    spans = [span for one in lines.values() for span in one.spans]
    below = _below(repo, [one.base for one in lines.values()])
    since = rev_list(repo, [target], [below], topological=True)
    single, whole = _patches(repo, since, spans)
    wanted = {*whole.values(), *(single[end] for _, end in spans if end in single)}
    there = _there(repo, [(one, single.get(one)) for one in since], wanted)
    found = {name: _said(repo, line, whole, single, there) for name, line in lines.items()}
    return {name: one for name, one in found.items() if one}


def _patches(
    repo: Repository, since: Sequence[str], spans: Sequence[tuple[str, str]]
) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Patch ids of single commits, and of spans: of those alone that have files like another's.

    A patch takes ten times as long to make as the names of its files.
    """
    ends = list(dict.fromkeys(end for _, end in spans))
    alone, between = files_of(repo, [*since, *ends]), files_between(repo, spans)
    theirs = {alone[one] for one in since if alone.get(one)}
    ours = {*between.values(), *(alone[one] for one in ends if one in alone)}
    alike = [one for one in since if alone.get(one) in ours & theirs]
    alike += [one for one in ends if alone.get(one) in theirs]
    whole = [span for span in spans if between[span] in theirs]
    return patch_ids(repo, list(dict.fromkeys(alike))), range_patch_ids(repo, whole)


def _lines(repo: Repository, target: str, sides: Sequence[Facts]) -> dict[str, _Line]:
    tips = [one.side.tip for one in sides if one.side.tip]
    own = own_lines(repo, target, list(dict.fromkeys(tips)))
    # Where there is no merge base it is where the side began, which the target has not.
    apart = set(rev_list(repo, [one.base for one in sides], [target]))
    return {
        one.side.id: _Line(one.base, one.side.tip, own[one.side.tip][:MOST_COMMITS])
        for one in sides
        if one.side.tip and one.base and one.base not in apart
    }


def _below(repo: Repository, bases: Sequence[str]) -> str | None:
    """A commit that lies before all of these; None where there is none."""
    different = list(dict.fromkeys(bases))
    if len(different) == 1:
        return different[0]
    return repo.git.try_run("merge-base", "--octopus", *different).line or None


def _there(
    repo: Repository, since: Sequence[tuple[str, str | None]], wanted: Collection[str]
) -> dict[str, str]:
    """Patch to the newest commit that makes it, newest first; none that was taken back since."""
    newest: dict[str, str] = {}
    for one, patch in since:
        if patch in wanted and patch is not None:
            newest.setdefault(patch, one)
    back = patch_ids(repo, list(newest.values()), undone=True)
    seen: set[str | None] = set()
    found: dict[str, str] = {}
    for one, patch in since:
        if patch is not None and newest.get(patch) == one and back.get(one) not in seen:
            found[patch] = one
        seen.add(patch)
    return found


def _said(
    repo: Repository,
    line: _Line,
    whole: Mapping[tuple[str, str], str],
    single: Mapping[str, str],
    there: Mapping[str, str],
) -> Integrated | None:
    """The longest beginning that is one commit there; of the rest each commit by itself."""
    ours = [patch for span in line.spans if (patch := whole.get(span))]
    ours += [single[one] for one in line.commits if one in single]
    known = _later(repo, line.tip, {patch: there[patch] for patch in ours if patch in there})
    ends = [n for n, one in enumerate(line.commits, 1) if whole.get((line.base, one)) in known]
    begun = line.commits[: ends[-1]] if ends else ()
    left = tuple(one for one in line.commits[len(begun) :] if single.get(one) not in known)
    if whole.get((line.base, line.tip)) in known:
        left = ()
    elif len(line.commits) == MOST_COMMITS:
        return None  # there are more, which were not looked at
    newest = next((one for patch, one in there.items() if patch in known), None)
    return Integrated(newest, left) if newest else None


def _later(repo: Repository, tip: str, known: Mapping[str, str]) -> dict[str, str]:
    """Those that a branch has not taken in: what it repeats is no sign that it was repeated."""
    after = set(rev_list(repo, known.values(), [tip]))
    return {patch: one for patch, one in known.items() if one in after}
