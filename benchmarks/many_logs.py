"""`list --json` and `show` over 2,000 agents with 20 events each, beside git itself.

    python benchmarks/many_logs.py [--agents N] [--events N] [--loose] [--directory DIR]

What it is measured against: one `git for-each-ref` and one `git cat-file --batch` over
the same logs, and the start of Python with click. Medians, in milliseconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gitledger.model.event import event_id, make_line  # noqa: E402
from gitledger.model.names import agent_ref  # noqa: E402

ENV = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "bench",
    "GIT_AUTHOR_EMAIL": "bench@example.invalid",
    "GIT_COMMITTER_NAME": "bench",
    "GIT_COMMITTER_EMAIL": "bench@example.invalid",
    "PYTHONPATH": str(ROOT),
}


def git(directory: Path, *words: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["git", *words], cwd=directory, env=ENV, input=stdin, capture_output=True, check=True
    ).stdout


def life(number: int, events: int, commit: str) -> list[tuple[str, dict]]:
    """A plausible log: reports and revisions between, and for nine of ten an end."""
    name = f"agent-{number:05}"
    spawn = {
        "id": name,
        "title": f"Task number {number} of the benchmark",
        "spawn_commit": commit,
        "source": "command",
        "worktree": f"/home/you/{name}",
        "worktree_id": f"worktrees/{name}",
        "branch": f"agent/{name}",
        "role": "coder",
        "phase": f"{number % 30:02}",
        "plan": f"{number % 7:02}",
    }
    middle: list[tuple[str, dict]] = []
    while len(middle) < events - 2:
        usage = {"usage": {"input": 1200, "output": 300, "cached": 0}, "tool_uses": 4}
        middle += [
            ("usage", usage),
            ("reported", {"summary": "a report"}),
            ("revised", {"why": "x"}),
        ]
    files = [["M", f"src/file{number % 50}.py"], ["A", f"tests/test{number}.py"]]
    end = {"base": commit, "head": commit, "files": files, "how": "command", "target": "main"}
    last = ("usage", {"turn_count": 3}) if number % 10 == 0 else ("completed", end)
    return [("spawned", spawn), *middle[: events - 3], ("revised", {}), last]


def log(number: int, events: int, commit: str) -> bytes:
    lines, prev = [], ()
    for place, (kind, body) in enumerate(life(number, events, commit)):
        at = f"2026-01-{number % 28 + 1:02}T{place % 24:02}:00:00.{number:06}Z"
        line = make_line(kind, prev, body, at)
        prev = (event_id(line),)
        lines.append(line)
    return b"\n".join(lines) + b"\n"


def make(directory: Path, agents: int, events: int, *, loose: bool) -> None:
    directory.mkdir(parents=True)
    git(directory, "init", "-q", "-b", "main")
    git(directory, "commit", "-q", "--allow-empty", "-m", "base")
    commit = git(directory, "rev-parse", "HEAD").decode().strip()
    script = bytearray()
    for number in range(agents):
        content = log(number, events, commit)
        script += b"blob\nmark :%d\ndata %d\n%s\n" % (number + 1, len(content), content)
    marks = directory / "marks"
    git(directory, "fast-import", "--quiet", f"--export-marks={marks}", stdin=bytes(script))
    blobs = [line.split()[1] for line in marks.read_text().splitlines()]
    marks.unlink()
    note = git(directory, "hash-object", "-w", "--stdin", stdin=b"agent: x\n").decode().strip()
    leaves = {"spawn": commit, "head": commit, "note": note}
    updates = [
        f"create {agent_ref(f'agent-{number:05}', leaf)} {oid}\n"
        for number, blob in enumerate(blobs)
        for leaf, oid in {"log": blob, **leaves}.items()
    ]
    git(directory, "update-ref", "--stdin", stdin="".join(updates).encode())
    if loose:
        for pack in (directory / ".git" / "objects" / "pack").glob("*.pack"):
            moved = pack.rename(directory / pack.name)
            pack.with_suffix(".idx").unlink()
            git(directory, "unpack-objects", "-q", stdin=moved.read_bytes())
            moved.unlink()
    else:
        git(directory, "pack-refs", "--all")


def median(times: int, run) -> float:
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        run()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--agents", type=int, default=2000)
    options.add_argument("--events", type=int, default=20)
    options.add_argument("--times", type=int, default=7)
    options.add_argument("--loose", action="store_true", help="loose objects and refs")
    options.add_argument("--directory", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        directory = given.directory or Path(scratch) / "repo"
        if not directory.exists():
            make(directory, given.agents, given.events, loose=given.loose)
        measure(directory, given.times)


def measure(directory: Path, times: int) -> None:
    words = ("for-each-ref", "--format=%(objectname) %(refname)", "refs/ledger/agents/")
    rows = git(directory, *words).decode().splitlines()
    logs = [row.split()[0] for row in rows if row.endswith("/log")]
    asked = "\n".join(logs).encode() + b"\n"
    listing = median(times, lambda: git(directory, *words))
    reading = median(times, lambda: git(directory, "cat-file", "--batch", stdin=asked))
    start = median(times, lambda: python(directory, "-c", "import click"))
    cache = directory / ".git" / "ledger" / "agents.cache"

    def first() -> None:
        cache.unlink(missing_ok=True)
        python(directory, "-m", "gitledger", "list", "--json")

    without = median(3, first)
    listed = median(times, lambda: python(directory, "-m", "gitledger", "list", "--json"))
    shown = median(times, lambda: python(directory, "-m", "gitledger", "show", "agent-00007"))
    bound = 3 * (listing + reading) + start
    print(f"{len(logs)} logs")
    print(f"git for-each-ref                {listing:7.0f} ms")
    print(f"git cat-file --batch            {reading:7.0f} ms")
    print(f"python -c 'import click'        {start:7.0f} ms")
    print(f"git ledger list --json          {listed:7.0f} ms  (at most {bound:.0f})")
    print(f"  the first time, without cache {without:7.0f} ms")
    print(f"git ledger show ID              {shown:7.0f} ms  (at most 150)")


def python(directory: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, *words], cwd=directory, env=ENV, capture_output=True, check=True
    )


if __name__ == "__main__":
    main()
