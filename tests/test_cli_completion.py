"""The completions in real shells, through git's own: `git ledger <TAB>`."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitledger.cli.table import COMMANDS
from gitledger.model.names import agent_ref
from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support import Place

SHARE = ROOT / "gitledger" / "share"
GIT_FOR_BASH = Path("/usr/share/bash-completion/completions/git")
AGENTS = ["fix-login-3fa9c1", "UI: new look", "日本"]
PATIENCE = 30  # seconds for a shell to load git's own completion

BASH = r"""
. "$1" && . "$2" || exit 1
read -ra COMP_WORDS <<< "$3"
case "$3" in *" ") COMP_WORDS+=("") ;; esac
COMP_LINE=$3 COMP_POINT=${#3} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__git_wrap__git_main
printf '%s\n' "${COMPREPLY[@]}"
"""

ZSH = r"""
PROMPT= ; fpath=("$SHARE_DIR" $fpath)
autoload -Uz compinit; compinit -u -D
zstyle ':completion:*' insert-tab false
setopt no_beep
compadd () {
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    local -a __hits
    builtin compadd -A __hits "$@"
    print -rl -- $__hits >> $FOUND
  fi
  builtin compadd "$@"
}
finished () { print -r -- --finished-- >> $FOUND }
comppostfuncs=(finished)
print -r -- --ready-- > $FOUND
"""


def in_bash(place: Place, line: str) -> list[str]:
    if not GIT_FOR_BASH.exists():
        pytest.skip("git's completion for bash is not here")
    ours = SHARE / "git-ledger.bash"
    done = place.run("bash", "-c", BASH, "bash", GIT_FOR_BASH, ours, line)
    assert done.stderr == ""
    return done.stdout.splitlines()


def in_fish(place: Place, line: str) -> list[str]:
    directory = Path(place.env["XDG_CONFIG_HOME"]) / "fish" / "conf.d"
    directory.mkdir(parents=True, exist_ok=True)
    shutil.copy(SHARE / "git-ledger.fish", directory)
    done = place.run("fish", "-c", "complete -C $argv[1]", line)
    assert done.stderr == ""
    return [found.split("\t")[0] for found in done.stdout.splitlines()]


def in_zsh(place: Place, line: str) -> list[str]:
    """In a terminal of its own, as zsh completes only where somebody types."""
    found = place.path.parent / "found"
    found.write_text("")
    rc = place.path.parent / "rc.zsh"
    rc.write_text(ZSH)
    ours, theirs = pty.openpty()
    env = {**place.env, "SHARE_DIR": str(SHARE), "FOUND": str(found), "TERM": "vt100"}
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen(["zsh", "-f", "-i"], cwd=place.path, env=env, **streams) as shell:
        os.write(ours, f"source {rc}\n".encode())
        _wait_for(found, "--ready--", ours)
        os.write(ours, f"{line}\t".encode())
        _wait_for(found, "--finished--", ours)
        shell.kill()
    os.close(ours)
    os.close(theirs)
    return [one for one in found.read_text().splitlines() if one and not one.startswith("--fin")][
        1:
    ]


def _wait_for(file: Path, word: str, terminal: int) -> None:
    end = time.monotonic() + PATIENCE
    os.set_blocking(terminal, False)
    while word not in file.read_text():
        assert time.monotonic() < end, f"no '{word}' in {file.read_text()!r}"
        time.sleep(0.02)
        try:
            os.read(terminal, 65536)  # what it shows; unread it would stall
        except BlockingIOError:
            continue


SHELLS = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}


@pytest.fixture(params=SHELLS)
def complete(request: pytest.FixtureRequest, repo: Place) -> Callable[[str], set[str]]:
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param} here")
    # The arguments of commands that the ledger completes are ids of what it knows.
    blob = repo.git("hash-object", "-w", "f")
    for agent in AGENTS:
        repo.git("update-ref", agent_ref(agent, "log"), blob)
    return lambda line: {one.strip() for one in SHELLS[request.param](repo, line)}


def test_the_commands(complete: Callable[[str], set[str]]) -> None:
    assert complete("git ledger ") >= set(COMMANDS)


def test_the_beginning_of_a_command(complete: Callable[[str], set[str]]) -> None:
    found = complete("git ledger hel")
    assert found == {"help"}


def test_options_of_a_command(complete: Callable[[str], set[str]]) -> None:
    found = complete("git ledger init --")
    assert found >= {"--gates", "--no-gates", "--dry-run", "--json"}
    assert not found & set(COMMANDS)


def test_values_of_an_option(complete: Callable[[str], set[str]]) -> None:
    found = complete("git ledger help --completion ")
    assert found == {"bash", "zsh", "fish"}


def test_commands_to_be_helped_with(complete: Callable[[str], set[str]]) -> None:
    assert complete("git ledger help ini") == {"init"}


def test_agents_by_the_beginning_of_their_id(complete: Callable[[str], set[str]]) -> None:
    assert complete("git ledger show fix") == {"fix-login-3fa9c1"}


def test_agents_whatever_their_ids_hold(complete: Callable[[str], set[str]]) -> None:
    typed = {one.replace("\\", "") for one in complete("git ledger show ")}
    assert typed >= set(AGENTS)


def test_branches_where_a_commit_is_wanted(complete: Callable[[str], set[str]]) -> None:
    assert complete("git ledger who ma") == {"main"}
    assert complete("git ledger conflicts --onto ma") == {"main"}
