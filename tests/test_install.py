"""`git ledger init` and `deinit` beside hooks that exist: both run, and every byte comes back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitledger.errors import NotUsable
from gitledger.services import install_plan
from gitledger.services import install_text as shell
from gitledger.services.install_files import FileChange, SettingChange
from tests.install_support import (
    NOTES_ITSELF,
    deinit,
    hook,
    init,
    installed_state,
    log_of,
    recorded,
)
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.usefixtures("stand_ins")


def test_a_fresh_repository_records_in_every_worktree(repo: Place) -> None:
    before = installed_state(repo)
    init(repo)
    repo.commit("one")
    linked = repo.worktree("a")
    linked.commit("two")
    linked.git("commit", "-q", "--amend", "--allow-empty", "-m", "two again")
    assert recorded(repo) == [
        "post-commit",
        "post-checkout",
        "post-commit",
        "post-commit",
        "post-rewrite",
    ]
    deinit(repo)
    repo.commit("three")
    assert recorded(repo) == []
    assert installed_state(repo) == before


def test_nothing_is_printed_and_git_succeeds_whatever_ours_does(repo: Place) -> None:
    hook(repo, ".git/hooks/post-commit", "#!/bin/sh\necho theirs\n")
    init(repo)
    (repo.path / ".git/ledger/hooks/post-commit").write_text("#!/bin/sh\necho loud >&2\nexit 1\n")
    done = repo.run("git", "commit", "--allow-empty", "-qm", "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "theirs\n")
    (repo.path / ".git/ledger/hooks/post-checkout").write_text("#!/bin/sh\necho loud\nexit 1\n")
    done = repo.run("git", "worktree", "add", "-q", "-b", "a", "../a")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


SHELLS = {
    "sh": "#!/bin/sh\n",
    "sh -eu": "#!/bin/sh -eu\n",
    "env sh": "#!/usr/bin/env sh\n",
    "bash": "#!/bin/bash\nset -euo pipefail\n",
    "env bash": "#! /usr/bin/env bash\n",
    "no shebang": "",
}


@pytest.mark.parametrize("first", SHELLS.values(), ids=SHELLS)
def test_a_shell_hook_keeps_name_arguments_input_and_status(repo: Place, first: str) -> None:
    hook(repo, ".git/hooks/post-checkout", f"{first}{NOTES_ITSELF}exit 7\n")
    hook(repo, ".git/hooks/post-rewrite", f"{first}{NOTES_ITSELF}")
    before = installed_state(repo)
    init(repo)
    kept = f"{shell.KEPT}/" if not first else ""
    old = repo.git("rev-parse", "HEAD")
    assert repo.run("git", "checkout", "-q", "-b", "b").returncode == 1
    assert log_of(repo) == [f".git/hooks/{kept}post-checkout|{old}|{old}|"]
    repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "again")
    new = repo.git("rev-parse", "HEAD")
    assert log_of(repo) == [f".git/hooks/{kept}post-rewrite|amend||{old} {new};"]
    assert recorded(repo) == ["post-checkout", "post-commit", "post-rewrite"]
    assert repo.run(".git/hooks/post-checkout", "x", "y", "1").returncode == 7
    deinit(repo)
    assert installed_state(repo) == before


def test_an_empty_input_stays_empty_for_both(repo: Place) -> None:
    hook(repo, ".git/hooks/post-rewrite", f"#!/bin/sh\n{NOTES_ITSELF}")
    init(repo)
    assert repo.run(".git/hooks/post-rewrite", "rebase").returncode == 0
    assert log_of(repo) == [".git/hooks/post-rewrite|rebase||"]


def test_a_long_input_reaches_both_whole(repo: Place) -> None:
    count = '#!/bin/sh\nwc -c > "$(git rev-parse --git-common-dir)/theirs"\n'
    hook(repo, ".git/hooks/post-rewrite", count)
    init(repo)
    lines = b"".join(b"%040d %040d\n" % (n, n) for n in range(5000))
    repo.run(".git/hooks/post-rewrite", "rebase", stdin=lines)
    assert log_of(repo) == [str(len(lines))]
    noted = (repo.path / ".git" / "recorded").read_text()
    assert len(noted) == len(lines) + len("post-rewrite|rebase|\n")


PYTHON = """#!/usr/bin/env python3
import subprocess, sys
subprocess.run(['sh', '-c', 'echo python >> .git/theirs'])
sys.exit(5)
"""


def test_a_hook_in_another_language_runs_as_it_was(repo: Place) -> None:
    hook(repo, ".git/hooks/post-checkout", PYTHON, 0o744)
    before = installed_state(repo)
    init(repo)
    assert repo.run("git", "checkout", "-q", "-b", "b").returncode == 1
    assert (log_of(repo), recorded(repo)) == (["python"], ["post-checkout"])
    assert repo.run(".git/hooks/post-checkout").returncode == 5
    deinit(repo)
    assert installed_state(repo) == before


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
def test_a_linked_hook_is_never_written_through(repo: Place, absolute: bool) -> None:
    script = hook(repo, "scripts/hook", f"#!/bin/sh\n{NOTES_ITSELF}")
    target = script if absolute else Path("../../scripts/hook")
    (repo.path / ".git/hooks/post-commit").symlink_to(target)
    before = installed_state(repo)
    source = script.read_bytes()
    init(repo)
    repo.commit("one")
    assert log_of(repo) == [f".git/hooks/{shell.KEPT}/post-commit|||"]
    assert recorded(repo) == ["post-commit"]
    assert script.read_bytes() == source
    deinit(repo)
    assert installed_state(repo) == before


def test_a_hook_that_is_not_executable_is_not_woken(repo: Place) -> None:
    hook(repo, ".git/hooks/post-commit", f"#!/bin/sh\n{NOTES_ITSELF}", 0o644)
    before = installed_state(repo)
    init(repo)
    repo.commit("one")
    assert (log_of(repo), recorded(repo)) == ([], ["post-commit"])
    deinit(repo)
    assert installed_state(repo) == before


@pytest.mark.parametrize(
    "content",
    ["#!/bin/sh", "#!/bin/sh\r\necho\r\n", "", b"\x7fELF\0\0", "#!/bin/fish\n", "#!/gone/py\n"],
)
def test_odd_files_come_back_as_they_were(repo: Place, content: str | bytes) -> None:
    hook(repo, ".git/hooks/post-commit", content, 0o700)
    before = installed_state(repo)
    init(repo)
    repo.run("git", "commit", "--allow-empty", "-qm", "x")
    assert recorded(repo) == ["post-commit"]
    deinit(repo)
    assert installed_state(repo) == before


def test_again_changes_nothing_and_an_older_block_is_renewed(repo: Place) -> None:
    path = hook(repo, ".git/hooks/post-commit", "#!/bin/sh\necho theirs\n")
    before = installed_state(repo)
    init(repo)
    after = installed_state(repo)
    assert init(repo).changes == []
    path.write_bytes(path.read_bytes().replace(b"</dev/null", b"</dev/zero"))
    assert init(repo).changes == [f"change {path}"]
    assert installed_state(repo) == after
    deinit(repo)
    assert installed_state(repo) == before


def test_edits_made_meanwhile_survive(repo: Place) -> None:
    path = hook(repo, ".git/hooks/post-commit", "#!/bin/sh\necho one\n")
    init(repo)
    path.write_bytes(path.read_bytes().replace(b"echo one", b"echo two"))
    init(repo)
    deinit(repo)
    assert path.read_text() == "#!/bin/sh\necho two\n"


def test_a_dry_run_writes_nothing(repo: Place) -> None:
    before = installed_state(repo)
    done = init(repo, dry_run=True)
    assert done.changes[-1] == f"write {repo.path / '.git/hooks/post-rewrite'}"
    assert installed_state(repo) == before


def test_from_a_linked_worktree_it_is_the_same(repo: Place) -> None:
    linked = repo.worktree("a")
    init(linked)
    assert init(repo).changes == []
    linked.commit("one")
    repo.git("worktree", "remove", "../a")
    repo.commit("two")
    assert recorded(repo) == ["post-commit", "post-commit"]


def test_a_bare_repository_with_worktrees(tmp_path: Path, env: dict[str, str]) -> None:
    source = new_repository(tmp_path / "source", env)
    source.git("clone", "-q", "--bare", ".", "../project/.bare")
    bare = source.at("../project/.bare")
    init(bare)
    bare.git("worktree", "add", "-q", "../a", "-b", "a")
    bare.at("../a").commit("one")
    lines = (bare.path / "recorded").read_text().splitlines()
    assert [line.partition("|")[0] for line in lines] == ["post-checkout", "post-commit"]
    deinit(bare)
    assert not (bare.path / "ledger").exists()


def test_gates_come_with_init_and_go_only_when_told(repo: Place) -> None:
    hook(repo, ".git/hooks/pre-push", f"#!/bin/sh\n{NOTES_ITSELF}")
    before = installed_state(repo)
    init(repo, gates=True)
    assert init(repo).changes == []
    repo.git("init", "-q", "--bare", "../remote")
    repo.git("push", "-q", "../remote", "main")
    head = repo.git("rev-parse", "HEAD")
    line = f"refs/heads/main {head} refs/heads/main {'0' * 40};"
    noted = (repo.path / ".git" / "recorded").read_text()
    assert noted == f"gate|pre-push ../remote ../remote|{line}\n"
    assert log_of(repo) == [f".git/hooks/pre-push|../remote|../remote|{line}"]
    init(repo, gates=False)
    assert sorted(path.name for path in (repo.path / ".git/hooks").glob("p*t")) == [
        "post-checkout",
        "post-commit",
    ]
    deinit(repo)
    assert installed_state(repo) == before


def test_a_gate_that_refuses_stops_before_their_hook(repo: Place) -> None:
    hook(repo, ".git/hooks/pre-commit", f"#!/bin/sh\n{NOTES_ITSELF}")
    init(repo, gates=True)
    (repo.path / ".git/ledger/hooks/gate").write_text("#!/bin/sh\necho no >&2; exit 3\n")
    done = repo.run("git", "commit", "--allow-empty", "-qm", "x")
    assert (done.returncode, done.stderr) == (1, "no\n")
    assert log_of(repo) == []


def test_what_can_not_be_written_leaves_all_as_it_was(
    repo: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(repo, ".git/hooks/post-commit", "#!/bin/sh\necho theirs\n")
    hook(repo, ".git/hooks/post-checkout", PYTHON)
    before = installed_state(repo)
    real = FileChange.apply

    def full(change: FileChange) -> None:
        if change.path.endswith("post-merge"):
            raise OSError(28, "No space left on device")
        real(change)

    monkeypatch.setattr(FileChange, "apply", full)
    with pytest.raises(NotUsable) as caught:
        init(repo)
    assert caught.value.message.endswith("post-merge: No space left on device")
    assert caught.value.hint == "nothing was changed"
    assert installed_state(repo) == before


def test_a_file_in_the_way_is_named(repo: Place) -> None:
    (repo.path / ".git/ledger").write_text("mine")
    before = installed_state(repo)
    with pytest.raises(NotUsable) as caught:
        init(repo)
    assert "ledger/hooks" in caught.value.message
    assert installed_state(repo) == before


@pytest.mark.parametrize("there", [["refs/ledger"], ["refs/notes/ledger", "refs/notes/git-ledger"]])
def test_another_tools_ref_in_the_way_is_said_before_anything_is_written(
    repo: Place, there: list[str]
) -> None:
    for taken in there:
        repo.git("update-ref", taken, "HEAD")
    before = sorted(str(one) for one in repo.path.rglob("*"))
    done = repo.ledger("init")
    assert (done.returncode, done.stdout, done.stderr) == (
        128,
        "",
        f"error: ref '{there[-1]}' stands in the way of '{there[-1]}/…'\n"
        f"hint: if it may be renamed: git update-ref {there[-1]}-old {there[-1]}"
        f" && git update-ref -d {there[-1]}\n",
    )
    assert sorted(str(one) for one in repo.path.rglob("*")) == before


def everything(repo: Place) -> None:
    """A hook of each kind and a core.hooksPath: every sort of step is taken."""
    linked = repo.worktree("a")
    hook(repo, ".git/hooks/post-commit", "#!/bin/sh\necho theirs\n")
    hook(repo, ".git/hooks/post-checkout", PYTHON, 0o744)
    (repo.path / ".git/hooks/post-merge").symlink_to("../../scripts/hook")
    repo.git("config", "extensions.worktreeConfig", "true")
    linked.git("config", "--worktree", "core.hooksPath", "own")


def killed(place: Place, action: Callable[[Place], object], after: int) -> bool:
    """Run the action in a process that dies before that step; whether it came so far."""
    child = os.fork()
    if child == 0:
        try:
            steps = iter(range(after))
            for kind in (FileChange, SettingChange):
                kind.apply = _dying(kind.apply, steps)  # type: ignore[method-assign]
            action(place)
            os._exit(0)
        finally:
            os._exit(1)  # never on into pytest, whatever went wrong
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, 9}
    return code == 9


def _dying(real: Callable[[Any], None], steps: Iterator[int]) -> Callable[[Any], None]:
    def apply(change: Any) -> None:
        if next(steps, None) is None:
            if isinstance(change, FileChange) and change.after is not None:
                os.makedirs(os.path.dirname(change.path), exist_ok=True)
                Path(f"{change.path}.git-ledger-new").touch()
            os._exit(9)
        real(change)

    return apply


def test_killed_at_any_step_init_and_deinit_still_find_their_way(
    repo: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install_plan, "PASSED", ["post-commit", "pre-commit"])
    everything(repo)
    before = installed_state(repo)
    init(repo)
    after = installed_state(repo)
    deinit(repo)
    assert installed_state(repo) == before
    steps = 0
    while killed(repo, init, steps):
        if steps % 2:
            init(repo)
            assert installed_state(repo) == after, steps
        deinit(repo)
        assert installed_state(repo) == before, steps
        steps += 1
    assert steps > 15
    assert installed_state(repo) == after
    steps = 0
    while killed(repo, deinit, steps):
        init(repo)
        assert installed_state(repo) == after, steps
        steps += 1
    assert installed_state(repo) == before


def test_interrupted_it_takes_everything_back(repo: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    everything(repo)
    before = installed_state(repo)

    def interrupted(_: SettingChange) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SettingChange, "apply", interrupted)
    with pytest.raises(KeyboardInterrupt):
        init(repo)
    assert installed_state(repo) == before
