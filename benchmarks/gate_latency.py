"""What a check takes, and what the gates add to git: a small repository with ten agents."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from benchmarks import histories as h
from benchmarks.crowd import ROOT, Crowd
from benchmarks.timing import Case, interleaved, show

if TYPE_CHECKING:
    from pathlib import Path

AGENTS, FILES, OVERLAPPING = 10, 200, 10
ASKED = "agent3"


def launcher(folder: Path) -> Path:
    """A `git-ledger` of this tree, for `git ledger` and for the gates to find."""
    folder.mkdir()
    program = folder / "git-ledger"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    code += "\nfrom gitledger.__main__ import main\nmain()\n"
    program.write_text(f"#!{sys.executable} -I\n{code}")
    program.chmod(0o755)
    return folder


def gates(root: Path, runs: int) -> None:
    """Three tables: the questions alone, a commit, a merge. The bound of a question is 150 ms."""
    crowd = Crowd(root / "gates", AGENTS, FILES, OVERLAPPING)
    crowd.build(checkout=True)
    crowd.ledger("init", "--gates")
    path = f"PATH={launcher(root / 'bin')}:{h.sealed()['PATH']}"
    work = crowd.root / "w3"
    (work / "staged").write_text("staged\n")
    h.git(work, "add", "staged")
    ledger = ("env", path, "git", "ledger")
    show("a question (limit 150 ms)", interleaved(runs, questions(crowd, work, ledger)))
    show(f"git commit, {AGENTS} agents", interleaved(runs, commits(work, path, root)))
    show(f"git merge, {AGENTS} agents", interleaved(runs, merges(crowd, path, root)))


def questions(crowd: Crowd, work: Path, ledger: tuple[str, ...]) -> dict[str, Case]:
    cold = ("rm", "-rf", str(crowd.repo / ".git" / "ledger" / "cache"))
    tip = h.git(crowd.repo, "rev-parse", ASKED).stdout.decode().strip()
    told = f"refs/heads/{ASKED} {tip} refs/heads/{ASKED} {'0' * 40}"
    push = f"echo {shlex.quote(told)} | {shlex.join(ledger)} gate pre-push"
    merge = (*ledger[:2], f"GITHEAD_{tip}={ASKED}", *ledger[2:], "gate", "pre-merge-commit")
    return {
        "Python that imports click": Case(work, (sys.executable, "-I", "-c", "import click")),
        "git ledger check": Case(crowd.repo, (*ledger, "check", ASKED)),
        "git ledger check, cold": Case(crowd.repo, (*ledger, "check", ASKED), cold),
        "git ledger check --others": Case(
            work, ("sh", "-c", f"{shlex.join(ledger)} check {ASKED} --others || [ $? = 1 ]")
        ),
        "git ledger gate pre-commit": Case(work, (*ledger, "gate", "pre-commit")),
        "git ledger gate pre-merge-commit": Case(crowd.repo, merge),
        "git ledger gate pre-push": Case(crowd.repo, ("sh", "-c", push)),
    }


def commits(work: Path, path: str, root: Path) -> dict[str, Case]:
    """The same change committed again and again."""
    (root / "none").mkdir()
    off = ("git", "-c", f"core.hooksPath={root / 'none'}")
    back = (*off, "reset", "-q", "--soft", "HEAD^")
    h.git(work, "commit", "-q", "--no-verify", "-m", "first")
    words = ("commit", "-q", "-m", "again")
    return {
        "no hooks": Case(work, (*off, *words), back),
        "recorders": Case(work, ("env", path, "git", "-c", "ledger.gate=off", *words), back),
        "recorders and gates": Case(work, ("env", path, "git", *words), back),
    }


def merges(crowd: Crowd, path: str, root: Path) -> dict[str, Case]:
    """One agent's branch merged into main again and again."""
    off = ("git", "-c", f"core.hooksPath={root / 'none'}")
    start = h.git(crowd.repo, "rev-parse", "main").stdout.decode().strip()
    back = (*off, "reset", "-q", "--hard", start)
    words = ("merge", "-q", "--no-ff", "--no-edit", ASKED)
    return {
        "no hooks": Case(crowd.repo, (*off, *words), back),
        "recorders": Case(crowd.repo, ("env", path, "git", "-c", "ledger.gate=off", *words), back),
        "recorders and gates": Case(crowd.repo, ("env", path, "git", *words), back),
    }
