"""The main job, end to end, as a user does it: init, plain git, and then the questions."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from tests.support import Place


def edit(number: int, words: str) -> str:
    return "".join(f"{words if n == number else f'line {n}'}\n" for n in range(1, 11))


@pytest.fixture
def three(repo: Place) -> dict[str, Place]:
    """init, then nothing but git: three worktrees; a and b edit one line, c another file."""
    assert repo.ledger("init").returncode == 0
    trees = {name: repo.worktree(name) for name in "abc"}
    trees["a"].commit("a edits", f=edit(5, "a"))
    trees["b"].commit("b edits", f=edit(5, "b"))
    trees["c"].commit("c adds", new="c\n")
    return trees


def told(done: CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_list_has_each_agent_with_spawn_commit_head_and_files(
    repo: Place, three: dict[str, Place]
) -> None:
    base = repo.git("rev-parse", "HEAD")
    agents = told(repo.ledger("list", "--json"))["agents"]
    assert [
        (one["branch"], one["spawn_commit"], one["head"], one["files_modified"]) for one in agents
    ] == [
        (name, base, three[name].git("rev-parse", "HEAD"), files)
        for name, files in (("c", ["new"]), ("b", ["f"]), ("a", ["f"]))
    ]
    assert all(re.fullmatch(f"{one['branch']}-[0-9a-f]{{6}}", one["id"]) for one in agents)


def test_git_log_names_the_agent_at_each_commit(repo: Place, three: dict[str, Place]) -> None:
    ids = {one["branch"]: one["id"] for one in told(repo.ledger("list", "--json"))["agents"]}
    for name in "abc":
        note = repo.git("log", "-1", "--format=%N", "--notes=ledger/*", name)
        assert note == f"agent: {ids[name]}\niteration: 0\n"
    assert repo.git("log", "-1", "--format=%N", "--notes=ledger/*", "main") == ""


def git_merges(place: Place, ours: str, theirs: str) -> bool:
    place.git("checkout", "-q", "--detach", ours)
    done = place.run("git", "merge", "-q", "--no-edit", theirs)
    place.run("git", "merge", "--abort")
    place.git("checkout", "-q", "-f", "main")
    return done.returncode == 0


@pytest.mark.parametrize(("ours", "theirs"), [("main", "a"), ("a", "b"), ("a", "c"), ("b", "c")])
def test_check_agrees_with_what_git_merge_then_does(
    repo: Place, three: dict[str, Place], ours: str, theirs: str
) -> None:
    code = repo.ledger("check", theirs, "--onto", ours).returncode
    assert code == (0 if git_merges(repo, ours, theirs) else 1)


def test_check_exits_3_where_it_cannot_be_told(repo: Place, three: dict[str, Place]) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("another root")
    done = repo.ledger("check", "a", "--onto", "other")
    assert (done.returncode, done.stdout.splitlines()[0].split("  ", 1)[0]) == (3, "unknown")
    assert "no merge base: unrelated histories" in done.stdout
    assert not git_merges(repo, "other", "a")


def test_the_whole_document_of_conflicts(repo: Place, three: dict[str, Place]) -> None:
    ids = {one["branch"]: one["id"] for one in told(repo.ledger("list", "--json"))["agents"]}
    base = repo.git("rev-parse", "main")
    document = told(repo.ledger("conflicts", "--json"))
    assert document == {
        "schema": "ledger.conflicts/1",
        "target": {"ref": "main", "oid": base},
        "git": repo.git("version").removeprefix("git version "),
        "agents": [
            {
                "id": ids[name],
                "title": name,
                "branch": name,
                "tip": three[name].git("rev-parse", "HEAD"),
                "base": base,
                "dirty": False,
                "files": 1,
                "drift": [],
            }
            for name in "abc"
        ],
        "pairs": [
            {
                "a": ids["a"],
                "b": ids["b"],
                "verdict": "conflict",
                "bases": [base],
                "paths": [
                    {
                        "path": "f",
                        "kind": "contents",
                        "a_lines": [[5, 5]],
                        "b_lines": [[5, 5]],
                    }
                ],
            }
        ],
        "warnings": [],
        "counts": {"pairs": 6, "clean": 5, "conflict": 1},
    }


def test_a_merge_and_a_refused_one(repo: Place, three: dict[str, Place]) -> None:
    assert repo.ledger("merge", "a").returncode == 0
    before = repo.git("rev-parse", "main"), repo.git("status", "--porcelain")
    refused = repo.ledger("merge", "b")
    assert refused.returncode == 1
    assert (repo.git("rev-parse", "main"), repo.git("status", "--porcelain")) == before
    agents = {one["branch"]: one for one in told(repo.ledger("list", "--json"))["agents"]}
    assert {name: one["status"] for name, one in agents.items()} == {
        "a": "completed",
        "b": "spawned",
        "c": "spawned",
    }
    assert agents["a"]["merged"] == {"into": "main", "commit": before[0]}


def test_the_graph_shows_one_commit_more_for_each_worktree(
    repo: Place, three: dict[str, Place]
) -> None:
    for number in range(3):
        three["a"].commit(f"more {number}", x=f"{number}\n")
    everything = repo.git("log", "--all", "--format=%H").splitlines()
    branches = repo.git("log", "--branches", "--format=%H").splitlines()
    assert len(everything) - len(branches) == len(three)


def test_everything_is_taken_out_again(repo: Place, three: dict[str, Place]) -> None:
    assert repo.ledger("deinit").returncode == 0
    hooks = [one.name for one in (repo.path / ".git" / "hooks").iterdir()]
    assert [one for one in hooks if not one.endswith(".sample")] == []
    three["c"].commit("unrecorded", y="1\n")
    assert repo.git("log", "-1", "--format=%N", "--notes=ledger/*", "c") == ""


def test_8_processes_in_one_worktree_who_knows_at_once_and_notes_follow(repo: Place) -> None:
    assert repo.ledger("init").returncode == 0
    tree = repo.worktree("w")
    script = "for n in 1 2 3 4 5; do git commit -q --allow-empty -m $0-$n || git commit -q --allow-empty -m $0-$n; done"
    running = [
        subprocess.Popen(["sh", "-c", script, str(n)], cwd=tree.path, env=tree.env)
        for n in range(8)
    ]
    for one in running:
        one.wait()
    commits = tree.git("rev-list", "main..w").split()
    agent = told(repo.ledger("list", "--json"))["agents"][0]["id"]
    for commit in commits[:10]:
        assert repo.ledger("who", commit).stdout.split()[0] == agent
    assert repo.ledger("reconcile").returncode == 0
    noted = [repo.git("log", "-1", "--format=%N", "--notes=ledger/*", one) for one in commits]
    assert [note.splitlines()[0] for note in noted] == [f"agent: {agent}"] * len(commits)


def test_a_detached_main_worktree_is_merged_into_where_it_stands(
    repo: Place, three: dict[str, Place]
) -> None:
    repo.git("checkout", "-q", "--detach", "a")
    document = told(repo.ledger("conflicts", "--json"))
    assert document["target"] == {"ref": "main-worktree/HEAD", "oid": repo.git("rev-parse", "a")}
    assert repo.ledger("check", "b").returncode == 1


def test_without_any_commit_there_is_nothing_to_compare(nowhere: Place) -> None:
    nowhere.git("init", "-q", "-b", "main")
    done = nowhere.ledger("conflicts")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "no live agent: 'git worktree add' or 'git ledger spawn' makes one\n"
