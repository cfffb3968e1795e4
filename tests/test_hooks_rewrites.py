"""What the hooks alone record over every way to rewrite history; reconcile finds the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tests.hooks import agent_of, errors, logs, made_by, note, notes

if TYPE_CHECKING:
    from tests.support import Place

AS_BEFORE: dict[str, list[str]] = {"three": [], "two": [], "one": []}
# As pre-commit and prek call a hook: no arguments, nothing on stdin.
FRAMEWORK = """#!/bin/sh
PRE_COMMIT_FROM_REF=$1 PRE_COMMIT_TO_REF=$2 PRE_COMMIT_CHECKOUT_TYPE=$3
PRE_COMMIT_IS_SQUASH_MERGE=$1 PRE_COMMIT_REWRITE_COMMAND=$1 PRE_COMMIT=1
export PRE_COMMIT_FROM_REF PRE_COMMIT_TO_REF PRE_COMMIT_CHECKOUT_TYPE
export PRE_COMMIT_IS_SQUASH_MERGE PRE_COMMIT_REWRITE_COMMAND PRE_COMMIT
exec "$0.d/${0##*/}" </dev/null
"""


@dataclass(frozen=True)
class Case:
    """Commands typed in the worktree of an agent with commits one, two and three.

    `expected`: the subject of each commit from main on, newest first, with the
    subjects of what its note says it replaces, or None for a commit without a note.
    A word `todo:…` edits the list of a rebase -i, `stops` expects the command to fail.
    """

    commands: str
    expected: dict[str, list[str] | None] = field(default_factory=lambda: dict(AS_BEFORE))


REWRITES = {
    "amend": Case("git commit -q --amend -m better", {"better": ["three"], "two": [], "one": []}),
    "amend twice": Case(
        "git commit -q --amend -m better && git commit -q --amend -m best",
        {"best": ["better"], "two": [], "one": []},
    ),
    "rebase": Case("git rebase -q main", {"three": ["three"], "two": ["two"], "one": ["one"]}),
    "rebase by patches": Case(
        "git rebase -q --apply main", {"three": ["three"], "two": ["two"], "one": ["one"]}
    ),
    "pull --rebase": Case(
        "git pull -q --rebase . main", {"three": ["three"], "two": ["two"], "one": ["one"]}
    ),
    "rebase that changes nothing": Case("git rebase -q HEAD~3"),
    "squash": Case("todo 2s/pick/squash/ HEAD~3", {"three": ["three"], "one": ["one", "two"]}),
    "fixup": Case("todo 3s/pick/fixup/ HEAD~3", {"two": ["two", "three"], "one": []}),
    "squash of all": Case("todo '2,3s/pick/fixup/' HEAD~3", {"one": ["one", "two", "three"]}),
    "reword": Case(
        "GIT_EDITOR='sed -i 1s/two/deux/' todo 2s/pick/reword/ HEAD~3",
        {"three": ["three"], "deux": ["two"], "one": []},
    ),
    "drop": Case("todo 2d HEAD~3", {"three": ["three"], "one": []}),
    "reorder": Case("todo '2{h;d};3{G}' HEAD~3", {"two": ["two"], "three": ["three"], "one": []}),
    "edit and amend": Case(
        "todo 2s/pick/edit/ HEAD~3 && git commit -q --amend -m deux && git rebase --continue",
        {"three": ["three"], "deux": ["two"], "one": []},
    ),
    "split": Case(
        "todo 3s/pick/edit/ HEAD~3 && git reset -q HEAD^ && git commit -q --allow-empty -m half"
        " && git add -A && git commit -q -m rest && git rebase --continue",
        {"rest": ["three"], "half": [], "two": [], "one": []},
    ),
    "exec": Case(
        "git rebase -q --exec 'git commit -q --amend -m \"$(git log -1 --format=%s)!\"' HEAD~1",
        {"three!": ["three"], "two": [], "one": []},
    ),
    "--onto": Case("git rebase -q --onto main HEAD~1", {"three": ["three"]}),
    "autosquash": Case(
        "echo more >>x && git commit -q -a --fixup HEAD~2"
        " && GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash HEAD~4",
        {"three": ["three"], "two": ["two"], "one": ["one", "fixup! one"]},
    ),
    "abort": Case(
        "todo 3s/pick/edit/ main && git rebase --abort",
    ),
    "conflict, aborted": Case("git rebase -q conflicting; git rebase --abort"),
    "conflict, resolved": Case(
        "! git rebase -q conflicting && echo both >y && git add y && git rebase --continue",
        {"three": ["three"], "two": ["two"], "one": ["one"], "conflicting": None},
    ),
    "conflict, skipped": Case(
        "! git rebase -q conflicting && git rebase --skip",
        # git's own list says that what was skipped went into the commit before it.
        {"three": ["three"], "one": ["one", "two"], "conflicting": None},
    ),
    "rebase of merges": Case(
        "git checkout -q -b side HEAD~1 && echo s >s && git add s && git commit -q -m side"
        " && git checkout -q a && git merge -q --no-edit -m merge side"
        " && git rebase -q -r main",
        {name: [name] for name in ("merge", "side", "three", "two", "one")},
    ),
    "cherry-pick": Case("git cherry-pick other", {"other": [], "three": [], "two": [], "one": []}),
    "cherry-pick of a range": Case(
        "git checkout -q -B a main && git cherry-pick HEAD..topic",
        {"three": [], "two": [], "one": []},
    ),
    "cherry-pick -n": Case(
        "git cherry-pick -n other && git commit -q -m picked",
        {"picked": [], "three": [], "two": [], "one": []},
    ),
    "cherry-pick with a conflict": Case(
        "! git cherry-pick conflicting && echo both >y && git add y && git cherry-pick --continue",
        {"conflicting": [], "three": [], "two": [], "one": []},
    ),
    "revert": Case("git revert HEAD", {'Revert "three"': [], "three": [], "two": [], "one": []}),
    "merge": Case(
        "git merge -q -m merged other",
        {"merged": [], "other": None, "three": [], "two": [], "one": []},
    ),
    "merge with a conflict": Case(
        "! git merge -q conflicting && echo both >y && git add y && git commit -q -m merged",
        {"merged": [], "conflicting": None, "three": [], "two": [], "one": []},
    ),
    "merge --squash": Case(
        "git merge -q --squash other && git commit -q -m squashed",
        {"squashed": [], "three": [], "two": [], "one": []},
    ),
    "fast-forward": Case("git reset -q --hard other^ && git merge -q other", {"other": None}),
    "reset --soft": Case(
        "git reset -q --soft HEAD~2 && git commit -q -m both", {"both": [], "one": []}
    ),
    "stash": Case("echo dirty >>x && git stash -q && git stash pop -q && git checkout -q x"),
    "renamed branch": Case("git branch -m renamed"),
    "detached": Case(
        "git checkout -q --detach && git commit -q --allow-empty -m loose",
        {"loose": [], "three": [], "two": [], "one": []},
    ),
}
TODO = """todo() { e=$1; shift; printf '#!/bin/sh\\nsed -i "%s" "$1"\\n' "$e" >"$HOME/todo"
chmod +x "$HOME/todo"; GIT_SEQUENCE_EDITOR=$HOME/todo git rebase -q -i "$@"; }
"""


# What a framework's way of calling could change: arguments, stdin, environment.
THROUGH_A_FRAMEWORK = [
    "amend",
    "rebase",
    "rebase by patches",
    "squash of all",
    "conflict, resolved",
    "merge",
    "fast-forward",
    "merge --squash",
]


def agent(repo: Place) -> Place:
    """An agent's worktree with three commits; main, `other` and `conflicting` have gone on."""
    a = repo.worktree("a")
    for subject, name in (("one", "x"), ("two", "y"), ("three", "z")):
        a.commit(subject, **{name: f"{subject}\n"})
    for branch, name in (("other", "o"), ("conflicting", "y")):
        repo.git("checkout", "-q", "-b", branch, "main")
        repo.commit(branch, **{name: "theirs\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("on main", m="1\n")
    repo.git("branch", "-q", "topic", "a")
    return a


def _call_as_a_framework_does(repo: Place) -> None:
    hooks = repo.path / ".git/hooks"
    for hook in sorted(hooks.glob("post-*")):
        folder = hooks / f"{hook.name}.d"
        folder.mkdir()
        for file in [hook, hooks / "record.sh", hooks / "spawn.sh", hooks / "rewrite.awk"]:
            (folder / file.name).write_bytes(file.read_bytes())
            (folder / file.name).chmod(0o755)
        hook.write_text(FRAMEWORK)


def every_commit(a: Place) -> dict[str, str]:
    """The subject of each commit that the reflogs still name."""
    listed = a.git("log", "-g", "--format=%H %s", "HEAD").splitlines()
    return dict(line.split(" ", 1) for line in listed)


@pytest.mark.parametrize("name", REWRITES)
def test_rewrite(quick: Place, name: str) -> None:
    check(agent(quick), REWRITES[name])


@pytest.mark.parametrize("name", THROUGH_A_FRAMEWORK)
def test_rewrite_through_a_framework(quick: Place, name: str) -> None:
    _call_as_a_framework_does(quick)
    check(agent(quick), REWRITES[name])


def check(agent: Place, case: Case) -> None:
    done = agent.run("sh", "-c", TODO + case.commands)
    assert done.returncode == 0, done.stdout + done.stderr
    subjects = every_commit(agent)
    subject_now = dict(
        line.split(" ", 1)
        for line in agent.git("log", "--topo-order", "--format=%H %s", "main..").splitlines()
    )
    found: dict[str, list[str] | None] = {}
    for commit, lines in notes(agent, "--topo-order", "main..").items():
        assert lines[:2] in ([], made_by(agent_of(agent)))
        olds = [subjects[line.removeprefix("supersedes: ")] for line in lines[2:]]
        # A squash of several amends its own steps, which no one else sees.
        olds = [old for old in olds if not old.startswith("# This is a combination")]
        found[subject_now[commit]] = olds if lines else None
    assert found == case.expected
    assert len(logs(agent)) == 1
    assert errors(agent) == ""
    head = agent.git("rev-parse", f"refs/ledger/agents/{agent_of(agent)}/head")
    noted = [commit for commit, lines in notes(agent, "HEAD").items() if lines]
    assert head in {noted[0] if noted else "", *subjects}


def test_rewriting_where_no_agent_works_keeps_the_agents(quick: Place) -> None:
    """Branches of two agents, their worktrees removed, rebased and squashed in main."""
    a, b = quick.worktree("a"), quick.worktree("b")
    one, two = a.commit("one", x="1"), b.commit("two", y="2")
    me, other = agent_of(a), agent_of(b)
    for name in ("a", "b"):
        quick.git("worktree", "remove", f"../{name}")
    quick.commit("on main", z="3")
    quick.git("rebase", "-q", "main", "a")
    new = quick.git("rev-parse", "HEAD")
    assert note(quick) == made_by(me, f"supersedes: {one}")
    assert quick.git("rev-parse", f"refs/ledger/agents/{me}/head") == new
    quick.git("cherry-pick", "b")
    picked = quick.git("rev-parse", "HEAD")
    assert note(quick) == []
    quick.git("rebase", "-q", "-i", "main", env={"GIT_SEQUENCE_EDITOR": "sed -i 2s/pick/fixup/"})
    assert note(quick) == made_by(me, f"supersedes: {new}", f"supersedes: {picked}")
    assert quick.git("rev-parse", f"refs/ledger/agents/{other}/head") == two
    assert quick.is_clean_for_fsck()


def test_rewriting_anothers_commit_names_the_other(quick: Place) -> None:
    a = quick.worktree("a")
    one = a.commit("one", x="1")
    quick.git("worktree", "add", "-q", "-b", "b", "../b", "a")
    b = quick.at("../b")
    b.git("commit", "-q", "--amend", "-m", "better")
    assert note(b) == made_by(agent_of(b), f"supersedes: {one}", f"from: {agent_of(a)}")
    assert note(a) == made_by(agent_of(a))


def test_a_long_rebase_is_recorded_in_one_step(quick: Place) -> None:
    a = quick.worktree("a")
    stream = "".join(
        f"commit refs/heads/a\ncommitter x <x> {n} +0000\ndata 0\n"
        + ("from refs/heads/a^0\n" if n == 0 else "")
        + f"M 100644 inline n{n}\ndata 1\n{n % 10}\n"
        for n in range(150)
    )
    a.run("git", "fast-import", "--quiet", "--force", stdin=stream.encode())
    a.git("reset", "-q", "--hard")
    quick.commit("on main", z="3")
    a.git("rebase", "-q", "--empty=keep", "main")
    lines = list(notes(a, "main..").values())
    assert len(lines) == 150
    assert {tuple(one[:2]) for one in lines} == {tuple(made_by(agent_of(a)))}
    assert all(len(one) == 3 for one in lines)
    assert errors(a) == ""
