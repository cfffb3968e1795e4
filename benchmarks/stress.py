"""Sixteen worktrees at work at once, processes killed at random: no event is lost.

    python benchmarks/stress.py [--events N] [--worktrees N] [--seed N]

Each worktree has one worker that goes on until N events are acknowledged in all. It runs
git (commits, amends, rebases, picks, resets, squashes), ledger commands, and appends of
its own, most to its agent's log and some to one that all write; one command of six is
killed with SIGKILL together with all that it started. An event counts as acknowledged when
the append returned. Afterwards: every acknowledged event is in the logs, none twice, `git fsck`
and `git ledger verify` find nothing, and every commit on an agent's branch has its agent.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gitledger.errors import LedgerError  # noqa: E402
from gitledger.git.repository import discover  # noqa: E402
from gitledger.services.live import look  # noqa: E402
from gitledger.services.reconcile import reconcile  # noqa: E402
from gitledger.services.verify import verify  # noqa: E402
from gitledger.services.who import who  # noqa: E402
from gitledger.store import logs  # noqa: E402

SEAL = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "dev",
    "GIT_AUTHOR_EMAIL": "dev@example.invalid",
    "GIT_COMMITTER_NAME": "dev",
    "GIT_COMMITTER_EMAIL": "dev@example.invalid",
    "GIT_EDITOR": "true",
    "PYTHONPATH": str(ROOT),
}
KILLED = 6  # one command of so many is killed
BATCH = 12  # appends between two commands
SHARED = 0.05  # of them go to one log that all write
GIT = (
    ("commit", "-q", "--allow-empty", "-m", "more"),
    ("commit", "-q", "--amend", "--allow-empty", "-m", "better"),
    ("rebase", "-q", "--empty=keep", "main"),
    ("reset", "-q", "--soft", "HEAD~1"),
    ("cherry-pick", "--allow-empty", "--keep-redundant-commits", "w0"),
    ("merge", "-q", "--no-edit", "main"),
    ("gc", "-q"),
)
LEDGER = (
    ("set", "--title", "another title"),
    ("report", "-m", "a report"),
    ("revise", "-m", "go on"),
    ("reconcile",),
)


def run(place: Path, *words: str, check: bool = True) -> str:
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise SystemExit(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def prepare(folder: Path, worktrees: int) -> Path:
    """A repository with our hooks and an agent in each worktree."""
    repo = folder / "repo"
    repo.mkdir()
    run(repo, "git", "init", "-q", "-b", "main")
    shutil.copytree(ROOT / "hooks", repo / ".git/hooks", dirs_exist_ok=True)
    run(repo, "git", "config", "gc.auto", "0")
    run(repo, "git", "commit", "-q", "--allow-empty", "-m", "base")
    for number in range(worktrees):
        ledger(repo, "spawn", "stress", "--id", f"w{number}", "-b", f"w{number}")
    return repo


def ledger(place: Path, *words: str) -> str:
    return run(place, sys.executable, "-m", "gitledger", *words)


def killed(place: Path, words: tuple[str, ...], chance: random.Random) -> bool:
    """Run a command, killed at random with everything that it started; whether it was."""
    process = subprocess.Popen(
        words,
        cwd=place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    meant = chance.randrange(KILLED) == 0
    if meant:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.001, 0.3))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait() == -signal.SIGKILL and meant


def work(place: Path, name: str, seed: int, share: int, out: Path) -> None:
    """One worktree's worker: writes down each event that was acknowledged."""
    chance = random.Random(seed)
    repo = discover(str(place))
    own, shared = (f"refs/ledger/agents/{one}/log" for one in (name, "w0"))
    done = 0
    with out.open("w") as file:
        while done < share:
            for _ in range(min(BATCH, share - done)):
                for event in append(repo, shared if chance.random() < SHARED else own):
                    file.write(event + "\n")
                    done += 1
            if command(place, chance):
                file.write("killed\n")
            file.flush()


def append(repo: object, ref: str) -> list[str]:
    try:
        events = logs.append(repo, ref, lambda _: [("usage", {"tool_uses": 1})])
    except LedgerError:
        clear_stale_locks(repo)
        return []
    return [event.id for event in events]


def command(place: Path, chance: random.Random) -> bool:
    """Any one command, and the tidying up that a person does; whether it was killed."""
    if chance.random() < 0.5:
        dead = killed(place, ("git", *chance.choice(GIT)), chance)
    else:
        dead = killed(place, (sys.executable, "-m", "gitledger", *chance.choice(LEDGER)), chance)
    for lock in Path(run(place, "git", "rev-parse", "--absolute-git-dir")).glob("*.lock"):
        lock.unlink(missing_ok=True)  # this worktree's own: nothing else runs here
    for state in ("rebase", "cherry-pick", "merge"):
        run(place, "git", state, "--abort", check=False)
    return dead


def clear_stale_locks(repo: object) -> None:
    """As a person does: ref locks whose owner was killed long ago."""
    for lock in Path(repo.common_dir).glob("refs/**/*.lock"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > 5:
                lock.unlink()


def examine(repo: Path, said: list[str]) -> dict[str, object]:
    for lock in repo.glob(".git/**/*.lock"):
        if lock.parent.name != "ledger":
            lock.unlink()
    here = discover(str(repo))
    reconcile(here)
    found = Counter(event.id for log in logs.read_all(here).values() for event in log.events)
    view = look(here)
    branches = [one for one in view.live if one.tip]
    nobody = [
        commit
        for one in branches
        for commit in run(repo, "git", "rev-list", str(one.tip), "^main").split()
        if who(view, commit).owner is None
    ]
    fsck = subprocess.run(
        ("git", "fsck", "--no-dangling"), cwd=repo, capture_output=True, text=True, check=False
    )
    return {
        "acknowledged": len(said),
        "lost": len(set(said) - set(found)),
        "doubled": sum(count > 1 for count in found.values()),
        "in the logs": sum(found.values()),
        "commits of nobody": len(nobody),
        "fsck": "clean" if fsck.returncode == 0 and not fsck.stderr else fsck.stderr[:200],
        "verify": [f"{one.ref}: {one.what}" for one in verify(here).faults] or "clean",
    }


def stress(events: int, worktrees: int, seed: int) -> dict[str, object]:
    os.environ.update(SEAL)
    with tempfile.TemporaryDirectory(prefix="git-ledger-stress-") as name:
        folder = Path(name)
        repo = prepare(folder, worktrees)
        start = time.monotonic()
        files = [folder / f"said-{number}" for number in range(worktrees)]
        workers = [
            multiprocessing.Process(
                target=work,
                args=(
                    folder / f"repo-w{number}",
                    f"w{number}",
                    seed + number,
                    -(-events // worktrees),
                    file,
                ),
            )
            for number, file in enumerate(files)
        ]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        seconds = round(time.monotonic() - start, 1)
        lines = [line for file in files for line in file.read_text().split()]
        said = [line for line in lines if line != "killed"]
        codes = [one.exitcode for one in workers]
        told = {"seconds": seconds, "workers": codes.count(0), "killed": lines.count("killed")}
        return told | examine(repo, said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--worktrees", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = stress(given.events, given.worktrees, given.seed)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
