"""What a hook adds to git's commands: ours beside others, in one run, interleaved.

    python benchmarks/hook_latency.py [--runs N] [--agents N] [--notes N] [--only commits|others]

Needs git, pygit2 in this Python, and pre-commit beside it. Prints Markdown.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PYGIT2_HOOK = "import os, pygit2; pygit2.Repository(os.getcwd()).head.target"
PRE_COMMIT_CONFIG = """\
repos:
- repo: local
  hooks:
  - {id: nothing, name: nothing, language: system, entry: "true", stages: [post-commit],
     always_run: true, pass_filenames: false}
"""
SEAL = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
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


def put_hook(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def put_ours(folder: Path) -> None:
    """The files as they are: what `git ledger init` runs in the end."""
    shutil.copytree(ROOT / "hooks", folder, dirs_exist_ok=True)


def new_repository(path: Path) -> Path:
    path.mkdir(parents=True)
    run(path, "git", "init", "-q", "-b", "main")
    run(path, "git", "commit", "-q", "--allow-empty", "-m", "base")
    run(path, "git", "config", "extensions.worktreeConfig", "true")
    return path


def add_worktree(repo: Path, name: str, hooks: Path | None) -> Path:
    """A linked worktree with its own core.hooksPath; None: the repository's own hooks."""
    path = repo.parent / name
    chosen = hooks or repo / ".git/hooks"
    run(repo, "git", "-c", f"core.hooksPath={chosen}", "worktree", "add", "-q", str(path))
    if hooks:
        run(path, "git", "config", "--worktree", "core.hooksPath", str(hooks))
    return path


def fill_ledger(repo: Path, worktree: str, agents: int, notes: int) -> None:
    """A ledger of that size: agents with log, spawn, head and note, and notes in one worktree."""
    base = run(repo, "git", "rev-parse", "HEAD")
    blob = run(repo, "git", "hash-object", "-w", "--stdin", stdin="agent: a\niteration: 0\n")
    refs = [
        f"create refs/ledger/agents/filler-{number}/{leaf} {base if leaf in 'spawn head' else blob}"
        for number in range(agents)
        for leaf in ("log", "spawn", "head", "note")
    ]
    run(repo, "git", "update-ref", "--stdin", stdin="\n".join(refs) + "\n")
    ids = random.Random(1)
    names = (f"{ids.getrandbits(160):040x}" for _ in range(notes))
    lines = "".join(f"M 100644 {blob} {one[:2]}/{one[2:]}\n" for one in names)
    commit = f"commit refs/filler\ncommitter x <x> 0 +0000\ndata 0\n{lines}\n"
    run(repo, "git", "fast-import", "--quiet", stdin=commit)
    run(repo, "git", "update-ref", f"refs/notes/ledger/worktrees/{worktree}", "refs/filler")
    run(repo, "git", "update-ref", "-d", "refs/filler")


def kinds(repo: Path) -> dict[str, Path]:
    """A worktree for each kind of hook."""
    hooks = {name: repo.parent / f"hooks-{name}" for name in ("none", "empty", "pygit2", "ours")}
    hooks["none"].mkdir()
    put_hook(hooks["empty"], "post-commit", "#!/bin/sh\nexit 0\n")
    put_hook(hooks["pygit2"], "post-commit", f"#!{sys.executable}\n{PYGIT2_HOOK}\n")
    put_ours(hooks["ours"])
    found = {
        "a bare commit": add_worktree(repo, "bare", hooks["none"]),
        "an empty sh hook": add_worktree(repo, "empty", hooks["empty"]),
        "ours": add_worktree(repo, "ours", hooks["ours"]),
        "Python with pygit2": add_worktree(repo, "pygit2", hooks["pygit2"]),
        "pre-commit running true": add_worktree(repo, "framework", None),
    }
    framework = found["pre-commit running true"]
    (framework / ".pre-commit-config.yaml").write_text(PRE_COMMIT_CONFIG)
    run(framework, "git", "add", "-A")
    run(framework, "git", "commit", "-q", "-m", "configure")
    run(framework, "pre-commit", "install", "--hook-type", "post-commit")
    return found


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


def commits(root: Path, runs: int, agents: int, notes: int) -> None:
    repo = new_repository(root / f"ledger-{agents}" / "repo")
    places = kinds(repo)
    fill_ledger(repo, "ours", agents, notes)
    commit = ("git", "commit", "-q", "--allow-empty", "-m", "x")
    noted = len(run(repo, "git", "ls-tree", "-r", "refs/notes/ledger/worktrees/ours").split("\n"))
    found = interleaved(runs, {name: Case(place, commit) for name, place in places.items()})
    after = len(run(repo, "git", "ls-tree", "-r", "refs/notes/ledger/worktrees/ours").split("\n"))
    if after - noted != runs + 1:
        raise SystemExit(f"{after - noted} of {runs + 1} commits are noted")
    show(f"commit, {agents} agents, {notes} noted commits", found)


def with_many_files(repo: Path) -> None:
    """Branches `left` and `right`, which differ in each of 5,000 files."""
    for branch in ("left", "right"):
        head = f"commit refs/heads/{branch}\ncommitter x <x> 1 +0000\ndata 0\nfrom main\n"
        files = (f"M 100644 inline d{n % 50}/f{n}\ndata <<E\n{branch}\nE\n" for n in range(5000))
        run(repo, "git", "fast-import", "--quiet", stdin=head + "".join(files))
    run(repo, "git", "checkout", "-q", "left")


def with_many_refs(path: Path, refs: int = 1000) -> Path:
    origin = new_repository(path)
    commits = (
        f"commit refs/heads/b{n}\ncommitter x <x> {n} +0000\ndata 0\nfrom refs/heads/main^0\n\n"
        for n in range(refs)
    )
    run(origin, "git", "fast-import", "--quiet", stdin="".join(commits))
    return origin


def other_commands(root: Path, runs: int, agents: int) -> None:
    """Fetch and checkout with our hooks and without, each pair in one repository."""
    origin = with_many_refs(root / "origin")
    (root / "no-hooks").mkdir()
    off = ("git", "-c", f"core.hooksPath={root / 'no-hooks'}")
    places: dict[str, tuple[Path, tuple[str, ...]]] = {}
    for name in ("no ledger", f"{agents} agents", f"{agents} agents, packed refs"):
        repo = new_repository(root / "other" / str(len(places)))
        run(repo, "git", "remote", "add", "origin", str(origin))
        with_many_files(repo)
        put_ours(repo / ".git/hooks")
        if name != "no ledger":
            fill_ledger(repo, "none", agents, 10)
        if "packed" in name:  # as gc leaves them
            run(repo, "git", "pack-refs", "--all")
        places |= {f"{name}, no hooks": (repo, off), f"{name}, our hooks": (repo, ("git",))}
    few = max(5, runs // 4)
    forget = "git for-each-ref --format='delete %(refname)' refs/remotes | git update-ref --stdin"
    left = ("git", "checkout", "-q", "left")
    for title, words, before, times in (
        ("fetch of 1,000 refs", ("fetch", "-q", "origin"), ("sh", "-c", forget), few),
        ("checkout of 5,000 files", ("checkout", "-q", "right"), left, few),
        ("checkout of the branch that is checked out", ("checkout", "-q", "right"), (), runs),
    ):
        cases = {name: Case(repo, (*git, *words), before) for name, (repo, git) in places.items()}
        show(title, interleaved(times, cases))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--only", choices=["commits", "others"])
    parser.add_argument("--agents", type=int, default=2000)
    parser.add_argument("--notes", type=int, default=100_000)
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="hook-latency-"))
    shell = Path("/bin/sh").resolve().name
    load = os.getloadavg()[0]
    print(
        f"{run(root, 'git', '--version')}, Python {platform.python_version()}, sh is {shell}, load {load:.1f}"
    )
    try:
        if given.only != "others":
            commits(root, given.runs, 10, 100)
            commits(root, given.runs, given.agents, given.notes)
        if given.only != "commits":
            other_commands(root, given.runs, given.agents)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
