"""Real merges, foreseen and then made again: `python -m benchmarks.replay REPO`.

Every two-parent merge of a repository's history is judged by git-ledger and made by
`git merge` in scratch clones: the verdict and the conflicted paths must agree. With
`--alive`, also pairs of branches that were alive at the same time, judged by the dozen.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

from benchmarks import histories as h
from gitledger.git.repository import discover
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side

TOGETHER = 12  # branches in one question


@dataclass(frozen=True)
class Merge:
    """A real merge: what was merged into what, and when (Unix seconds)."""

    commit: str
    ours: str
    theirs: str
    time: int


def real_merges(repository: Path, limit: int) -> list[Merge]:
    """The two-parent merges reachable from any ref, newest first."""
    form = ("--format=%H %P %ct", "--min-parents=2", "--max-parents=2", "--all")
    rows = h.git(repository, "log", *form).stdout.decode().splitlines()
    merges = [Merge(c, a, b, int(when)) for c, a, b, when in map(str.split, rows)]
    return merges[:limit] if limit else merges


def windows(merges: list[Merge], pairs: int, seed: int) -> list[list[str]]:
    """Dozens of branches merged one after another: most were alive at the same time."""
    rng = random.Random(seed)
    dozens = [merges[n : n + TOGETHER] for n in range(0, len(merges), TOGETHER)]
    rng.shuffle(dozens)
    each = TOGETHER * (TOGETHER - 1) // 2
    return [sorted({one.theirs for one in dozen}) for dozen in dozens[: -(-pairs // each)]]


class Replay:
    """One scratch clone, and what was found in it."""

    def __init__(self, repository: Path) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="replay-"))
        self.clone = self.root / "clone"
        h.git(self.root, "clone", "-q", "--shared", "--no-checkout", str(repository), "clone")
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def merge(self, one: Merge) -> None:
        question = Question(one.ours, [Side("theirs", one.theirs)], True, False)
        self._compare(foresee(discover(str(self.clone)), question).pairs[0], one.ours, one.theirs)

    def window(self, tips: list[str]) -> None:
        question = Question(None, [Side(tip, tip) for tip in tips], committed_only=True)
        for pair in foresee(discover(str(self.clone)), question).pairs:
            self._compare(pair, pair.a, pair.b)

    def _compare(self, pair, ours: str, theirs: str) -> None:
        truth = h.really_merge(self.clone, ours, theirs)
        self.counts["merges"] += 1
        self.counts[pair.verdict] += 1
        self.counts["several bases"] += len(pair.bases) > 1
        said = h.difference(pair, truth)
        if said:
            self.wrong.append(f"{ours} {theirs}: {said}")


def part(work: tuple[Path, list[Merge], list[list[str]]]) -> tuple[Counter[str], list[str]]:
    repository, merges, dozens = work
    replay = Replay(repository)
    try:
        for one in merges:
            replay.merge(one)
        for tips in dozens:
            replay.window(tips)
    finally:
        shutil.rmtree(replay.root, ignore_errors=True)
    return replay.counts, replay.wrong


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("repository", type=Path)
    asked.add_argument("--limit", type=int, default=0, help="the newest N merges (default: all)")
    asked.add_argument("--alive", type=int, default=0, metavar="N", help="N pairs of branches")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=2)
    options = asked.parse_args()
    h.seal()
    start = time.monotonic()
    merges = real_merges(options.repository, options.limit)
    dozens = windows(merges, options.alive, options.seed) if options.alive else []
    step = options.processes
    work = [(options.repository, merges[n::step], dozens[n::step]) for n in range(step)]
    total: Counter[str] = Counter()
    wrong: list[str] = []
    with Pool(options.processes) as pool:
        for counts, differences in pool.imap_unordered(part, work):
            total += counts
            wrong += differences
    print(*wrong, sep="\n", end="\n" if wrong else "")
    agreed = total["merges"] - len(wrong)
    print(f"{agreed} of {total['merges']} agree; {dict(total)}; {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
