"""A judgement as a person reads it: who meets whom, over what, and what to know beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitledger.cli import terminal
from gitledger.cli.matrix import LEGEND, STYLES, matrix
from gitledger.cli.render import columns, laid_out_width, put, put_words
from gitledger.cli.text import cut, shown
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN, worst

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository
    from gitledger.model.verdict import Lines, Pair, PathConflict
    from gitledger.services.behind import Behind
    from gitledger.services.judging import Judgement

_ENOUGH_FOR_A_MATRIX = 2
_MOST_PATHS = 10


def tell_judgement(judged: Judgement, repo: Repository, *, every_pair: bool) -> None:
    """The matrix, then every pair that is more than clean, then warnings and a last line."""
    pairs = judged.forecast.pairs
    names = [facts.side.id for facts in judged.forecast.facts]
    target = any(one.b is None for one in pairs)
    if len(names) >= _ENOUGH_FOR_A_MATRIX:
        for line in matrix(names, pairs, target=target):
            put(line)
        put()
        put(LEGEND)
        put()
    for one in _in_order(pairs):
        if one.verdict in {CONFLICT, UNKNOWN} or every_pair:
            _tell_pair(one, judged)
            if one.verdict == CONFLICT:
                _tell_behind(one, judged, repo)
    tell_drift(judged)
    _tell_warnings(judged)
    put(_last_line(judged))


def tell_conflict(judged: Judgement) -> None:
    """The pairs that stop a merge, with their paths; nothing where none does."""
    for one in judged.forecast.pairs:
        if one.verdict in {CONFLICT, UNKNOWN}:
            _tell_pair(one, judged)
    _tell_warnings(judged)


def _tell_warnings(judged: Judgement) -> None:
    for warning in judged.warnings:
        put_words(f"note: {warning.agent}: {warning.message}", len("note: "))


def _in_order(pairs: Iterable[Pair]) -> list[Pair]:
    """What stops a merge first."""
    rank = {CONFLICT: 0, UNKNOWN: 1, OVERLAP: 2, CLEAN: 3}
    return sorted(pairs, key=lambda one: (rank[one.verdict], one.a, one.b or ""))


def _tell_pair(one: Pair, judged: Judgement) -> None:
    target = judged.into(one.a)
    sides = f"{one.a} into {target}" if one.b is None else f"{one.a} with {one.b}"
    extra = f" ({one.reason})" if one.reason else ""
    if one.committed and one.committed != one.verdict:
        extra += f" (committed work alone: {one.committed})"
    extra += "".join(_already(one, judged))
    put_words(f"  {sides}{extra}", len(one.verdict) + 2, one.verdict, *STYLES[one.verdict])
    columns([_row(path) for path in one.paths[:_MOST_PATHS]])
    if len(one.paths) > _MOST_PATHS:
        put(f"    and {len(one.paths) - _MOST_PATHS} more")


def _already(pair: Pair, judged: Judgement) -> Iterable[str]:
    """git would stop, and yet there is nothing left to merge of that side's commits."""
    dirty = {one.side.id for one in judged.forecast.facts if one.dirty}
    for name, one in judged.already(pair).items():
        what = f"the commits of {name} are" if name in dirty else f"{name} is"
        yield f" ({what} already in {judged.into(name)} as {one.commit[:12]})"


def _tell_behind(one: Pair, judged: Judgement, repo: Repository) -> None:
    """Who is on each side, what they were doing, and their commits in the files of the conflict."""
    from gitledger.services.behind import behind

    sides = behind(repo, judged, one)
    _tell_sides(sides)
    for side, hunks in zip(sides, judged.forecast.hunks.get((one.a, one.b), ()), strict=False):
        put(f"--- {side.name}")
        if hunks:
            put(hunks)


def _tell_sides(sides: Iterable[Behind]) -> None:
    """In columns; where the terminal has no room for them, what each did below its name."""
    rows = [row for side in sides for row in _rows(side)]
    room = terminal.line_width()
    if room is None or not rows or laid_out_width(rows) <= room:
        columns(rows)
        return
    for name, title, words in rows:
        if name:
            put(cut(f"{name}  {shown(title)}".rstrip(), room))
        if words:
            put(cut(f"        {shown(words)}", room))


def _rows(side: Behind) -> list[list[str]]:
    """A line for each commit; the side's name and title before the first."""
    told = ["uncommitted work"] if side.uncommitted else []
    told += [f"{oid[:12]} {subject}" for oid, subject in side.commits]
    heads = [f"    {side.name}", side.title or ""]
    return [[*(heads if n == 0 else ["", ""]), words] for n, words in enumerate(told or [""])]


def _row(path: PathConflict) -> list[str]:
    """The lines in the order in which the sides are named."""
    lines = ""
    if path.a_lines and path.b_lines:
        lines = f"{_lines(path.a_lines)} against {_lines(path.b_lines)}"
    via = "through the target" if path.via else ""
    moved = f"moved to {', '.join(path.moved_to)}" if path.moved_to else ""
    return [f"    {path.path}", path.kind, ", ".join(one for one in (lines, via, moved) if one)]


def _lines(ranges: Lines) -> str:
    return "line " + ", ".join(
        str(first) if first == last else f"{first}-{last}" if last > first else f"{first}+"
        for first, last in ranges
    )


def tell_drift(judged: Judgement) -> None:
    for agent, drifted in judged.drift.items():
        if drifted:
            words = f"drift  {judged.into(agent)} changed files of {agent} since it began"
            put_words(words, len("drift  "))
            columns([[f"    {one.path}", one.by, one.commit[:12]] for one in drifted])


def _last_line(judged: Judgement) -> str:
    pairs = judged.forecast.pairs
    if not pairs:
        return "nothing to compare"
    counts = [(name, sum(one.verdict == name for one in pairs)) for name in STYLES]
    told = ", ".join(f"{count} {name}" for name, count in counts if count)
    verdict = worst(one.verdict for one in pairs)
    return f"{len(pairs)} {'pair' if len(pairs) == 1 else 'pairs'}: {told}" if verdict else told
