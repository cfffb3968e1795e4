"""What the hooks must not do: spawn where nothing is spawned, speak, fail, or guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.model.names import agent_ref
from tests.hooks import agent_of, errors, logs, made_by, note, notes, spawn_of
from tests.support import Place, put_hooks

if TYPE_CHECKING:
    from collections.abc import Callable


# Each is tried in the main worktree and in a linked one that already has its agent.
NO_SPAWN: dict[str, list[list[str]]] = {
    "new branch": [["checkout", "-q", "-b", "x"], ["checkout", "-q", "-"]],
    "switch": [["branch", "x"], ["switch", "-q", "x"]],
    "files": [["checkout", "-q", "HEAD", "--", "f"], ["restore", "f"]],
    "detach": [["checkout", "-q", "--detach"]],
    "orphan": [
        ["checkout", "-q", "--orphan", "o"],
        ["checkout", "-q", "-B", "o2", "main~0"],
    ],
    "stash": [["stash", "push", "-q", "-u"], ["stash", "pop", "-q"]],
    "reset": [["reset", "-q", "--hard", "HEAD"]],
    "rebase": [["rebase", "-q", "--root", "--force-rebase"]],
    "bisect": [["bisect", "start"], ["bisect", "reset"]],
}


@pytest.mark.parametrize("name", NO_SPAWN)
@pytest.mark.parametrize("where", ["main", "linked"])
def test_no_spawn(quick: Place, where: str, name: str) -> None:
    place = quick if where == "main" else quick.worktree("a")
    place.write("untracked", "x")
    before = logs(place)
    for words in NO_SPAWN[name]:
        place.git(*words)
    assert logs(place) == before
    assert len(before) == (where == "linked")
    assert errors(place) == ""


def test_no_spawn_by_clone(quick: Place) -> None:
    hooks = quick.path / ".git/hooks"
    quick.git("clone", "-q", "-c", f"core.hooksPath={hooks}", ".", "../clone")
    clone = quick.at("../clone")
    clone.commit("one", x="1")
    assert logs(clone) == []
    assert clone.git("for-each-ref", "refs/ledger", "refs/notes") == ""


def test_nothing_is_recorded_in_the_main_worktree(hooked: Place) -> None:
    before = hooked.git("for-each-ref", "--format=%(refname)")
    hooked.commit("one", x="1")
    hooked.git("commit", "-q", "--amend", "-m", "better")
    hooked.git("checkout", "-q", "-b", "side", "HEAD^")
    hooked.commit("two", y="1")
    hooked.git("merge", "-q", "--no-edit", "main")
    hooked.git("checkout", "-q", "main")
    hooked.git("branch", "-q", "-D", "side")
    assert hooked.git("for-each-ref", "--format=%(refname)") == before
    assert not (hooked.path / ".git/ledger").exists()


def test_what_was_cleared_on_purpose_is_not_spawned_again(hooked: Place) -> None:
    a = hooked.worktree("a")
    a.git("symbolic-ref", "-d", "refs/worktree/ledger/agent")
    a.git("symbolic-ref", "-d", "refs/worktree/ledger/note")
    a.commit("one", x="1")
    assert len(logs(a)) == 1
    assert note(a) == []


@pytest.mark.parametrize(
    "pointed_at", ["refs/heads/main", "refs/ledger/sessions/s/log", "refs/ledger/agents/no/log"]
)
def test_a_pointer_to_something_else_does_not_count(quick: Place, pointed_at: str) -> None:
    a = quick.worktree("a")
    a.git("update-ref", "refs/ledger/sessions/s/log", "refs/worktree/ledger/agent")
    a.git("symbolic-ref", "refs/worktree/ledger/agent", pointed_at)
    a.git("symbolic-ref", "refs/worktree/ledger/note", pointed_at)
    main = a.git("rev-parse", "main")
    a.commit("one", x="1")
    assert note(a) == []
    assert len(logs(a)) == 1
    assert a.git("rev-parse", "main") == main


def test_picks_are_not_noted_and_aborted_ones_never(hooked: Place) -> None:
    a = hooked.worktree("a")
    one, two = a.commit("one", x="1\n"), a.commit("two", f="mine\n")
    hooked.commit("main", f="theirs\n")
    assert a.run("git", "rebase", "-q", "main").returncode == 1
    picked = a.git("rev-parse", "HEAD")
    assert picked != one
    assert notes(a, "main..") == {picked: []}
    a.git("rebase", "--abort")
    assert notes(a, "main..") == {two: made_by(agent_of(a)), one: made_by(agent_of(a))}
    assert len(logs(a)) == 1


def test_a_commit_made_by_hand_where_a_rebase_stopped_is_noted(hooked: Place) -> None:
    a = hooked.worktree("a")
    one, two = a.commit("one", x="1\n"), a.commit("two", y="1\n")
    edit = {"GIT_SEQUENCE_EDITOR": "sed -i 1s/pick/edit/"}
    a.git("rebase", "-q", "-i", "--no-ff", "main", env=edit)
    a.git("reset", "-q", "HEAD^")
    half = a.commit("half", x="0\n")
    other = a.commit("other half", x="1\n")
    a.git("rebase", "--continue")
    last = a.git("rev-parse", "HEAD")
    me = agent_of(a)
    assert notes(a, "main..") == {
        last: made_by(me, f"supersedes: {two}"),
        other: made_by(me, f"supersedes: {one}"),
        half: made_by(me),
    }


def test_the_environment_names_the_agent(hooked: Place) -> None:
    a, b = hooked.worktree("a"), hooked.worktree("b")
    in_b = {"GIT_LEDGER_AGENT": agent_of(b)}
    a.write("x", "1")
    a.git("add", "x")
    a.git("commit", "-q", "-m", "by b in a", env=in_b)
    first = a.git("rev-parse", "HEAD")
    assert note(a) == made_by(agent_of(b))
    a.git("commit", "-q", "--amend", "-m", "better", env=in_b)
    assert note(a) == made_by(agent_of(b), f"supersedes: {first}")
    hooked.git("commit", "-q", "--allow-empty", "-m", "by b in main", env=in_b)
    assert note(hooked) == made_by(agent_of(b))
    assert a.git("rev-parse", f"refs/ledger/agents/{agent_of(b)}/head") == hooked.git(
        "rev-parse", "HEAD"
    )
    assert errors(a) == ""


FOREIGN_IDS = {
    "capitals": ("agent_01HX", "agent_%30%31%48%58"),
    "slashes": ("02/exec utor", "02%2fexec%20utor"),
    "not ASCII": ("caf\u00e9\udcff", "caf%c3%a9%ff"),
    "long": ("A" * 40, "%41" * 16 + "%hdc3fe5c50ab7ad0ee5b2e0fd29e5ad84"),
}


@pytest.mark.parametrize("name", FOREIGN_IDS)
def test_a_foreign_id_leads_to_its_ref(hooked: Place, name: str) -> None:
    given = FOREIGN_IDS[name][0]
    a = hooked.worktree("a")
    for leaf in ("log", "note"):
        a.git("update-ref", agent_ref(given, leaf), "refs/worktree/ledger/note")
    a.git("commit", "-q", "--allow-empty", "-m", "x", env={"GIT_LEDGER_AGENT": given})
    assert a.git("rev-parse", agent_ref(given, "head")) == a.git("rev-parse", "HEAD")
    assert errors(a) == ""


def test_an_unknown_agent_makes_a_commit_nobodys(hooked: Place) -> None:
    a = hooked.worktree("a")
    mine = a.commit("mine", x="1")
    a.git("commit", "-q", "--allow-empty", "-m", "x", env={"GIT_LEDGER_AGENT": "who?"})
    assert notes(a, "main..") == {
        a.git("rev-parse", "HEAD"): ["unknown: who?"],
        mine: made_by(agent_of(a)),
    }
    assert a.git("rev-parse", f"refs/ledger/agents/{agent_of(a)}/head") == mine
    assert "names an unknown agent" in errors(a)


def test_the_environments_agent_is_the_parent_of_a_spawn(quick: Place) -> None:
    a = quick.worktree("a")
    for name, given, parent in (("b", agent_of(a), agent_of(a)), ("c", "who?", None)):
        quick.git("worktree", "add", "-q", f"../{name}", env={"GIT_LEDGER_AGENT": given})
        assert spawn_of(quick.at(f"../{name}")).get("parent") == parent


def _lock(place: Place, ref: str) -> None:
    path = place.path / place.git("rev-parse", "--git-path", ref + ".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def agent_refs(place: Place) -> str:
    return f"refs/ledger/agents/{agent_of(place)}"


def _remove_note(place: Place) -> None:
    place.git("update-ref", "-d", f"{agent_refs(place)}/note")


def _put_blob_for_notes(place: Place) -> None:
    blob = place.git("rev-parse", f"{agent_refs(place)}/log")
    place.git("update-ref", "refs/notes/ledger/worktrees/a", blob)


def _lose_tree(place: Place) -> None:
    """The tree of the notes is gone from the objects, as after a disk's fault."""
    tree = place.git("rev-parse", "refs/notes/ledger/worktrees/a^{tree}")
    (common,) = place.git("rev-parse", "--git-common-dir").splitlines()
    (place.path / common / "objects" / tree[:2] / tree[2:]).unlink()


FAILURES: dict[str, tuple[Callable[[Place], None], str]] = {
    "the notes ref is locked": (lambda a: _lock(a, "refs/notes/ledger/worktrees/a"), "File exists"),
    "the head is locked": (lambda a: _lock(a, f"{agent_refs(a)}/head"), "File exists"),
    "the note is gone": (_remove_note, "which has no note"),
    "notes is no commit": (_put_blob_for_notes, "'refs/notes/ledger/worktrees/a' is no commit"),
    "a tree is gone": (_lose_tree, "fatal: Tree not found"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_silent_and_does_not_stop_git(quick: Place, name: str) -> None:
    a = quick.worktree("a")
    fail, logged = FAILURES[name]
    a.commit("one", x="1")
    fail(a)
    done = a.run("git", "commit", "-q", "--allow-empty", "-m", "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert logged in errors(a)
    assert a.git("for-each-ref", "--contains", "HEAD", "refs/ledger") == ""
    assert not list(quick.path.glob(".git/**/fast_import_crash_*"))


def test_no_libraries_no_words(quick: Place) -> None:
    """A hook that is copied without what must lie beside it records nothing, quietly."""
    for name in ("record.sh", "spawn.sh", "branches.sh", "rewrite.awk"):
        (quick.path / ".git/hooks" / name).unlink()
    done = quick.run("git", "worktree", "add", "-q", "../a")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = quick.at("../a").run("git", "commit", "-q", "--allow-empty", "-m", "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


ENVIRONMENTS: dict[str, dict[str, str]] = {
    "dates": {"GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "@5 +0000"},
    "trace": {"GIT_TRACE": "2", "GIT_TRACE2": "2"},
    "language": {"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"},
    "CDPATH": {"CDPATH": "/:."},
    "IFS": {"IFS": "/-"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_environment_changes_nothing(hooked: Place, name: str) -> None:
    env = ENVIRONMENTS[name]
    hooked.git("worktree", "add", "-q", "../a", env=env)
    a = hooked.at("../a")
    a.git("commit", "-q", "--allow-empty", "-m", "x", env=env)
    a.git("commit", "-q", "--allow-empty", "--amend", "-m", "y", env=env)
    assert note(a)[:2] == made_by(agent_of(a))
    assert len(note(a)) == 3
    assert errors(a) == ""


def test_no_identity_is_needed(quick: Place) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        quick.env.pop(f"GIT_{name}_NAME")
        quick.env.pop(f"GIT_{name}_EMAIL")
    quick.git("config", "user.useConfigOnly", "true")
    a = quick.worktree("a")
    assert a.run("git", "commit", "-q", "--allow-empty", "-m", "x").returncode == 128
    by_hand = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    a.git(*by_hand, "commit", "-q", "--allow-empty", "-m", "x")
    assert note(a) == made_by(agent_of(a))


def test_a_bare_repository_with_worktrees(quick: Place) -> None:
    quick.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = quick.at("../bare.git")
    put_hooks(bare, ["sh"])
    bare.git("worktree", "add", "-q", "-b", "a", "../a")
    a = bare.at("../a")
    a.commit("one", x="1")
    assert note(a) == made_by(agent_of(a))


def test_the_targets_worktree_of_a_bare_repository_is_no_agent(quick: Place) -> None:
    quick.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = quick.at("../bare.git")
    put_hooks(bare, ["sh"])
    bare.git("worktree", "add", "-q", "../trunk", "main")
    bare.at("../trunk").commit("by hand", x="1")
    assert bare.git("for-each-ref", "refs/ledger", "refs/notes") == ""


def test_a_detached_worktree_is_an_agent_named_after_its_directory(quick: Place) -> None:
    quick.git("worktree", "add", "-q", "--detach", "../Some.Where")
    a = quick.at("../Some.Where")
    event = spawn_of(a)
    assert "branch" not in event
    assert event["title"] == "Some.Where"
    a.commit("one", x="1")
    assert note(a) == made_by(event["id"])


def test_worktrees_that_follow_each_other_under_one_name_keep_their_notes(quick: Place) -> None:
    a = quick.worktree("a", "first")
    one, first = a.commit("one", x="1"), agent_of(a)
    quick.git("worktree", "remove", "../a")
    a = quick.worktree("a", "second")
    two, second = a.commit("two", x="2"), agent_of(a)
    assert first != second
    assert notes(a, "first", "second", "^main") == {two: made_by(second), one: made_by(first)}


def test_from_a_subdirectory_and_by_git_dir_alone(quick: Place) -> None:
    a = quick.worktree("a")
    a.write("deep/er/x", "1")
    a.git("add", "-A")
    a.at("deep/er").git("commit", "-q", "-m", "deep")
    assert note(a) == made_by(agent_of(a))
    there = {"GIT_DIR": a.git("rev-parse", "--absolute-git-dir"), "GIT_WORK_TREE": str(a.path)}
    quick.git("commit", "-q", "--allow-empty", "-m", "from elsewhere", env=there)
    assert note(a) == made_by(agent_of(a))
