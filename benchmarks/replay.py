"""Real merges, foreseen and then made again: `python -m benchmarks.replay REPO`.

Every two-parent merge of a repository's history is judged by git-ledger and made by
`git merge` in scratch clones: the verdict and the conflicted paths must agree. With
`--alive N`, so many pairs of branches that were alive at the same time too: those of one
moment are one question, with the target as it was, asked twice: the second time of the cache.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import histories as h
from benchmarks import lives
from benchmarks.truth import difference, really_merge
from gitledger.git.repository import discover
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side

if TYPE_CHECKING:
    from gitledger.model.verdict import Pair

TOGETHER = 12  # branches in one question


@dataclass(frozen=True)
class Merge:
    """A real merge: what was merged into what."""

    commit: str
    ours: str
    theirs: str


def real_merges(repository: Path, limit: int) -> list[Merge]:
    """The two-parent merges reachable from any ref, newest first."""
    form = ("--format=%H %P", "--min-parents=2", "--max-parents=2", "--all")
    rows = h.git(repository, "log", *form).stdout.decode().splitlines()
    merges = [Merge(*row.split()) for row in rows]
    return merges[:limit] if limit else merges


Asked = tuple[lives.Moment, set[tuple[str, str]]]


def enough(repository: Path, pairs: int, seed: int, *, everybody: bool = False) -> list[Asked]:
    """As many moments as have that many pairs of branches, and which pairs are new in each."""
    found: list[Asked] = []
    known: set[tuple[str, str]] = set()
    found_in = lives.moments(repository, TOGETHER, seed, everybody=everybody)
    while len(known) < pairs and (moment := next(found_in, None)):
        fresh = {*combinations(moment.tips, 2)} - known
        found.append((moment, fresh))
        known |= fresh
    return found


class Replay:
    """One scratch clone, and what was found in it."""

    def __init__(self, repository: Path, root: Path) -> None:
        self.clone = root / "clone"
        h.git(root, "clone", "-q", "--shared", "--no-checkout", str(repository), "clone")
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def merge(self, one: Merge) -> None:
        question = Question(one.ours, [Side("theirs", one.theirs)], True, False)
        pair = foresee(discover(str(self.clone)), question).pairs[0]
        self._compare("real merges", pair, one.ours, one.theirs)

    def moment(self, one: lives.Moment, fresh: set[tuple[str, str]]) -> None:
        question = Question(one.target, [Side(tip, tip) for tip in one.tips], committed_only=True)
        found = foresee(discover(str(self.clone)), question).pairs
        if foresee(discover(str(self.clone)), question).pairs != found:
            self.wrong.append(f"{one.target}: another answer from the cache")
        for pair in found:
            kind = "pairs alive" if pair.b else "with the target then"
            ours, theirs = (pair.a, pair.b) if pair.b else (one.target, pair.a)
            new = pair.b is None or (ours, theirs) in fresh
            if new and {ours, theirs}.isdisjoint(pair.bases):  # else one contains the other
                self._compare(kind, pair, ours, theirs)

    def _compare(self, kind: str, pair: Pair, ours: str, theirs: str) -> None:
        truth = really_merge(self.clone, ours, theirs)
        if not truth.told:
            self.counts["not told"] += 1
            return
        said = difference(pair, truth)
        self.counts[kind] += 1
        self.counts[pair.verdict] += 1
        self.counts["several bases"] += len(pair.bases) > 1
        self.counts["not asked of git"] += pair.verdict == "clean" and pair.tree is None
        self.counts["agree"] += not said
        if said:
            self.wrong.append(f"{ours} {theirs}: {said}")


def part(work: tuple[Path, list[Merge], list[Asked]]) -> tuple[Counter[str], list[str]]:
    repository, merges, moments = work
    with tempfile.TemporaryDirectory(prefix="replay-") as root:
        replay = Replay(repository, Path(root))
        for one in merges:
            replay.merge(one)
        for moment, fresh in moments:
            replay.moment(moment, fresh)
        return replay.counts, replay.wrong


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("repository", type=Path)
    asked.add_argument("--limit", type=int, default=0, help="the newest N merges (default: all)")
    asked.add_argument("--alive", type=int, default=0, metavar="N", help="N pairs of branches")
    asked.add_argument("--unmerged", action="store_true", help="pull requests too, with --alive")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=2)
    options = asked.parse_args()
    h.seal()
    start = time.monotonic()
    merges = real_merges(options.repository, options.limit)
    moments = enough(options.repository, options.alive, options.seed, everybody=options.unmerged)
    step = options.processes
    work = [(options.repository, merges[n::step], moments[n::step]) for n in range(step)]
    total: Counter[str] = Counter()
    wrong: list[str] = []
    with Pool(options.processes) as pool:
        for counts, differences in pool.imap_unordered(part, work):
            total += counts
            wrong += differences
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(wrong)} different; {dict(total)}; {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
