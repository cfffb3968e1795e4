"""Commands that are timed beside each other, in one run, in an order of its own each round."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

SEAL = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/nonexistent/gitconfig",
    "GIT_AUTHOR_NAME": "dev",
    "GIT_AUTHOR_EMAIL": "dev@example.invalid",
    "GIT_COMMITTER_NAME": "dev",
    "GIT_COMMITTER_EMAIL": "dev@example.invalid",
}


def run(place: Path, *words: str, stdin: str | None = None) -> str:
    """A command that must succeed; its stdout."""
    env = {**os.environ, **SEAL, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        words, cwd=place, env=env, input=stdin, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def timed(place: Path, *words: str) -> float:
    """Milliseconds that a command takes."""
    start = time.perf_counter()
    run(place, *words)
    return (time.perf_counter() - start) * 1000


@dataclass(frozen=True)
class Case:
    """A command that is timed in a place, after `before` has run there untimed."""

    place: Path
    words: tuple[str, ...]
    before: tuple[str, ...] = ()


def interleaved(runs: int, cases: dict[str, Case]) -> dict[str, list[float]]:
    """The times of each case, each run once in every round, after a round to warm up.

    In an order of its own each round: who comes after a heavy one finds cold caches.
    """
    taken: dict[str, list[float]] = {name: [] for name in cases}
    order = list(cases.items())
    for number in range(runs + 1):
        random.shuffle(order)
        for name, case in order:
            if case.before:
                run(case.place, *case.before)
            time_taken = timed(case.place, *case.words)
            if number:
                taken[name].append(time_taken)
    return taken


def show(title: str, found: dict[str, list[float]]) -> None:
    """A table; the first row is what the others are compared with."""
    base = next(iter(found.values()))
    print(f"\n| {title} | median, ms | added, ms | ratio | fastest, ms | added, ms |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, taken in found.items():
        middle, added = median(taken), median(taken) - median(base)
        ratio, least = middle / median(base), min(taken)
        print(
            f"| {name} | {middle:.1f} | {added:.1f} | {ratio:.2f}"
            f" | {least:.1f} | {least - min(base):.1f} |",
            flush=True,
        )
