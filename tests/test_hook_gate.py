"""hooks/gate: finds git-ledger, lets it stop git only in mode `block`, and says once if it can't."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support import ROOT, shells

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

MISSING = (
    "warning: nothing is checked for conflicts: there is no git-ledger to ask\n"
    "hint: 'git ledger doctor' says what is missing; this is said once\n"
)


@pytest.fixture(params=shells(), ids=" ".join)
def shell(request: pytest.FixtureRequest) -> list[str]:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def bare_path(repo: Place, tmp_path: Path) -> Path:
    """PATH with git and what sh needs, and no git-ledger; the directory, to put one there."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("git", "cat", "sh", "touch"):
        (programs / name).symlink_to(str(shutil.which(name)))
    (repo.path / ".git/ledger").mkdir()
    repo.env["PATH"] = str(programs)
    return programs


def program(path: Path, status: int, interpreter: str = "/bin/sh") -> Path:
    path.write_text(f'#!{interpreter}\necho "asked: $*: $(cat)"\nexit {status}\n')
    path.chmod(0o755)
    return path


def gate(repo: Place, shell: list[str], *words: str, stdin: bytes = b"") -> tuple[int, str, str]:
    found = [str(shutil.which(shell[0])), *shell[1:]]
    done = repo.run(*found, ROOT / "hooks/gate", *words, stdin=stdin)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({}, 0),
        ({"ledger.gate": "warn"}, 0),
        ({"ledger.gate": "block"}, 1),
        ({"ledger.pre-push.gate": "block"}, 1),
        ({"ledger.gate": "block", "ledger.pre-push.gate": "warn"}, 0),
        ({"ledger.pre-commit.gate": "block"}, 0),
    ],
)
def test_what_git_ledger_says_stops_git_only_in_mode_block(
    repo: Place, shell: list[str], bare_path: Path, settings: dict[str, str], status: int
) -> None:
    program(bare_path / "git-ledger", 1)
    for name, value in settings.items():
        repo.git("config", name, value)
    found = gate(repo, shell, "pre-push", "origin", "url", stdin=b"a b c d\n")
    assert found == (status, "asked: gate pre-push origin url: a b c d\n", "")


@pytest.mark.parametrize("name", ["ledger.gate", "ledger.pre-commit.gate"])
def test_off_asks_nobody(repo: Place, shell: list[str], bare_path: Path, name: str) -> None:
    program(bare_path / "git-ledger", 1)
    repo.git("config", name, "off")
    assert gate(repo, shell, "pre-commit") == (0, "", "")


def test_path_goes_before_what_init_noted(repo: Place, shell: list[str], bare_path: Path) -> None:
    noted = program(bare_path.parent / "noted one", 0)
    repo.write(".git/ledger/program", f"{noted}\n")
    assert gate(repo, shell, "pre-commit") == (0, "asked: gate pre-commit: \n", "")
    program(bare_path / "git-ledger", 0)
    noted.unlink()
    assert gate(repo, shell, "pre-commit") == (0, "asked: gate pre-commit: \n", "")


def test_a_program_whose_interpreter_is_gone_is_passed_over(
    repo: Place, shell: list[str], bare_path: Path
) -> None:
    """Case 11: its virtualenv was in a worktree that is gone."""
    program(bare_path / "git-ledger", 0, "/gone/python")
    assert gate(repo, shell, "pre-commit") == (0, "", MISSING)
    repo.write(".git/ledger/program", f"{program(bare_path.parent / 'noted', 0)}\n")
    assert gate(repo, shell, "pre-commit") == (0, "asked: gate pre-commit: \n", "")


def test_without_a_program_it_warns_once(repo: Place, shell: list[str], bare_path: Path) -> None:
    assert bare_path.exists()
    assert gate(repo, shell, "pre-commit") == (0, "", MISSING)
    assert gate(repo, shell, "pre-push") == (0, "", "")


def test_without_a_program_block_stays_block(
    repo: Place, shell: list[str], bare_path: Path
) -> None:
    assert bare_path.exists()
    repo.git("config", "ledger.gate", "block")
    refused = (
        "error: ledger.gate is 'block', and there is no git-ledger to ask\n"
        "hint: install it, or go on once with: git -c ledger.pre-push.gate=off …\n"
    )
    for _ in range(2):
        assert gate(repo, shell, "pre-push") == (1, "", refused)


def test_outside_a_repository_it_is_silent(nowhere: Place, shell: list[str]) -> None:
    status, out, _ = gate(nowhere, shell, "pre-push")
    assert (status, out) == (0, "")
