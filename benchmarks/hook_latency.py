"""What a hook adds to git's commands: ours beside others, in one run, interleaved.

    python -m benchmarks.hook_latency [--runs N] [--agents N] [--notes N]
                                      [--only commits|others|gates]

Needs git, pygit2 in this Python, and pre-commit beside it. Prints Markdown.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.gate_latency import gates
from benchmarks.timing import Case, interleaved, run, show
from gitledger.services import install_text

ROOT = Path(__file__).resolve().parent.parent
COMMIT = ("git", "commit", "-q", "--allow-empty", "-m", "x")
EMPTY_HOOK = "#!/bin/sh\nexit 0\n"
PYGIT2_HOOK = "import os, pygit2; pygit2.Repository(os.getcwd()).head.target"
PRE_COMMIT_CONFIG = """\
repos:
- repo: local
  hooks:
  - {id: nothing, name: nothing, language: system, entry: "true", stages: [post-commit],
     always_run: true, pass_filenames: false}
"""


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


def chained(repo: Path) -> Path:
    """The empty sh hook with our lines in it, as `git ledger init` puts them there."""
    put_ours(repo.parent / "ledger" / "hooks")
    with_ours = install_text.with_block(EMPTY_HOOK.encode(), "post-commit")
    put_hook(repo.parent / "hooks-chained", "post-commit", with_ours.decode())
    return repo.parent / "hooks-chained"


def newer_git() -> str | None:
    """A git of those in GIT_LEDGER_TEST_GITS that runs hooks by its configuration: 2.54 on."""
    for program in os.environ.get("GIT_LEDGER_TEST_GITS", "").split(os.pathsep):
        found = re.search(r"(\d+)\.(\d+)", run(ROOT, program, "version")) if program else None
        if found and (int(found[1]), int(found[2])) >= (2, 54):
            return program
    return None


def configured(repo: Path, program: str) -> dict[str, Case]:
    """A bare commit of the newer git, and ours by its configuration."""
    none = repo.parent / "hooks-none"
    bare, ours = (add_worktree(repo, name, none) for name in ("new-bare", "configured"))
    command = install_text.configured("post-commit", str(repo.parent / "hooks-ours"))
    for key, value in (("event", "post-commit"), ("command", command)):
        run(ours, "git", "config", "--worktree", f"hook.ledger.{key}", value)
    words = (program, *COMMIT[1:])
    return {
        "a bare commit, git with hooks by configuration": Case(bare, words),
        "ours, by configuration": Case(ours, words),
    }


def kinds(repo: Path) -> dict[str, Path]:
    """A worktree for each kind of hook."""
    hooks = {name: repo.parent / f"hooks-{name}" for name in ("none", "empty", "pygit2", "ours")}
    hooks["none"].mkdir()
    put_hook(hooks["empty"], "post-commit", EMPTY_HOOK)
    put_hook(hooks["pygit2"], "post-commit", f"#!{sys.executable}\n{PYGIT2_HOOK}\n")
    put_ours(hooks["ours"])
    found = {
        "a bare commit": add_worktree(repo, "bare", hooks["none"]),
        "an empty sh hook": add_worktree(repo, "empty", hooks["empty"]),
        "ours": add_worktree(repo, "ours", hooks["ours"]),
        "ours, in a hook that is there": add_worktree(repo, "chained", chained(repo)),
        "Python with pygit2": add_worktree(repo, "pygit2", hooks["pygit2"]),
        "pre-commit running true": add_worktree(repo, "framework", None),
    }
    framework = found["pre-commit running true"]
    (framework / ".pre-commit-config.yaml").write_text(PRE_COMMIT_CONFIG)
    run(framework, "git", "add", "-A")
    run(framework, "git", "commit", "-q", "-m", "configure")
    run(framework, "pre-commit", "install", "--hook-type", "post-commit")
    return found


def commits(root: Path, runs: int, agents: int, notes: int) -> None:
    repo = new_repository(root / f"ledger-{agents}" / "repo")
    places = kinds(repo)
    fill_ledger(repo, "ours", agents, notes)
    cases = {name: Case(place, COMMIT) for name, place in places.items()}
    program = newer_git()
    cases |= configured(repo, program) if program else {}
    noted = len(run(repo, "git", "ls-tree", "-r", "refs/notes/ledger/worktrees/ours").split("\n"))
    found = interleaved(runs, cases)
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
    parser.add_argument("--only", choices=["commits", "others", "gates"])
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
        if given.only in {None, "commits"}:
            commits(root, given.runs, 10, 100)
            commits(root, given.runs, given.agents, given.notes)
        if given.only in {None, "others"}:
            other_commands(root, given.runs, given.agents)
        if given.only in {None, "gates"}:
            gates(root, given.runs)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
