"""The gates through real git: warned by default, stopped in mode `block`, recorded either way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gitledger.git.repository import discover
from gitledger.store import logs

if TYPE_CHECKING:
    from tests.support import Place

OTHERS = "\n".join(f"line {n}" for n in range(2, 11)) + "\n"


@pytest.fixture
def gated(repo: Place) -> Place:
    """The recorders and the gates, and a remote to push to."""
    done = repo.ledger("init", "--gates")
    assert done.returncode == 0, done.stderr
    repo.git("init", "-q", "--bare", "../remote")
    repo.git("remote", "add", "origin", "../remote")
    return repo


@pytest.fixture
def collision(gated: Place) -> Place:
    """The worktree of an agent `a` whose commit conflicts with the target, `main`."""
    linked = gated.worktree("a")
    linked.commit("a's first line", f=f"of a\n{OTHERS}")
    gated.commit("main's first line", f=f"of main\n{OTHERS}")
    return linked


def checked(place: Place) -> list[dict[str, Any]]:
    """The verdicts on record, without ids and versions."""
    found = logs.read_all(discover(str(place.path))).values()
    events = [one.body for log in found for one in log.events if one.kind == "checked"]
    return [{key: one[key] for key in ("by", "verdict", "decision")} for one in events]


def names(place: Place, text: str) -> str:
    """The text with an agent's random end cut off."""
    for ref in logs.read_all(discover(str(place.path))):
        agent = ref.split("/")[3]
        text = text.replace(agent, agent.rpartition("-")[0])
    return text


CONFLICT = (
    "conflict  a into main\n"
    "    f  contents  line 1 against line 1\n"
)  # fmt: skip
STOPPED = (
    "error: stopped by ledger.gate, which is 'block'\n"
    "hint: resolve it first, or go on once with: git -c ledger.{hook}.gate=off …\n"
)


def test_a_push_that_would_collide_is_warned_of(collision: Place) -> None:
    done = collision.run("git", "push", "-q", "origin", "a")
    assert done.returncode == 0
    assert names(collision, done.stdout + done.stderr) == CONFLICT
    assert checked(collision) == [{"by": "pre-push", "verdict": "conflict", "decision": "warned"}]


def test_in_mode_block_it_is_stopped_until_told_otherwise(collision: Place) -> None:
    collision.git("config", "ledger.gate", "block")
    done = collision.run("git", "push", "-q", "origin", "a")
    assert done.returncode == 1
    assert names(collision, done.stdout) == CONFLICT
    assert done.stderr.startswith(STOPPED.format(hook="pre-push"))
    assert checked(collision) == [{"by": "pre-push", "verdict": "conflict", "decision": "blocked"}]
    done = collision.run("git", "-c", "ledger.pre-push.gate=off", "push", "-q", "origin", "a")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_may_be_pushed_is_pushed_without_a_word(gated: Place) -> None:
    gated.git("config", "ledger.gate", "block")
    linked = gated.worktree("a")
    linked.commit("a", g="of a\n")
    pushes = (["a"], ["main"], [":a"], ["HEAD:refs/heads/x", "main:y"], ["--tags"])
    for words in pushes:
        done = linked.run("git", "push", "-q", "origin", *words)
        assert (words, done.returncode, done.stdout, done.stderr) == (words, 0, "", "")
    assert checked(gated) == [{"by": "pre-push", "verdict": "clean", "decision": "passed"}]


def test_a_commit_that_would_collide_is_warned_of_early(gated: Place) -> None:
    """The commit being made is judged, not the one before it; nor what is not staged."""
    linked = gated.worktree("a")
    gated.commit("main's first line", f=f"of main\n{OTHERS}")
    linked.write("f", f"of a\n{OTHERS}")
    linked.write("g", "g\n")
    linked.git("add", "g")
    done = linked.run("git", "commit", "-qm", "g alone")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = linked.run("git", "commit", "-qam", "and f")
    assert done.returncode == 0
    assert names(gated, done.stdout + done.stderr) == CONFLICT
    linked.git("config", "ledger.pre-commit.gate", "block")
    done = linked.run("git", "commit", "--amend", "-qm", "again")
    assert done.returncode == 1
    assert names(gated, done.stdout + done.stderr) == CONFLICT + STOPPED.format(hook="pre-commit")
    assert [one["decision"] for one in checked(gated)] == ["warned", "blocked"]


def test_a_partial_commit_is_judged_by_itself(gated: Place) -> None:
    """Case 02: git gives the hook an index of its own."""
    linked = gated.worktree("a")
    linked.commit("g", g="1\n")
    gated.commit("main's first line", f=f"of main\n{OTHERS}")
    gated.git("config", "ledger.gate", "block")
    linked.write("f", f"of a\n{OTHERS}")
    linked.write("g", "2\n")
    linked.git("add", "f")
    assert linked.run("git", "commit", "-qm", "g alone", "--", "g").returncode == 0
    assert linked.run("git", "commit", "-qm", "f").returncode == 1


def test_another_agent_s_conflict_is_told_and_stops_nothing(gated: Place) -> None:
    gated.git("config", "ledger.gate", "block")
    gated.worktree("a").commit("a's first line", f=f"of a\n{OTHERS}")
    other = gated.worktree("b")
    other.write("f", f"of b\n{OTHERS}")
    done = other.run("git", "commit", "-qam", "b's first line")
    assert done.returncode == 0
    assert (
        names(gated, done.stdout + done.stderr)
        == "conflict  b with a\n    f  contents  line 1 against line 1\n"
    )


def test_a_merge_is_judged_before_its_commit(collision: Place) -> None:
    """git itself makes it, told to prefer one side: the conflict is there all the same."""
    main = collision.at("../repo")
    done = main.run("git", "merge", "-q", "--no-edit", "-X", "ours", "a")
    assert done.returncode == 0
    assert names(main, done.stdout + done.stderr) == f"Auto-merging f\n{CONFLICT}"
    main.git("reset", "-q", "--hard", "HEAD~")
    main.git("config", "ledger.gate", "block")
    done = main.run("git", "merge", "-q", "--no-edit", "-X", "ours", "a")
    assert done.returncode != 0
    assert CONFLICT in names(main, done.stdout + done.stderr)
    assert STOPPED.format(hook="pre-merge-commit") in done.stderr
    decisions = [(one["by"], one["decision"]) for one in checked(main)]
    assert decisions == [("pre-merge-commit", "warned"), ("pre-merge-commit", "blocked")]


def test_a_clean_merge_passes_and_is_on_record(gated: Place) -> None:
    gated.git("config", "ledger.gate", "block")
    linked = gated.worktree("a")
    linked.commit("a", g="of a\n")
    gated.commit("main", h="of main\n")
    done = gated.run("git", "merge", "-q", "--no-edit", "a")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (
        checked(gated) == [{"by": "pre-merge-commit", "verdict": "clean", "decision": "passed"}]
        or checked(gated)[-1]["by"] == "pre-merge-commit"
    )


def test_what_git_ledger_merges_is_not_judged_twice(gated: Place) -> None:
    linked = gated.worktree("a")
    linked.commit("a", g="of a\n")
    gated.commit("main", h="of main\n")
    assert gated.ledger("merge", "a").returncode == 0
    assert checked(gated) == [{"by": "merge", "verdict": "clean", "decision": "merged"}]


def test_what_can_not_be_told_is_no_clean(gated: Place) -> None:
    linked = gated.worktree("a")
    linked.git("checkout", "-q", "--orphan", "unrelated")
    linked.commit("from nothing")
    gated.git("config", "ledger.gate", "block")
    done = linked.run("git", "push", "-q", "origin", "unrelated")
    assert done.returncode == 1
    first = names(gated, done.stdout).splitlines()[0]
    assert first.endswith("into main (no merge base: unrelated histories)")


@pytest.mark.parametrize("hook", ["pre-commit", "pre-push", "manual", "pre-merge-commit"])
def test_with_nothing_to_judge_it_is_silent(repo: Place, hook: str) -> None:
    done = repo.ledger("gate", hook)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_another_word_for_the_mode_is_said_and_stops_nothing(collision: Place) -> None:
    collision.git("config", "ledger.gate", "blok")
    done = collision.run("git", "push", "-q", "origin", "a")
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "",
        "error: bad value 'blok' for 'ledger.gate'\nhint: use warn, block or off\n",
    )


def test_by_hand_it_judges_what_is_committed(collision: Place) -> None:
    done = collision.ledger("gate", "manual")
    assert (done.returncode, names(collision, done.stdout), done.stderr) == (0, CONFLICT, "")
