"""A repository with many agents that change some files in common, as big as one asks for.

With it the ways to ask git alone about all pairs.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from benchmarks import histories as h

ROOT = Path(__file__).resolve().parent.parent
LINES = 40
CHANGED = 20  # files that each agent changes


def names(count: int) -> list[str]:
    return [f"src/part{n // 50 % 10}/room{n // 50}/file{n % 50}.txt" for n in range(count)]


def content(name: str, edits: dict[int, str] | None = None) -> bytes:
    rows = [f"{name} line {n}\n" for n in range(LINES)]
    for line, words in (edits or {}).items():
        rows[line] = f"{words}\n"
    return "".join(rows).encode()


@dataclass
class Crowd:
    """A repository with agents. `history` commits lie below, `spread` of them between the forks."""

    root: Path
    agents: int
    files: int
    overlapping: int
    history: int = 1
    spread: int = 1

    @property
    def repo(self) -> Path:
        return self.root / "repo"

    def build(self, *, checkout: bool) -> None:
        self.repo.mkdir(parents=True)
        h.git(self.repo, "init", "-q", "-b", "main")
        h.git(self.repo, "fast-import", "--quiet", stdin=b"".join(self._stream()))
        h.git(self.repo, "repack", "-adq")
        h.git(self.repo, "commit-graph", "write", "--reachable")
        h.git(self.repo, "reset", "-q", "--hard")
        self.settle(checkout=checkout)

    def settle(self, *, checkout: bool) -> None:
        """A worktree and an agent for each of the branches."""
        self.ledger("init")
        for n in range(self.agents):
            words = ("worktree", "add", "-q", *(() if checkout else ("--no-checkout",)))
            h.git(self.repo, *words, f"../w{n}", f"agent{n}")
        self.ledger("adopt", "--all")
        time.sleep(1.1)  # else git would look into every file that is as new as its index
        for n in range(self.agents if checkout else 0):
            h.git(self.root / f"w{n}", "update-index", "-q", "--refresh")

    def _stream(self):
        known = names(self.files)
        yield self._head("main", 1)
        for name in known:
            yield self._file(name, content(name))
        for n in range(1, self.history):
            yield self._head("main", n + 1)
            yield self._file(f"log/{n % 100}", b"%d\n" % n)
        for n, edits in enumerate(self._edits(known)):
            back = n * self.spread // self.agents
            yield self._head(f"agent{n}", self.history + n + 1, self.history - back)
            for name, lines in edits.items():
                yield self._file(name, content(name, lines))

    def _head(self, branch: str, number: int, start: int = 0) -> bytes:
        origin = f"from :{start}\n" if start else ""
        who = f"dev <dev@example.invalid> {1_700_000_000 + number} +0000"
        head = f"commit refs/heads/{branch}\nmark :{number}\n"
        return f"{head}committer {who}\ndata 1\nm\n{origin}".encode()

    def _file(self, name: str, data: bytes) -> bytes:
        return b"M 644 inline %s\ndata %d\n%s\n" % (name.encode(), len(data), data)

    def _edits(self, known: list[str]) -> list[dict[str, dict[int, str]]]:
        """Files of its own for each agent, and a file in common for each overlapping pair."""
        rng = random.Random(1)
        pairs = list(combinations(range(self.agents), 2))
        shared = rng.sample(pairs, min(self.overlapping, len(pairs)))
        room = self.files // self.agents  # each works in a corner of its own
        own = [known[n * room :][: min(CHANGED - 4, room)] for n in range(self.agents)]
        taken = {name for one in own for name in one}
        free = iter([name for name in known if name not in taken])
        found = [{name: {5: f"agent{n}"} for name in one} for n, one in enumerate(own)]
        for a, b in shared:
            name = next(free)
            found[a][name] = {20: f"agent{a}"}
            found[b][name] = {20 if rng.random() < 0.5 else 35: f"agent{b}"}
        return found

    def make_dirty(self) -> None:
        rng = random.Random(2)
        for n in range(self.agents):
            where = self.root / f"w{n}"
            for name in rng.sample(names(self.files), 3):
                (where / name).write_bytes(content(name, {30: f"work {n}"}))
            (where / f"new{rng.randrange(self.agents * 4)}").write_text(f"{n}\n")

    def move(self, number: int, turn: int) -> None:
        """One agent commits: the rest are as they were."""
        where = self.root / f"w{number}"
        name, words = "moved.txt", f"{turn} {time.monotonic_ns()}\n"
        if not (where / "src").exists():  # nothing is checked out
            branch = f"agent{number}"
            start = f"from refs/heads/{branch}^0\n".encode()
            stream = self._head(branch, turn) + start + self._file(name, words.encode())
            h.git(self.repo, "fast-import", "--quiet", stdin=stream)
            return
        (where / name).write_text(words)
        h.git(where, "add", name)
        h.git(where, "commit", "-q", "--no-verify", "-m", "moved")

    def forget(self) -> None:
        shutil.rmtree(self.repo / ".git" / "ledger" / "cache", ignore_errors=True)

    def sweep(self) -> None:
        """Drop what nothing reaches.

        A tool that writes the merges that it tries into the repository leaves whoever makes
        them again nothing to write.
        """
        h.git(self.repo, "prune", "--expire=now")

    def ledger(self, *words: str) -> bytes:
        code = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
        code += "; from gitledger.__main__ import main; main()"
        asked = [sys.executable, "-I", "-c", code, *words]
        done = subprocess.run(asked, cwd=self.repo, env=h.sealed(), capture_output=True, check=True)
        return done.stdout

    def pairs(self) -> list[str]:
        refs = [f"refs/heads/agent{n}" for n in range(self.agents)]
        tips = h.git(self.repo, "rev-parse", *refs).stdout.decode().split()
        return [f"{a} {b}" for a, b in combinations(tips, 2)]

    def one_process(self) -> None:
        stdin = "".join(f"{one}\n" for one in self.pairs()).encode()
        self._merge_tree("--stdin", stdin=stdin)

    def process_each(self) -> None:
        for one in self.pairs():
            self._merge_tree(*one.split())

    def _merge_tree(self, *words: str, stdin: bytes = b"") -> None:
        with tempfile.TemporaryDirectory() as store:
            alternates = str(self.repo / ".git" / "objects")
            env = {"GIT_OBJECT_DIRECTORY": store, "GIT_ALTERNATE_OBJECT_DIRECTORIES": alternates}
            asked = ["git", "merge-tree", "--write-tree", "-z", *words]
            subprocess.run(
                asked,
                cwd=self.repo,
                env=h.sealed() | env,
                input=stdin,
                capture_output=True,
                check=False,
            )
