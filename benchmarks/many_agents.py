"""How long the forecast for many agents takes: `python -m benchmarks.many_agents`.

The whole command, interpreter start included, beside one `git merge-tree --stdin` process
that is fed every pair; with `--each` also one process a pair, and `mergeset` and `laneguard`
where they are on PATH. All in one run, in turn. Prints Markdown.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
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


def seconds(action) -> float:
    start = time.perf_counter()
    try:
        action()
    except subprocess.TimeoutExpired:
        return math.inf
    return time.perf_counter() - start


def committed(crowd: Crowd) -> bytes:
    return crowd.ledger("conflicts", "--committed", "--json")


def whole(crowd: Crowd) -> bytes:
    return crowd.ledger("conflicts", "--json")


def measured(runs: int, kinds: dict) -> dict[str, float]:
    """Median seconds of each kind, after one pass that does not count. In turn.

    What once takes longer than PATIENCE is not tried again: infinite.
    """
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(runs + 1):
        for name, (before, action) in kinds.items():
            if math.inf in times[name]:
                continue
            before(turn)
            taken = seconds(action)
            if turn or taken == math.inf:
                times[name].append(taken)
    return {name: median(found) for name, found in times.items()}


def report(title: str, found: dict[str, float]) -> None:
    print(f"\n{title}\n\n| what | seconds | of one process for all pairs |\n|---|---:|---:|")
    first = next(iter(found.values()))
    for name, taken in found.items():
        if taken == math.inf:
            print(f"| {name} | > {PATIENCE} | > {PATIENCE / first:.0f} |", flush=True)
        else:
            print(f"| {name} | {taken:.3f} | {taken / first:.2f} |", flush=True)


def kinds_of(crowd: Crowd, *, work: bool, each: bool) -> dict:
    def nothing(_turn: int) -> None:
        pass

    def forget(_turn: int) -> None:
        crowd.forget()

    def moved(turn: int) -> None:
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
