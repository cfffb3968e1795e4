"""Random merges, foreseen and then really made: `python -m benchmarks.fuzz_verdicts`.

Every pair of branches of random small histories is judged by git-ledger, in one call, and
merged by `git merge` in a scratch clone. Renames, directory renames, modes, symlinks,
files against directories, deletions, submodules, attributes, several merge bases, and
staged, unstaged and untracked work. Any difference is printed with the seed that makes it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

from benchmarks import histories as h
from benchmarks.truth import Truth, difference, really_merge
from gitledger.git.repository import discover
from gitledger.git.worktrees import list_worktrees
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side

BRANCHES = 9
WITH_WORK = 3


class Trial:
    """One repository: its pairs judged and merged."""

    def __init__(self, seed: int, root: Path) -> None:
        self.rng = random.Random(seed)
        self.repo, self.clone = root / "repo", root / "clone"
        self.history = h.random_history(self.rng, BRANCHES)
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.known: dict[tuple[str, str], Truth] = {}
        self.dirty: dict[int, int] = {}  # branch number to the commit its work would make

    def run(self) -> None:
        self._build()
        for committed_only in (True, False):
            self._compare(committed_only)

    def _build(self) -> None:
        self.repo.mkdir()
        h.git(self.repo, "init", "-q", "-b", "unused")
        for name, value in self.rng.choice(h.SETTINGS).items():
            h.git(self.repo, "config", name, value)
        h.write(self.history, self.repo)
        for number in range(WITH_WORK):
            self._make_dirty(number)
        h.write(self.history, self.repo)
        shutil.copytree(self.repo, self.clone, symlinks=True)
        shutil.rmtree(self.clone / ".git" / "worktrees", ignore_errors=True)
        h.git(self.clone, "checkout", "-q", "--detach", self.history.ids[0])

    def _make_dirty(self, number: int) -> None:
        tip = self.history.tips[number]
        old = self.history.trees[tip]
        if any(mode == h.SUBMODULE for mode, _ in old.values()):
            return
        where = self.repo.parent / f"w{number}"
        h.git(
            self.repo,
            "worktree",
            "add",
            "-q",
            "-b",
            f"w{number}",
            str(where),
            self.history.ids[tip],
        )
        half = h.changed(self.rng, old, h.ON_DISK)
        h.put_on_disk(where, old, half)
        if self.rng.random() < 0.5:
            h.git(where, "add", "-A", ".")
        elif self.rng.random() < 0.5:
            h.git(where, "add", "-u", ".")
        whole = h.changed(self.rng, half, h.ON_DISK)
        h.put_on_disk(where, half, whole)
        if whole.get(".gitignore") == old.get(".gitignore") == (h.FILE, b"*.log\n"):
            (where / "noise.log").write_text("ignored\n")
        self.dirty[number] = self.history.add(whole, tip)

    def _compare(self, committed_only: bool) -> None:
        ids, tips = self.history.ids, self.history.tips
        opened = discover(str(self.repo))
        trees = {one.branch: one for one in list_worktrees(opened)}
        sides = [Side(f"{n}", ids[tip], None, trees.get(f"w{n}")) for n, tip in enumerate(tips)]
        target = tips[-1]
        question = Question(ids[target], sides, committed_only=committed_only)
        for pair in foresee(opened, question).pairs:
            a = int(pair.a)
            ours = target if pair.b is None else self._commit(a, committed_only)
            theirs = self._commit(a if pair.b is None else int(pair.b), committed_only)
            self._judge(pair, ours, theirs)

    def _commit(self, branch: int, committed_only: bool) -> int:
        tip = self.history.tips[branch]
        return tip if committed_only else self.dirty.get(branch, tip)

    def _judge(self, pair, ours: int, theirs: int) -> None:
        ids = self.history.ids
        key = (ids[ours], ids[theirs])
        fresh = key not in self.known
        if fresh:
            self.known[key] = really_merge(self.clone, *key)
        truth = self.known[key]
        self.counts["merges"] += fresh
        self.counts[pair.verdict] += fresh
        self.counts["several bases"] += fresh and len(pair.bases) > 1
        self.counts["with uncommitted work"] += fresh and not {ours, theirs} <= set(
            self.history.tips
        )
        said = self._difference(pair, truth, ours, theirs)
        if said:
            self.wrong.append(
                f"{said}: {key[0][:8]} {key[1][:8]} {pair.verdict} {pair.reason or ''}"
            )

    def _difference(self, pair, truth: Truth, ours: int, theirs: int) -> str | None:
        said = difference(pair, truth)
        mergeable = pair.verdict in {"clean", "overlap"}
        return said or (self._other_overlap(pair, ours, theirs) if mergeable else None)

    def _other_overlap(self, pair, ours: int, theirs: int) -> str | None:
        numbers = {one: n for n, one in enumerate(self.history.ids)}
        trees = self.history.trees
        met = False
        for base in pair.bases:
            old = trees[numbers[base]]
            met = met or bool(h.touched(old, trees[ours]) & h.touched(old, trees[theirs]))
        return None if met == (pair.verdict == "overlap") else f"touched by both is {met}"


def trial(seed: int) -> tuple[int, Counter[str], list[str]]:
    root = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        one = Trial(seed, root)
        one.run()
        return seed, one.counts, one.wrong
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--merges", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=2)
    options = asked.parse_args()
    h.seal()
    total: Counter[str] = Counter()
    wrong = 0
    start = time.monotonic()
    with Pool(options.processes) as pool:
        seeds = range(options.seed, options.seed + 10_000_000)
        for seed, counts, differences in pool.imap_unordered(trial, seeds):
            total += counts
            wrong += len(differences)
            for line in differences:
                print(f"seed {seed}: {line}", flush=True)
            if total["merges"] >= options.merges:
                pool.terminate()
                break
    print(
        f"from seed {options.seed}: {dict(total)}, {wrong} different, {time.monotonic() - start:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
