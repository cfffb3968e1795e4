"""core.hooksPath in all its forms: nothing is written there, everything runs, every worktree records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.errors import NotUsable
from tests.install_support import (
    NOTES_ITSELF,
    deinit,
    hook,
    init,
    installed_state,
    log_of,
    recorded,
)

if TYPE_CHECKING:
    from tests.support import Place

pytestmark = pytest.mark.usefixtures("stand_ins")
THEIRS = f"#!/bin/sh\n{NOTES_ITSELF}"


def hooks_path(place: Place, *scope: str) -> str:
    return place.run("git", "config", *scope, "core.hooksPath").stdout.strip()


def test_tracked_hooks_are_left_alone_and_run_where_they_are(repo: Place) -> None:
    """Case 03: a relative core.hooksPath that one worktree's tree does not have."""
    repo.git("branch", "old")
    hook(repo, ".githooks/post-commit", THEIRS)
    repo.commit("track hooks")
    repo.git("config", "core.hooksPath", ".githooks")
    new = repo.worktree("new")
    repo.git("worktree", "add", "-q", "../old", "old")
    before = installed_state(repo)
    done = init(repo)
    old = repo.path.parent / "old"
    assert done.notes == [
        f"{repo.path}: core.hooksPath stays in force: '.githooks' is passed on to",
        f"{repo.path.parent}/new: core.hooksPath stays in force: '.githooks' is passed on to",
        f"{old}: core.hooksPath stays in force: '.githooks' is passed on to",
        f"{old}: '{old}/.githooks' is not there, so only the ledger's hooks run here",
    ]
    new.commit("new work")
    repo.at("../old").commit("old work")
    assert log_of(repo) == [".githooks/post-commit|||"]
    assert recorded(repo) == ["post-commit", "post-commit"]
    assert repo.git("status", "--porcelain") == ""
    assert init(repo).changes == []
    deinit(repo)
    assert installed_state(repo) == before
    assert hooks_path(repo) == ".githooks"


def test_every_hook_is_passed_on_with_its_arguments_and_status(repo: Place) -> None:
    hook(repo, "../team hook's/commit-msg", '#!/bin/sh\ntest -f "$1" && exit 9\n')
    repo.git("config", "core.hooksPath", "../team hook's")
    init(repo)
    assert repo.run("git", "commit", "--allow-empty", "-qm", "x").returncode == 1
    (repo.path / "../team hook's/commit-msg").chmod(0o644)
    assert repo.run("git", "commit", "--allow-empty", "-qm", "x").returncode == 0
    assert recorded(repo) == ["post-commit"]


def test_input_goes_to_both(repo: Place) -> None:
    hook(repo, "hooks/post-rewrite", THEIRS)
    repo.git("config", "core.hooksPath", str(repo.path / "hooks"))
    init(repo)
    old = repo.git("rev-parse", "HEAD")
    repo.git("commit", "-q", "--amend", "-m", "again")
    new = repo.git("rev-parse", "HEAD")
    assert log_of(repo) == [f"{repo.path}/hooks/post-rewrite|amend||{old} {new};"]
    noted = (repo.path / ".git/recorded").read_text().splitlines()
    assert noted == ["post-commit||", f"post-rewrite|amend|{old} {new};"]


def test_a_global_directory_stays_global(repo: Place) -> None:
    hook(repo, "../home/.githooks/post-commit", THEIRS)
    repo.git("config", "--global", "core.hooksPath", "~/.githooks")
    before = installed_state(repo)
    init(repo)
    repo.commit("one")
    assert log_of(repo) == [f"{repo.env['HOME']}/.githooks/post-commit|||"]
    assert recorded(repo) == ["post-commit"]
    assert hooks_path(repo, "--global") == "~/.githooks"
    deinit(repo)
    assert installed_state(repo) == before


def test_one_worktree_may_have_its_own(repo: Place) -> None:
    own = repo.worktree("a")
    plain = repo.worktree("b")
    hook(repo, ".git/hooks/post-commit", THEIRS)
    hook(repo, "../a-hooks/post-commit", THEIRS)
    repo.git("config", "extensions.worktreeConfig", "true")
    own.git("config", "--worktree", "core.hooksPath", "../a-hooks")
    before = installed_state(repo)
    init(repo)
    own.commit("a")
    plain.commit("b")
    assert log_of(repo) == [
        "../a-hooks/post-commit|||",
        f"{repo.path}/.git/hooks/post-commit|||",
    ]
    assert recorded(repo) == ["post-commit", "post-commit"]
    assert init(plain).changes == []
    deinit(plain)
    assert installed_state(repo) == before
    assert hooks_path(own, "--worktree") == "../a-hooks"


def test_the_usual_directory_by_its_full_name_is_no_detour(repo: Place) -> None:
    repo.git("config", "core.hooksPath", str(repo.path / ".git/hooks"))
    linked = repo.worktree("a")
    before = installed_state(repo)
    init(repo)
    linked.commit("one")
    assert recorded(repo) == ["post-commit"]
    assert hooks_path(repo) == str(repo.path / ".git/hooks")
    deinit(repo)
    assert installed_state(repo) == before


def test_the_usual_directory_named_so_that_only_one_worktree_finds_it(repo: Place) -> None:
    repo.git("config", "core.hooksPath", ".git/hooks")
    hook(repo, ".git/hooks/post-commit", THEIRS)
    linked = repo.worktree("a")
    init(repo)
    linked.commit("one")
    assert (recorded(repo), log_of(repo)) == (["post-commit"], [])
    repo.commit("two")
    assert (recorded(repo), log_of(repo)) == (["post-commit"], [".git/hooks/post-commit|||"])


def test_a_linked_hooks_directory_is_not_written_through(repo: Place) -> None:
    hook(repo, "shared/post-commit", THEIRS)
    for sample in (repo.path / ".git/hooks").iterdir():
        sample.unlink()
    (repo.path / ".git/hooks").rmdir()
    (repo.path / ".git/hooks").symlink_to("../shared")
    before = installed_state(repo)
    init(repo)
    repo.commit("one")
    assert recorded(repo) == ["post-commit"]
    assert log_of(repo) == [f"{repo.path}/.git/hooks/post-commit|||"]
    assert [path.name for path in (repo.path / "shared").iterdir()] == ["post-commit"]
    deinit(repo)
    assert installed_state(repo) == before


def test_switched_off_hooks_stay_off_and_ours_record(repo: Place) -> None:
    hook(repo, ".git/hooks/post-commit", THEIRS)
    repo.git("config", "core.hooksPath", "/dev/null")
    init(repo)
    repo.commit("one")
    assert (recorded(repo), log_of(repo)) == (["post-commit"], [])


def test_of_one_call_only_it_is_ignored(repo: Place) -> None:
    repo.env["GIT_CONFIG_PARAMETERS"] = "'core.hookspath'='/dev/null'"
    init(repo)
    del repo.env["GIT_CONFIG_PARAMETERS"]
    repo.commit("one")
    assert recorded(repo) == ["post-commit"]


def test_set_after_init_and_init_again(repo: Place) -> None:
    before = installed_state(repo)
    init(repo)
    hook(repo, "hooks/post-commit", THEIRS)
    repo.git("config", "core.hooksPath", "hooks")
    repo.commit("unseen")
    assert recorded(repo) == []
    log_of(repo)
    init(repo)
    repo.commit("seen")
    assert (recorded(repo), log_of(repo)) == (["post-commit"], ["hooks/post-commit|||"])
    repo.git("config", "--unset", "core.hooksPath")
    init(repo)
    repo.commit("seen too")
    assert (recorded(repo), log_of(repo)) == (["post-commit"], [])
    deinit(repo)
    assert installed_state(repo) == before


def test_hot_hooks_are_passed_on_only_where_they_are(repo: Place) -> None:
    hook(repo, "hooks/reference-transaction", "#!/bin/sh\necho $1 >> .git/theirs\n")
    repo.git("config", "core.hooksPath", "hooks")
    init(repo)
    chain = repo.path / ".git/ledger/chain/local"
    assert (chain / "reference-transaction").exists()
    assert not (chain / "post-index-change").exists()
    repo.git("update-ref", "refs/x", "HEAD")
    assert log_of(repo) == ["prepared", "committed"]


def test_an_included_file_that_wins_is_said_and_nothing_is_left(repo: Place) -> None:
    repo.write("../more", "[core]\n\thooksPath = hooks\n")
    repo.git("config", "include.path", str(repo.path / "../more"))
    before = installed_state(repo)
    repo.write(".git/config", (repo.path / ".git/config").read_bytes())
    with pytest.raises(NotUsable) as caught:
        init(repo)
    assert caught.value.message == (
        f"git still looks for hooks in '{repo.path}/hooks' in '{repo.path}'"
    )
    assert installed_state(repo) == before


def test_in_words(repo: Place) -> None:
    repo.git("config", "core.hooksPath", ".githooks")
    done = repo.ledger("init")
    assert done.stdout == (
        "set ledger.hooksPathBefore = .githooks\n"
        f"set core.hooksPath = {repo.path}/.git/ledger/chain/local\n"
    )
    done = repo.ledger("deinit")
    assert done.stdout == "set core.hooksPath = .githooks\nunset ledger.hooksPathBefore\n"
