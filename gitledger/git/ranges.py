"""What branches have that another one has not: for many at once, in one process each.

A three-dot range `onto...tip` is told by its base, the merge base. The graph between
is walked here, so that two thousand tips cost as many processes as one.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.objects import resolve
from gitledger.git.process import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitledger.git.repository import Repository


class Range(NamedTuple):
    """`commits` of a tip that `onto` has not, newest first; `base` None without a common one.

    Without any the tip is reachable from `onto`, and is its own base.
    """

    base: str | None
    commits: tuple[str, ...]


class Change(NamedTuple):
    """One path of a diff. `kind` is git's letter (A, M, D, R, C, T); `old` a rename's source."""

    kind: str
    path: str
    old: str | None = None


def ranges(repo: Repository, onto: str, tips: Sequence[str]) -> dict[str, Range]:
    """The range of each tip. Missing commits have an empty one without base."""
    if not tips:
        return {}
    parents = _parents(repo, onto, tips)
    return {tip: _range(repo, onto, tip, parents) for tip in dict.fromkeys(tips)}


def own_lines(repo: Repository, onto: str, tips: Sequence[str]) -> dict[str, list[str]]:
    """The first-parent line of each tip down to where `onto` has it, oldest first."""
    if not tips:
        return {}
    parents = _parents(repo, onto, tips)
    found: dict[str, list[str]] = {}
    for tip in tips:
        line, one = [], tip
        while one in parents:
            line.append(one)
            one = parents[one][0] if parents[one] else ""
        found[tip] = line[::-1]
    return found


def _parents(repo: Repository, onto: str, tips: Sequence[str]) -> dict[str, list[str]]:
    asked = "\n".join([*dict.fromkeys(tips), f"^{onto}", ""]).encode()
    words = ("rev-list", "--ignore-missing", "--parents", "--topo-order", "--stdin")
    rows = text(repo.git.run(*words, stdin=asked).stdout).splitlines()
    return {row.split(" ", 1)[0]: row.split(" ")[1:] for row in rows}


def _range(repo: Repository, onto: str, tip: str, parents: Mapping[str, list[str]]) -> Range:
    if tip not in parents:
        return Range(_merge_base(repo, onto, tip), ())
    mine, border = _walked(tip, parents)
    # Common ancestors are these and what lies before them: a single one is the best.
    base = next(iter(border)) if len(border) == 1 else _merge_base(repo, onto, tip)
    return Range(base, tuple(one for one in parents if one in mine))


def _walked(tip: str, parents: Mapping[str, list[str]]) -> tuple[set[str], set[str]]:
    """The commits of a tip alone, and the commits of `onto` that they stand on."""
    mine, border, waiting = set[str](), set[str](), [tip]
    while waiting:
        one = waiting.pop()
        if one not in parents:
            border.add(one)
        elif one not in mine:
            mine.add(one)
            waiting += parents[one]
    return mine, border


def _merge_base(repo: Repository, onto: str, tip: str) -> str | None:
    found = repo.git.try_run("merge-base", onto, tip)
    return found.line if found.status == 0 else None


def landing(repo: Repository, tip: str, onto: str) -> str:
    """The first commit on `onto`'s own line that holds the tip; the tip where that is on it."""
    span = f"{tip}..{onto}"
    line = text(repo.git.run("rev-list", "--first-parent", span).stdout).split()
    holding = set(text(repo.git.run("rev-list", "--ancestry-path", span).stdout).split())
    first = line[-1] if line else tip
    parents = repo.git.try_run("rev-parse", "--verify", "-q", f"{first}^1")
    if parents.line == tip or not line:
        return tip
    return next((one for one in reversed(line) if one in holding), tip)


def changes(
    repo: Repository, pairs: Sequence[tuple[str, str]], *, renames: bool = False
) -> list[list[Change] | None]:
    """What changed between the commits of each pair (base, tip), by path. Two processes.

    Without `renames` a moved file is a D and an A. None where a commit is missing.
    """
    there = _commits(repo, pairs)
    good = [pair for pair in pairs if there.issuperset(pair)]
    records = [text(one) for one in _told(repo, good, renames=renames).split(b"\0")[:-1]]
    cut = _cut(records, [tip for _, tip in good])
    return [next(cut) if there.issuperset(pair) else None for pair in pairs]


def _told(repo: Repository, pairs: Sequence[tuple[str, str]], *, renames: bool = False) -> bytes:
    if not pairs:
        return b""
    asked = "".join(f"{tip} {base}\n" for base, tip in pairs).encode()
    how = "-M" if renames else "--no-renames"
    words = ("diff-tree", "--stdin", "--always", "-r", "-z", "--name-status", how)
    return repo.git.run(*words, stdin=asked).stdout


def files_between(
    repo: Repository, spans: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], frozenset[bytes]]:
    """The paths that differ between the commits of each pair (base, tip). Two processes.

    As git gives them, to be compared: of long branches there are a million. No paths where
    a commit is missing.
    """
    there = _commits(repo, spans)
    good = [span for span in spans if there.issuperset(span)]
    paths = _paths(_told(repo, good), [tip.encode() + b"\0" for _, tip in good])
    return dict.fromkeys(spans, frozenset[bytes]()) | dict(zip(good, paths, strict=True))


def _paths(out: bytes, headers: Sequence[bytes]) -> Iterator[frozenset[bytes]]:
    """After each header a status and a path in turn, to where the next header is."""
    place = 0
    for header, following in zip_longest(headers, headers[1:]):
        place += len(header)
        end = len(out) if following is None else _header_at(out, following, place)
        yield frozenset(out[place:end].split(b"\0")[1::2])
        place = end


def _header_at(out: bytes, header: bytes, start: int) -> int:
    """Where it is no path, nor the end of one: behind as many paths as statuses."""
    place = out.index(header, start)
    while out[place - 1] or out.count(b"\0", start, place) % 2:
        place = out.index(header, place + 1)
    return place


def files_of(repo: Repository, commits: Sequence[str]) -> dict[str, frozenset[bytes]]:
    """The paths that each commit with one parent changed; others are left out. Three processes."""
    if not commits:
        return {}
    asked = "\n".join([*commits, ""]).encode()
    words = ("rev-list", "--no-walk=unsorted", "--parents", "--stdin")
    rows = [row.split(" ") for row in repo.git.lines(*words, stdin=asked)]
    spans = [(parents[0], new) for new, *parents in rows if len(parents) == 1]
    return {new: files for (_, new), files in files_between(repo, spans).items()}


def _commits(repo: Repository, pairs: Sequence[tuple[str, str]]) -> set[str]:
    """Those of the ids that are commits here. diff-tree passes a missing one over in silence."""
    ids = list(dict.fromkeys(one for pair in pairs for one in pair))
    kinds = zip(ids, resolve(repo, ids), strict=True)
    return {oid for oid, found in kinds if found and found[1] == "commit"}


def _cut(records: list[str], tips: Sequence[str]) -> Iterator[list[Change]]:
    """A header, which is a whole id, begins each answer; a status is never that long."""
    place = 0
    for tip in tips:
        place += 1
        found: list[Change] = []
        while place < len(records) and len(records[place]) < len(tip):
            letter = records[place][0]
            width = 2 if letter in "RC" else 1
            old, path = records[place + 1], records[place + width]
            found.append(Change(letter, path, old if width > 1 else None))
            place += width + 1
        yield found


def line_counts(repo: Repository, base: str, tip: str) -> tuple[int, int]:
    """Lines inserted and deleted between two commits; binary files count as none."""
    words = ("diff-tree", "-r", "-z", "--numstat", "--no-renames", base, tip)
    rows = [one.split(b"\t") for one in repo.git.run(*words).records]
    added = sum(int(row[0]) for row in rows if row[0].isdigit())
    return added, sum(int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit())


def diff_stat(repo: Repository, base: str, tip: str) -> str:
    """`git diff --stat` between two commits, as a person reads it; empty without changes."""
    words = ("-c", "color.ui=false", "diff", "--stat=80", "-M", "--no-ext-diff", base, tip, "--")
    return text(repo.git.run(*words).stdout).rstrip("\n")
