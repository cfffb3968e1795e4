"""`git ledger doctor`: what records, what does not, and a fix that mends it when followed."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.doctor import Examination, examine
from gitledger.services.reconcile import reconcile
from gitledger.store import logs
from tests.install_support import deinit, hook, init, recorded

if TYPE_CHECKING:
    from tests.support import Place

pytestmark = pytest.mark.usefixtures("stand_ins")
UNSEEN = "no hook saw this worktree being made"
ALLOW = "--allow-missing-config --hook-type post-checkout"
NO_LEDGER_HOOK = "pre-commit took the place, and its configuration has no ledger-* hook"
EACH = "{post-checkout,post-commit,post-merge,post-rewrite}"
ALL = "post-checkout, post-commit, post-merge, post-rewrite"


def doctor(place: Place) -> Examination:
    return examine(discover(str(place.path)))


def words(place: Place) -> list[tuple[str, str]]:
    """Each finding and its fix, the repository's path cut off."""
    return [
        (one.what.replace(f"{place.path}/", ""), one.fix.replace(f"{place.path}/", ""))
        for one in doctor(place).findings
    ]


def test_without_hooks_every_worktree_is_named(repo: Place) -> None:
    linked = repo.worktree("a")
    found = doctor(linked).findings
    why = f"{ALL}: not recorded here: there is no hook"
    assert [(one.worktree, one.what, one.fix, one.fault) for one in found] == [
        (str(repo.path), why, "git ledger init", True),
        (str(repo.path.parent / "a"), why, "git ledger init", True),
        (str(repo.path.parent / "a"), UNSEEN, "git ledger reconcile", False),
    ]


def test_with_hooks_all_is_well(repo: Place) -> None:
    repo.worktree("a")
    reconcile(discover(str(repo.path)))
    init(repo)
    seen = doctor(repo)
    assert (seen.findings, seen.errors, seen.faults) == ([], [], 0)
    native = dict.fromkeys(ALL.split(", "), "native")
    assert [(one.name, one.hooks) for one in seen.worktrees] == [
        ("main-worktree", native),
        ("worktrees/a", native),
    ]
    deinit(repo)
    assert doctor(repo).faults == 2


def overwritten(repo: Place) -> None:
    hook(repo, ".git/hooks/post-commit", "#!/bin/sh\necho other\n")


def by_pre_commit(repo: Place) -> None:
    repo.write(".pre-commit-config.yaml", "repos: []\n")
    repo.run("pre-commit", "install", "-f", "-t", "post-commit")


def no_longer_executable(repo: Place) -> None:
    (repo.path / ".git/hooks/post-commit").chmod(0o644)


def removed(repo: Place) -> None:
    (repo.path / ".git/hooks/post-commit").unlink()


def moved_hooks_path(repo: Place) -> None:
    repo.git("config", "core.hooksPath", ".husky/_")


def recorders_gone(repo: Place) -> None:
    shutil.rmtree(repo.path / ".git/ledger/hooks")


def recorder_of_another_version(repo: Place) -> None:
    (repo.path / ".git/ledger/hooks/post-commit").write_text("#!/bin/sh\n")


WRONG = {
    overwritten: ["post-commit: not recorded here: another hook took the place"],
    by_pre_commit: [
        f"post-commit: not recorded here: {NO_LEDGER_HOOK}",
    ],
    no_longer_executable: ["post-commit: not recorded here: the hook is not executable"],
    removed: ["post-commit: not recorded here: there is no hook"],
    moved_hooks_path: [
        f"{ALL}: not recorded here: core.hooksPath says '.husky/_', which is not there"
    ],
    recorders_gone: [
        f"{ALL}: not recorded here: the recorders are gone",
        f"the installed {ALL}, commit-msg, gate differ from those of 0.1.0",
    ],
    recorder_of_another_version: ["the installed post-commit differ from those of 0.1.0"],
}


@pytest.mark.parametrize("damage", WRONG, ids=lambda one: one.__name__)
def test_what_went_wrong_is_named_and_init_mends_it(repo: Place, damage: object) -> None:
    init(repo)
    damage(repo)  # type: ignore[operator]
    assert words(repo) == [(what, "git ledger init") for what in WRONG[damage]]  # type: ignore[index]
    init(repo)
    assert words(repo) == []
    repo.commit("one")
    assert recorded(repo) == ["post-commit"]


def test_a_framework_with_our_hooks_records_where_its_configuration_is(repo: Place) -> None:
    ids = "".join(f"      - id: ledger-{hook}\n" for hook in ALL.split(", "))
    repo.write(".pre-commit-config.yaml", f"repos:\n  - repo: x\n    rev: y\n    hooks:\n{ids}")
    types = [word for name in ALL.split(", ") for word in ("-t", name)]
    repo.run("prek", "install", "--allow-missing-config", *types)
    repo.worktree("a")
    reconcile(discover(str(repo.path)))
    seen = doctor(repo)
    assert [set(one.hooks.values()) for one in seen.worktrees] == [{"prek"}, {"no"}]
    assert [one.worktree for one in seen.findings] == [str(repo.path.parent / "a")]


@pytest.mark.parametrize("program", ["pre-commit", "prek"])
def test_a_framework_that_fails_worktree_add_is_named(repo: Place, program: str) -> None:
    """Case 05: post-checkout fails on a branch without the framework's configuration."""
    repo.write(".pre-commit-config.yaml", "repos: []\n")
    repo.run(program, "install", "-t", "post-checkout")
    init(repo)
    assert repo.run("git", "worktree", "add", "-b", "a", "../a").returncode == 1
    reconcile(discover(str(repo.path)))
    found = doctor(repo)
    assert found.faults == 0
    assert words(repo) == [
        (
            f"{program} makes 'git worktree add' exit 1 where a branch has no configuration of it",
            f"{program} install {ALLOW}, then git ledger init",
        )
    ]
    assert recorded(repo) == ["post-checkout"]


def test_a_dead_interpreter_is_named(repo: Place) -> None:
    """Case 11: the interpreter of a hook lay in a worktree that is gone."""
    init(repo)
    gone = repo.path.parent / "A/.venv/bin/py"
    hook(repo, ".git/hooks/pre-push", f"#!{gone}\n")
    hook(repo, ".git/hooks/commit-msg", "#!/usr/bin/env no-such-interpreter\n")
    hook(repo, ".git/hooks/pre-rebase", "#!/usr/bin/env sh\n")
    hook(repo, ".git/hooks/applypatch-msg", "#!/gone\n", 0o644)
    assert words(repo) == [
        (
            "'.git/hooks/commit-msg' needs 'no-such-interpreter', which is not there",
            "mend or remove '.git/hooks/commit-msg'",
        ),
        (
            f"'.git/hooks/pre-push' needs '{gone}', which is not there",
            "mend or remove '.git/hooks/pre-push'",
        ),
    ]


def test_a_dead_framework_is_named(repo: Place) -> None:
    init(repo)
    repo.write(".pre-commit-config.yaml", "repos: []\n")
    repo.run("pre-commit", "install", "-t", "commit-msg")
    shim = repo.path / ".git/hooks/commit-msg"
    lines = [
        "INSTALL_PYTHON=/gone/python" if line.startswith("INSTALL_PYTHON") else line
        for line in shim.read_text().splitlines()
    ]
    shim.write_text("\n".join(lines))
    repo.env["PATH"] = "/usr/bin:/bin"
    assert words(repo) == [
        (
            "'.git/hooks/commit-msg' needs '/gone/python', which is not there",
            "pre-commit install --hook-type commit-msg, then git ledger init",
        )
    ]


def test_errors_of_hooks_are_shown_last_ones_only(repo: Place) -> None:
    init(repo)
    lines = [f"2026-01-01T00:00:0{n}Z post-commit main-worktree: {n}" for n in range(9)]
    repo.write(".git/ledger/hook-errors", "\n".join(lines) + "\n")
    assert doctor(repo).errors == lines[-5:]
    init(repo)
    assert doctor(repo).errors == lines[-5:]
    deinit(repo)
    assert doctor(repo).errors == []


def test_gates_without_a_program_are_named(repo: Place) -> None:
    init(repo, gates=True)
    repo.write(".git/ledger/program", "/gone/git-ledger\n")
    repo.env["PATH"] = "/usr/bin:/bin"
    assert words(repo) == [
        (
            "the gates find no git-ledger: PATH has none, and '/gone/git-ledger' is gone",
            "install git-ledger where PATH finds it, then git ledger init",
        )
    ]


def test_what_is_not_on_record_is_named(repo: Place) -> None:
    linked = repo.worktree("a")
    tree = linked.git("write-tree")
    init(repo)
    made = linked.git("commit-tree", "-p", "HEAD", "-m", "by plumbing", tree)
    repo.git("update-ref", "refs/heads/a", made)
    reconcile(discover(str(repo.path)))
    assert words(repo) == []
    repo.git("update-ref", "refs/ledger/agents/b/log", linked.git("hash-object", "-w", "f"))
    assert words(repo) == [("10 broken lines in the log of 'b'", "git ledger verify")]


def test_an_agent_that_waits_for_review_without_its_worktree_is_named(repo: Place) -> None:
    init(repo)
    linked = repo.worktree("a")
    reconcile(discover(str(repo.path)))
    linked.commit("one", one="1")
    (ref,) = logs.read_all(discover(str(repo.path)))
    logs.append(discover(str(repo.path)), ref, lambda _: [("reported", {})])
    repo.git("worktree", "remove", "../a")
    agent = ref.split("/")[3]
    assert words(repo) == [
        (
            f"agent '{agent}' awaits review, and its worktree is gone",
            f"git ledger close {agent} --accepted, or --rejected",
        )
    ]


def test_the_trailer_s_hook_is_missed_where_it_is_wanted(repo: Place) -> None:
    init(repo)
    repo.git("config", "ledger.trailer", "true")
    why = "commit-msg: not recorded here: there is no hook"
    assert words(repo) == [(why, "git ledger init")]
    init(repo)
    assert words(repo) == []


def test_hooks_where_git_never_looks_are_named(repo: Place) -> None:
    """Case 11: a tool wrote a hook into the git dir of a linked worktree."""
    init(repo)
    repo.worktree("a")
    reconcile(discover(str(repo.path)))
    hook(repo, ".git/worktrees/a/hooks/post-commit", "#!/bin/sh\n")
    never = "'.git/worktrees/a/hooks/post-commit' never runs: git looks in '.git/hooks'"
    assert words(repo) == [(never, "move it there")]


def test_in_words_and_with_exit_codes(repo: Place) -> None:
    done = repo.ledger("doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[1:] == [
        f"{'WORKTREE':{len(str(repo.path))}}  post-checkout  post-commit  post-merge  post-rewrite",
        f"{repo.path}  no             no           no          no",
        f"wrong: {ALL}: not recorded here: there is no hook",
        f"  in {repo.path}",
        "  fix: git ledger init",
    ]
    done = repo.ledger("init")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [f"write .git/hooks/{EACH}"]
    done = repo.ledger("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[2:] == [
        f"{repo.path}  native         native       native      native",
    ]
    done = repo.ledger("deinit")
    assert done.stdout.splitlines() == [f"remove .git/hooks/{EACH}"]
    done = repo.ledger("deinit")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "nothing to do\n")
