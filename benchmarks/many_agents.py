"""How long the forecast for many agents takes: `python -m benchmarks.many_agents`.

The whole command, interpreter start included, beside one `git merge-tree --stdin` process
that is fed every pair; with `--each` also one process a pair, and `mergeset` and `laneguard`
where they are on PATH. All in one run, in turn. Prints Markdown.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import histories as h
from benchmarks.crowd import Crowd

PATIENCE = 60  # seconds that another tool gets


def other(crowd: Crowd, *words: str) -> None:
    """Another tool, whatever its exit status. Raises TimeoutExpired when it takes too long."""
    home = crowd.root / "home"
    shutil.rmtree(home, ignore_errors=True)  # one of them keeps what it found there
    home.mkdir()
    env = h.sealed() | {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    subprocess.run(
        words, cwd=crowd.repo, env=env, capture_output=True, check=False, timeout=PATIENCE
    )


def mergeset(crowd: Crowd, program: str) -> None:
    """Who conflicts with whom, and one set that merges: all such sets take it for ever."""
    branches = [f"agent{n}" for n in range(crowd.agents)]
    words = ("--base", "main", "--merge-only", "--max-sets", "1", "--quiet")
    other(crowd, program, "branches", *branches, *words)


def laneguard(crowd: Crowd, program: str) -> None:
    other(crowd, program, "scan", ".", "--base", "main", "--branches", "agent*", "--json")


@dataclass(frozen=True)
class Taken:
    """Seconds by the clock, and of processors: on a busy machine the second says more."""

    clock: float
    work: float


TOO_LONG = Taken(math.inf, math.inf)


def timed(action) -> Taken:
    """What an action takes whose work is done in other processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    try:
        action()
    except subprocess.TimeoutExpired:
        return TOO_LONG
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Taken(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def middle(found: list[Taken]) -> Taken:
    return Taken(median(one.clock for one in found), median(one.work for one in found))


def committed(crowd: Crowd) -> bytes:
    return crowd.ledger("conflicts", "--committed", "--json")


def whole(crowd: Crowd) -> bytes:
    return crowd.ledger("conflicts", "--json")


def measured(runs: int, kinds: dict) -> dict[str, Taken]:
    """The median of each kind, after one pass that does not count. In turn.

    What once takes longer than PATIENCE is not tried again.
    """
    times: dict[str, list[Taken]] = {name: [] for name in kinds}
    for turn in range(runs + 1):
        for name, (before, action) in kinds.items():
            if TOO_LONG in times[name]:
                continue
            before(turn)
            taken = timed(action)
            if turn or taken == TOO_LONG:
                times[name].append(taken)
    return {name: middle(found) for name, found in times.items()}


def report(title: str, found: dict[str, Taken]) -> None:
    print(f"\n{title}\n\n| what | seconds | of one process for all pairs | of processors |")
    print("|---|---:|---:|---:|")
    first = next(iter(found.values()))
    for name, taken in found.items():
        if taken == TOO_LONG:
            print(f"| {name} | > {PATIENCE} | > {PATIENCE / first.clock:.0f} | |", flush=True)
            continue
        ratio = taken.clock / first.clock
        print(f"| {name} | {taken.clock:.3f} | {ratio:.2f} | {taken.work:.3f} |", flush=True)


def kinds_of(crowd: Crowd, *, work: bool, each: bool) -> dict:
    def nothing(_turn: int) -> None:
        if each:
            crowd.sweep()

    def forget(turn: int) -> None:
        nothing(turn)
        crowd.forget()

    def moved(turn: int) -> None:
        nothing(turn)
        crowd.move(turn % crowd.agents, turn)

    found = {"one merge-tree process, all pairs": (nothing, crowd.one_process)}
    if each:
        found["one merge-tree process a pair"] = (nothing, crowd.process_each)
    for name, action in (("mergeset", mergeset), ("laneguard", laneguard)):
        program = shutil.which(name)
        if each and program:
            found[name] = (nothing, partial(action, crowd, program))
    found["committed work, cold"] = (forget, lambda: committed(crowd))
    found["committed work, one agent moved"] = (moved, lambda: committed(crowd))
    if work:
        found["uncommitted work included, cold"] = (forget, lambda: whole(crowd))
        found["uncommitted work included, one agent moved"] = (moved, lambda: whole(crowd))
    return found


def objects(crowd: Crowd) -> bytes:
    return h.git(crowd.repo, "count-objects", "-v").stdout


def run(title: str, crowd: Crowd, runs: int, *, checkout: bool, each: bool) -> None:
    crowd.build(checkout=checkout)
    if checkout:
        crowd.make_dirty()
    before = objects(crowd)
    whole(crowd) if checkout else committed(crowd)
    added = "no object added" if objects(crowd) == before else "OBJECTS WERE ADDED"
    kinds = kinds_of(crowd, work=checkout, each=each)
    report(f"### {title}: {added}; load {os.getloadavg()[0]:.1f}", measured(runs, kinds))


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=5)
    asked.add_argument("--agents", type=int, default=31)
    asked.add_argument("--files", type=int, default=5000)
    asked.add_argument("--overlapping", type=int, default=60)
    asked.add_argument("--history", type=int, default=1)
    asked.add_argument("--spread", type=int, default=1, help="commits over which the forks lie")
    asked.add_argument("--no-checkout", action="store_true", help="committed work alone")
    asked.add_argument(
        "--each", action="store_true", help="other ways too: a process a pair, mergeset, laneguard"
    )
    options = asked.parse_args()
    h.seal()
    root = Path(tempfile.mkdtemp(prefix="agents-", dir=os.environ.get("TMPDIR")))
    sizes = (options.agents, options.files, options.overlapping, options.history, options.spread)
    title = "{} agents, {} files, {} overlapping pairs, {} commits".format(*sizes[:4])
    try:
        crowd = Crowd(root, *sizes)
        run(title, crowd, options.runs, checkout=not options.no_checkout, each=options.each)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
