"""Our hooks through the real pre-commit and the real prek, from a clone as users get one."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services import install
from gitledger.store import logs
from tests.managers import RECORDED, configure, install_framework

if TYPE_CHECKING:
    from tests.support import Place


@pytest.fixture(params=["pre-commit", "prek"])
def framework(request: pytest.FixtureRequest) -> str:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def recording(repo: Place, published: Place, framework: str) -> Place:
    configure(repo, published, *(f"ledger-{one}" for one in RECORDED))
    install_framework(repo, framework, *RECORDED)
    return repo


def events(place: Place) -> list[list[str]]:
    """The kinds in each log."""
    found = logs.read_all(discover(str(place.path)))
    return [[event.kind for event in log.events] for log in found.values()]


def note(place: Place, commit: str = "HEAD") -> dict[str, str]:
    """The note on a commit, without the agent's random end."""
    shown = place.git("log", "-1", "--no-patch", "--notes=ledger/*", "--format=%N", commit)
    pairs = dict(line.split(": ", 1) for line in shown.splitlines() if line)
    if "agent" in pairs:
        pairs["agent"] = pairs["agent"].rpartition("-")[0]
    return pairs


def head_of_agent(place: Place) -> str:
    return place.git("for-each-ref", "--format=%(objectname)", "refs/ledger/agents/*/head")


def test_a_day_s_work_in_a_linked_worktree(recording: Place) -> None:
    linked = recording.worktree("a")
    first = linked.commit("one", one="1")
    assert note(linked) == {"agent": "a", "iteration": "0"}
    linked.git("commit", "-q", "--amend", "-m", "one, again")
    assert note(linked) == {"agent": "a", "iteration": "0", "supersedes": first}
    recording.commit("on main", two="2")
    second = linked.git("rev-parse", "HEAD")
    linked.git("rebase", "-q", "main")
    assert note(linked) == {"agent": "a", "iteration": "0", "supersedes": second}
    recording.commit("on main again", three="3")
    linked.git("merge", "-q", "--no-edit", "main")
    assert note(linked) == {"agent": "a", "iteration": "0"}
    assert note(linked, "main") == {}
    assert head_of_agent(linked) == linked.git("rev-parse", "HEAD")
    assert events(recording) == [["spawned"]]


def test_unstaged_edits_that_are_hidden_meanwhile_come_back(recording: Place) -> None:
    """Case 43: the framework takes unstaged edits away while a hook runs."""
    linked = recording.worktree("a")
    linked.write("f", "edited, not staged\n")
    linked.write("x", "x\n")
    linked.git("add", "x")
    linked.git("commit", "-q", "-m", "one")
    old = linked.git("rev-parse", "HEAD")
    linked.git("commit", "-q", "--amend", "-m", "one, again")
    assert (linked.path / "f").read_text() == "edited, not staged\n"
    assert note(linked) == {"agent": "a", "iteration": "0", "supersedes": old}


def test_only_what_is_committed_counts(recording: Place) -> None:
    """Case 02: a partial commit runs hooks with an index of its own."""
    linked = recording.worktree("a")
    linked.commit("base", wanted="1", unwanted="1")
    linked.write("wanted", "2")
    linked.write("unwanted", "2")
    linked.git("add", "unwanted")
    linked.git("commit", "-q", "-m", "partial", "--", "wanted")
    assert note(linked) == {"agent": "a", "iteration": "0"}
    assert linked.git("status", "--porcelain") == "M  unwanted"


def test_a_branch_without_configuration_is_no_failure(recording: Place) -> None:
    """Case 05: nothing records there, and nothing fails; the other worktrees go on."""
    recording.git("branch", "bare", "HEAD~")
    recording.git("worktree", "add", "-q", "../bare", "bare")
    bare = recording.at("../bare")
    bare.commit("unseen")
    assert note(bare) == {}
    linked = recording.worktree("a")
    linked.commit("seen")
    assert note(linked) == {"agent": "a", "iteration": "0"}
    assert events(recording) == [["spawned"]]


def test_native_hooks_besides_record_nothing_twice(recording: Place) -> None:
    install.init(discover(str(recording.path)))
    linked = recording.worktree("a")
    old = linked.commit("one")
    linked.git("commit", "-q", "--amend", "--allow-empty", "-m", "one, again")
    assert note(linked) == {"agent": "a", "iteration": "0", "supersedes": old}
    assert events(recording) == [["spawned"]]
    notes = linked.git("notes", "--ref", "refs/notes/ledger/worktrees/a", "list").splitlines()
    assert [line.split()[1] for line in notes if old not in line] == [
        linked.git("rev-parse", "HEAD")
    ]


def test_ours_moved_aside_still_records_once(repo: Place, framework: str) -> None:
    """Native hooks, then the framework over them, which runs what it moved aside."""
    install.init(discover(str(repo.path)))
    other = "{id: other, name: other, language: system, entry: 'true', always_run: true}"
    repo.write(".pre-commit-config.yaml", f"repos: [{{repo: local, hooks: [{other}]}}]\n")
    repo.commit("use a framework")
    install_framework(repo, framework, *RECORDED)
    linked = repo.worktree("a")
    old = linked.commit("one")
    linked.git("commit", "-q", "--amend", "--allow-empty", "-m", "one, again")
    assert note(linked) == {"agent": "a", "iteration": "0", "supersedes": old}
    assert events(repo) == [["spawned"]]


PACKAGES = ("PIP_", "UV_", "SSL_", "REQUESTS_", "HTTP", "http", "NO_PROXY", "no_proxy")


@pytest.fixture
def with_packages(repo: Place) -> Place:
    """What this machine says of where packages come from; pip's and uv's own files too."""
    told = {name: value for name, value in os.environ.items() if name.startswith(PACKAGES)}
    repo.env.update(told)
    del repo.env["PYTHONWARNINGS"]  # pip's own are not ours to mend
    for name in ("pip", "uv"):
        here = Path.home() / ".config" / name
        if here.is_dir():
            shutil.copytree(here, Path(repo.env["XDG_CONFIG_HOME"]) / name)
    return repo


# Where no package can be had: prek's words and pre-commit's.
NO_ENVIRONMENT = ("TLS certificates", "error sending request", "No matching distribution found")


def test_a_gate_in_an_environment_of_its_own(
    with_packages: Place, published: Place, framework: str
) -> None:
    """`language: python`: the framework builds and installs us, and the gate judges."""
    repo = with_packages
    configure(repo, published, "ledger-gate-pre-push", "ledger-gate-pre-merge-commit")
    install_framework(repo, framework, "pre-push", "pre-merge-commit")
    repo.git("config", "ledger.gate", "block")
    linked = repo.worktree("a")
    linked.commit("a's first line", f="of a\n")
    repo.commit("main's first line", f="of main\n")
    repo.git("init", "-q", "--bare", "../remote")
    done = linked.run("git", "push", "../remote", "a")
    if any(words in done.stderr for words in NO_ENVIRONMENT):
        pytest.skip(f"{framework} could not build an environment: no package index within reach")
    assert done.returncode == 1
    assert "stopped by ledger.gate" in done.stdout + done.stderr
    done = linked.run("git", "push", "../remote", "HEAD~:refs/heads/b")
    assert done.returncode == 0, done.stdout + done.stderr
    done = repo.run("git", "merge", "-q", "--no-edit", "-X", "ours", "a")
    assert done.returncode != 0
    assert "stopped by ledger.gate" in done.stdout + done.stderr
    (program,) = Path(repo.env["XDG_CACHE_HOME"]).rglob("bin/git-ledger")
    done = repo.run(program, "init")
    assert done.returncode == 0, done.stderr  # the wheel has the hooks
    assert (repo.path / ".git/ledger/hooks/post-commit").exists()


def test_doctor_counts_them(recording: Place) -> None:
    """And a worktree whose branch has no configuration is named."""
    recording.git("branch", "bare", "HEAD~")
    recording.git("worktree", "add", "-q", "../bare", "bare")
    done = recording.ledger("doctor", "--json")
    seen = json.loads(done.stdout)
    used = {one["name"]: set(one["hooks"].values()) for one in seen["worktrees"]}
    assert used["worktrees/bare"] == {"no"}
    assert used["main-worktree"] in ({"pre-commit"}, {"prek"})
    assert done.returncode == 1
