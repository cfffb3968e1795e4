"""`git ledger plan` beside random orders: `python -m benchmarks.plan_orders [REPOSITORY]`.

Thirty branches, and how many of them merge: in the order that `plan` gives, and in 200
random ones, each merged one branch after another. The branches are those that were alive
together in a real history, pull requests included; or, without a repository, made up ones
with about 60 pairs that conflict. A few orders are merged by `git merge` in a checkout
too, which must take as many.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks import histories as h
from benchmarks import lives
from benchmarks.crowd import Crowd
from benchmarks.truth import really_merge
from gitledger.git.repository import discover
from gitledger.git.scratch import scratch
from gitledger.services.plan import Merger
from gitledger.services.question import Terms

OVERLAPPING = 120  # of which half conflict


def made_up(root: Path, count: int) -> Crowd:
    crowd = Crowd(root, count, 5000, OVERLAPPING)
    crowd.build(checkout=False)
    return crowd


def taken_from(repository: Path, root: Path, count: int, seed: int) -> Crowd:
    """A clone with a worktree for each of the branches, and main where the trunk was then."""
    found = lives.moments(repository, count, seed, everybody=True)
    moment = next((one for one in found if len(one.tips) == count), None)
    if moment is None:
        raise SystemExit(f"never were {count} branches alive at once")
    crowd = Crowd(root, count, 0, 0)
    h.git(root, "clone", "-q", "--shared", "--no-checkout", str(repository), "repo")
    h.git(crowd.repo, "checkout", "-q", "-B", "main", moment.target)
    for n, tip in enumerate(moment.tips):
        h.git(crowd.repo, "branch", f"agent{n}", tip)
    crowd.settle(checkout=False)
    return crowd


def tips_of(crowd: Crowd) -> dict[str, str]:
    refs = [f"refs/heads/agent{n}" for n in range(crowd.agents)]
    tips = h.git(crowd.repo, "rev-parse", *refs).stdout.decode().split()
    return {f"agent{n}": tip for n, tip in enumerate(tips)}


def planned(crowd: Crowd) -> tuple[list[str], float]:
    """The branches in the order of `plan`, and the seconds of the whole command."""
    crowd.forget()
    start = time.perf_counter()
    told = json.loads(crowd.ledger("plan", "--json"))
    return [one["branch"] for one in told["order"]], time.perf_counter() - start


def merged(crowd: Crowd, tips: dict[str, str], orders: list[list[str]]) -> list[list[str]]:
    """What merges of each order. All take a step at once, so that git is asked seldom."""
    repo = discover(str(crowd.repo))
    target = h.git(crowd.repo, "rev-parse", "main").stdout.decode().strip()
    states = [target] * len(orders)
    found: list[list[str]] = [[] for _ in orders]
    with scratch(repo) as store:
        merger = Merger(repo, target, tips, store, Terms())
        for step in range(len(tips)):
            asked = [(state, order[step]) for state, order in zip(states, orders, strict=True)]
            for n, state in enumerate(merger.merge(asked)):
                if state is not None:
                    states[n] = state
                    found[n].append(orders[n][step])
    return found


def really(crowd: Crowd, tips: dict[str, str], order: list[str]) -> list[str]:
    """What `git merge` takes of an order, in the clone's own checkout."""
    here = h.git(crowd.repo, "rev-parse", "main").stdout.decode().strip()
    found = []
    for name in order:
        truth = really_merge(crowd.repo, here, tips[name])
        if not truth.told:
            raise SystemExit("git could not check out: missing object")
        if truth.clean:
            found.append(name)
            here = h.git(crowd.repo, "rev-parse", "HEAD").stdout.decode().strip()
    return found


def conflicting(crowd: Crowd) -> int:
    told = json.loads(crowd.ledger("conflicts", "--committed", "--json"))
    return sum(one["verdict"] == "conflict" for one in told["pairs"] if one["b"])


def compare(crowd: Crowd, count: int, real: int, seed: int) -> bool:
    """Print the figures; whether `plan` is as good as the best, and says the truth."""
    pairs = conflicting(crowd)
    order, taken = planned(crowd)
    tips = tips_of(crowd)
    rng = random.Random(seed)
    orders = [rng.sample(sorted(tips), len(tips)) for _ in range(count)]
    found = merged(crowd, tips, orders)
    sizes = Counter(len(one) for one in found)
    h.git(crowd.repo, "checkout", "-q", "--detach", "main")
    wrong = [n for n in range(real) if really(crowd, tips, orders[n]) != found[n]]
    kept = really(crowd, tips, order) == order
    print(f"{len(tips)} branches, {pairs} pairs conflict")
    print(f"plan: {len(order)} merge, {taken:.2f} s (at most 5)")
    print(f"{count} random orders: {dict(sorted(sizes.items()))}")
    print(f"by git merge: the plan {'merges' if kept else 'DOES NOT MERGE'} whole,", end=" ")
    print(f"{real - len(wrong)} of {real} random orders as simulated")
    return kept and not wrong and len(order) >= max(sizes)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("repository", type=Path, nargs="?", help="a real history")
    asked.add_argument("--branches", type=int, default=30)
    asked.add_argument("--orders", type=int, default=200)
    asked.add_argument("--real", type=int, default=3, help="orders that git merge makes too")
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    h.seal()
    root = Path(tempfile.mkdtemp(prefix="orders-", dir=os.environ.get("TMPDIR")))
    try:
        if options.repository:
            repository = options.repository.resolve()
            crowd = taken_from(repository, root, options.branches, options.seed)
        else:
            crowd = made_up(root, options.branches)
        return 0 if compare(crowd, options.orders, options.real, options.seed) else 1
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
