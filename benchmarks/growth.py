"""How the forecast grows with the number of agents: `python -m benchmarks.growth`.

Each agent has the same number of others with whom it shares a file, however many there are,
so what can conflict grows with the agents and the pairs with their square. Ours beside one
`git merge-tree --stdin` process that is fed every pair, and one process a pair up to 50
agents. Prints Markdown; `--plot FILE` draws it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks import histories as h
from benchmarks.crowd import Crowd
from benchmarks.many_agents import Taken, committed, measured
from benchmarks.plot import Line, plot

FILES = 5000
FEW = 50  # agents up to which a process a pair is waited for
EACH, ALL = "one merge-tree process a pair", "one merge-tree process, all pairs"
COLD, MOVED = "git ledger conflicts", "the same, one agent moved"
NAMES = [EACH, ALL, COLD, MOVED]


def kinds(crowd: Crowd) -> dict:
    """What is measured, and what goes before each time."""

    def nothing(_turn: int) -> None:
        pass

    found = {ALL: (nothing, crowd.one_process)}
    if crowd.agents <= FEW:
        found[EACH] = (nothing, crowd.process_each)
    found[COLD] = (lambda _turn: crowd.forget(), lambda: committed(crowd))
    moved = (lambda turn: crowd.move(turn % crowd.agents, turn), lambda: committed(crowd))
    return found | {MOVED: moved}


def grown(agents: int, overlaps: int, runs: int) -> dict[str, Taken]:
    root = Path(tempfile.mkdtemp(prefix="growth-", dir=os.environ.get("TMPDIR")))
    try:
        crowd = Crowd(root, agents, FILES, agents * overlaps // 2)
        crowd.build(checkout=False)
        return measured(runs, kinds(crowd))
    finally:
        shutil.rmtree(root, ignore_errors=True)


def row(agents: int, found: dict[str, Taken]) -> str:
    cells = [f"{found[name].clock:.3f}" if name in found else "" for name in NAMES]
    ratio = f"{found[COLD].clock / found[ALL].clock:.2f}"
    return "| " + " | ".join([str(agents), str(agents * (agents - 1) // 2), *cells, ratio]) + " |"


def picture(found: dict[int, dict[str, Taken]], overlaps: int) -> str:
    lines = [
        Line(name, [(n, times[name].clock) for n, times in found.items() if name in times])
        for name in NAMES
    ]
    title = f"Committed work, {FILES:,} files, {overlaps} overlaps an agent"
    return plot(title, "agents", "seconds", [one for one in lines if one.points])


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--agents", type=int, nargs="+", default=[10, 25, 50, 100, 200])
    asked.add_argument("--overlaps", type=int, default=4, help="others that each agent meets")
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--plot", type=Path, metavar="FILE", help="an SVG to write")
    options = asked.parse_args()
    h.seal()
    print("| agents | pairs | " + " | ".join(NAMES) + " | of one process for all pairs |")
    print("|" + "---:|" * (len(NAMES) + 3), flush=True)
    found: dict[int, dict[str, Taken]] = {}
    for agents in sorted(options.agents):
        found[agents] = grown(agents, options.overlaps, options.runs)
        print(row(agents, found[agents]), flush=True)
    if options.plot:
        options.plot.write_text(picture(found, options.overlaps))
    return 0


if __name__ == "__main__":
    sys.exit(main())
