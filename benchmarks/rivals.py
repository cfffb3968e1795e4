"""Ours beside AgentNote and agent-trace, in one run: the time of a commit, and what is kept.

    python benchmarks/rivals.py [--commits N] [--tools DIRECTORY]

Installs `@wasabeef/agentnote` with npm and `agent-trace-cli` with pip into DIRECTORY
(default: a temporary one), each as it comes. An active agent is what its own hooks for
Claude Code are told before and after every edit; those calls are not timed. Every tool
works in a linked worktree of a repository of its own; a commit counts as kept where the
tool has a record of it then: a note, or for AgentNote's other record a trailer, or ours by
`git ledger reconcile` and the notes. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
WORKTREES, EACH = 4, 5
LONG = 10  # commits of the branch that is rebased


@dataclass(frozen=True)
class Tool:
    """How a tool comes into a repository, hears of an edit, and what its records are."""

    name: str
    init: tuple[str, ...]
    heard_by: tuple[str, ...]
    notes: str

    def setup(self, repo: Path) -> None:
        if self.init:
            run(repo, *self.init)
            run(repo, "git", "add", "-A")
            run(repo, "git", "commit", "-q", "--allow-empty", "-m", "set up")


TOOLS = (
    Tool("ours", (sys.executable, "-m", "gitledger", "init"), (), "ledger/*"),
    Tool(
        "AgentNote",
        ("agentnote", "init", "--agent", "claude", "--no-action"),
        ("agentnote", "hook", "--agent", "claude"),
        "agentnote",
    ),
    Tool("agent-trace", ("agent-trace", "init"), ("agent-trace", "record"), "agent-trace"),
)


def run(place: Path, *words: str, stdin: str = "", check: bool = True) -> str:
    done = subprocess.run(
        words, cwd=place, input=stdin, capture_output=True, text=True, check=False
    )
    if check and done.returncode:
        raise SystemExit(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


@dataclass(frozen=True)
class Session:
    """An agent at work in a worktree, as a tool hears of it."""

    tool: Tool
    place: Path
    id: str

    def tell(self, event: str, **more: object) -> None:
        if self.tool.heard_by:
            script = Path(os.environ["HOME"]) / f"{self.id}.jsonl"
            prompt = {"type": "user", "message": {"role": "user", "content": "write"}}
            script.write_text(json.dumps({**prompt, "sessionId": self.id}) + "\n")
            told = {
                "hook_event_name": event,
                "session_id": self.id,
                "transcript_path": str(script),
                "cwd": str(self.place),
                "model": "m",
                **more,
            }
            run(self.place, *self.tool.heard_by, stdin=json.dumps(told))

    def edit(self, name: str) -> None:
        path = self.place / name
        use = {"file_path": str(path), "content": f"{name}\n"}
        told = {"tool_name": "Write", "tool_use_id": name, "tool_input": use}
        self.tell("PreToolUse", **told)
        path.write_text(f"{name}\n")
        self.tell("PostToolUse", **told, tool_response={"filePath": str(path), "success": True})
        run(self.place, "git", "add", "-A")

    def commit(self, name: str) -> str:
        self.edit(name)
        run(self.place, "git", "commit", "-q", "-m", name)
        return run(self.place, "git", "rev-parse", "HEAD")


def begin(tool: Tool, repo: Path, name: str) -> Session:
    run(repo, "git", "worktree", "add", "-q", "-b", name, f"../{name}")
    found = Session(tool, repo.parent / name, str(uuid.uuid4()))
    found.tell("SessionStart", source="startup")
    found.tell("UserPromptSubmit", prompt="write")
    return found


def new_repository(folder: Path, tool: Tool) -> Path:
    repo = folder / "repo"
    repo.mkdir(parents=True)
    run(repo, "git", "init", "-q", "-b", "main")
    run(repo, "git", "commit", "-q", "--allow-empty", "-m", "base")
    tool.setup(repo)
    return repo


def kept(tool: Tool, repo: Path, *span: str) -> str:
    """Of the commits in a span, how many have a record; trailers beside notes."""
    if tool.name == "ours":
        run(repo, sys.executable, "-m", "gitledger", "reconcile")
    form = "--format=%x01%H%x02%N%x02%(trailers:key=Agentnote-Session)"
    shown = run(repo, "git", "log", "--no-notes", f"--notes={tool.notes}", form, *span)
    rows = [part.split("\x02") for part in shown.split("\x01")[1:]]
    noted = sum(bool(row[1].strip()) for row in rows)
    trailers = sum(bool(row[2].strip()) for row in rows)
    told = f"{noted} of {len(rows)}"
    return f"{told} ({trailers} by trailer)" if trailers else told


def added(tool: Tool, folder: Path, commits: int) -> tuple[float, float]:
    """Median milliseconds of a commit with the tool's hooks, and of one without any."""
    repo = new_repository(folder, tool)
    agent = begin(tool, repo, "timed")
    run(repo, "git", "worktree", "add", "-q", "-b", "bare", "../bare")
    bare = Session(Tool("none", (), (), ""), repo.parent / "bare", "none")
    times: dict[Session, list[float]] = {agent: [], bare: []}
    for number in range(commits):
        for one, words in ((agent, ()), (bare, ("-c", "core.hooksPath=/dev/null"))):
            one.edit(f"file{number}")
            start = time.perf_counter()
            run(one.place, "git", *words, "commit", "-q", "-m", f"{number}")
            times[one].append((time.perf_counter() - start) * 1000)
    return median(times[agent]), median(times[bare])


def over_rewrites(tool: Tool, folder: Path) -> dict[str, str]:
    found = {}
    repo = new_repository(folder / "amend", tool)
    agent = begin(tool, repo, "a")
    agent.commit("one")
    run(agent.place, "git", "commit", "-q", "--amend", "-m", "better")
    found["amend"] = kept(tool, agent.place, "main..a")

    repo = new_repository(folder / "rebase", tool)
    agent = begin(tool, repo, "a")
    for number in range(LONG):
        agent.commit(f"file{number}")
    run(repo, "git", "commit", "-q", "--allow-empty", "-m", "on main")
    run(agent.place, "git", "rebase", "-q", "main")
    found[f"rebase of {LONG}"] = kept(tool, agent.place, "main..a")
    run(repo, "git", "cherry-pick", "a")
    found["cherry-pick"] = kept(tool, repo, "-1", "main")
    run(repo, "git", "reset", "-q", "--hard", "HEAD^")
    run(repo, "git", "merge", "-q", "--squash", "a")
    run(repo, "git", "commit", "-q", "-m", "squashed")
    found["squash"] = kept(tool, repo, "-1", "main")
    return found


def at_once(tool: Tool, folder: Path) -> str:
    """Several worktrees, each with an agent, that commit at the same moment."""
    repo = new_repository(folder, tool)
    agents = [begin(tool, repo, f"w{number}") for number in range(WORKTREES)]
    for turn in range(EACH):
        for agent in agents:
            agent.edit(f"file{turn}")
        running = [
            subprocess.Popen(
                ["git", "commit", "-q", "-m", f"{agent.place.name} {turn}"],
                cwd=agent.place,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for agent in agents
        ]
        if any(one.wait() for one in running):
            raise SystemExit("a commit failed")
    return kept(tool, repo, *(agent.place.name for agent in agents), "^main")


def install(tools: Path) -> None:
    tools.mkdir(parents=True, exist_ok=True)
    words = ("npm", "install", "--no-audit", "--no-fund", "--prefix", ".")
    run(tools, *words, "@wasabeef/agentnote")
    run(tools, sys.executable, "-m", "venv", "venv")
    run(tools, "venv/bin/pip", "install", "-q", "agent-trace-cli")


def seal(folder: Path, tools: Path) -> None:
    home = folder / "home"
    home.mkdir()
    places = (tools / "node_modules/.bin", tools / "venv/bin", os.environ["PATH"])
    os.environ.update(
        HOME=str(home),
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_GLOBAL=os.devnull,
        PATH=os.pathsep.join(map(str, places)),
        PYTHONPATH=str(ROOT),
    )
    for role in ("AUTHOR", "COMMITTER"):
        os.environ.update({f"GIT_{role}_NAME": "dev", f"GIT_{role}_EMAIL": "d@example.invalid"})


def versions(tools: Path) -> str:
    package = json.loads((tools / "node_modules/@wasabeef/agentnote/package.json").read_text())
    trace = run(tools, "venv/bin/pip", "show", "agent-trace-cli").split("Version: ")[1]
    return f"AgentNote {package['version']}, agent-trace-cli {trace.splitlines()[0]}"


def table(folder: Path, commits: int) -> str:
    columns: dict[str, dict[str, str]] = {}
    for tool in TOOLS:
        whole, bare = added(tool, folder / tool.name / "time", commits)
        columns[tool.name] = {
            "added to a commit": f"{whole - bare:.0f} ms (bare: {bare:.0f})",
            **over_rewrites(tool, folder / tool.name),
            f"{WORKTREES} worktrees at once": at_once(tool, folder / tool.name / "once"),
        }
    head = f"| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}\n"
    rows = (
        f"| {name} | {' | '.join(found[name] for found in columns.values())} |\n"
        for name in columns["ours"]
    )
    return head + "".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--tools", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="git-ledger-rivals-") as name:
        folder = Path(name)
        tools = (given.tools or folder / "tools").resolve()
        if shutil.which("npm") is None:
            raise SystemExit("npm is needed")
        if not (tools / "venv").exists():
            install(tools)
        told = versions(tools)
        seal(folder, tools)
        print(f"{told}\n\n{table(folder, given.commits)}", end="")


if __name__ == "__main__":
    main()
