"""The frame that every command stands in: help, ways to fail, exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from gitledger.cli import main, render, table, terminal
from gitledger.cli.report import without_secrets
from gitledger.errors import Contended, Found, LedgerError, NotUsable, Refused, Undecided
from tests.support import ROOT

if TYPE_CHECKING:
    from tests.support import Place

HEAVY = {"pygit2", "rich", "json", "markdown_it", "yaml", "subprocess"}


def help_line(command: click.Command) -> str:
    return (command.help or "").partition("\n")[0].removesuffix(".")


@pytest.mark.parametrize("name", table.COMMANDS)
def test_the_line_in_the_table_is_the_command_s_own(name: str) -> None:
    command = main.find(name)
    assert command.name == name
    assert help_line(command) == table.COMMANDS[name].help
    assert len(table.COMMANDS[name].help) <= 64  # one line of the overview at 80 columns


@pytest.mark.parametrize("name", table.COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_of_each_command(nowhere: Place, name: str, option: str) -> None:
    asked = nowhere.python("-m", "gitledger", name, option)
    told = nowhere.python("-m", "gitledger", "help", name)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout.startswith(f"Usage: git ledger {name}")
    assert told.stdout == asked.stdout


def test_the_overview_lists_every_command_and_loads_none(nowhere: Place) -> None:
    seen = (
        "import sys; from gitledger.cli.main import run; run(['-h']);"
        "print(sorted(m for m in sys.modules if m.startswith('gitledger.cli')), file=sys.stderr)"
    )
    done = nowhere.python("-c", seen)
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert set(table.COMMANDS) <= set(listed)
    frame = "'gitledger.cli', 'gitledger.cli.failures', 'gitledger.cli.main'"
    rest = "'gitledger.cli.options', 'gitledger.cli.table', 'gitledger.cli.text'"
    assert done.stderr == f"[{frame}, {rest}]\n"


def test_nothing_heavy_is_imported_for_the_overview(nowhere: Place) -> None:
    code = "import sys; from gitledger.cli.main import run; run(['help']); print(*sys.modules, file=sys.stderr)"
    loaded = set(nowhere.python("-c", code).stderr.split())
    assert loaded & HEAVY == set()


BAD_USAGE = [
    (["hlep"], "error: no such command 'hlep'\nhint: did you mean 'help'?\n"),
    (["xyzzy"], "error: no such command 'xyzzy'\nhint: 'git ledger help' lists them all\n"),
    (["help", "xyzzy"], "error: no such command 'xyzzy'\nhint: 'git ledger help' lists them all\n"),
    (["help", "help", "x"], "error: 'git ledger help' has no commands of its own\n"),
    (["--verison"], "error: no such option '--verison'\nhint: did you mean '--version'?\n"),
    (["--nope"], "error: no such option '--nope'\nhint: 'git ledger -h' shows its usage\n"),
    (
        ["help", "--nope"],
        "error: no such option '--nope'\nhint: 'git ledger help -h' shows its usage\n",
    ),
    (
        ["--color", "x"],
        """error: invalid value for '--color': 'x' is not one of 'auto', 'always', 'never'
hint: 'git ledger -h' shows its usage
""",
    ),
]


@pytest.mark.parametrize(("words", "told"), BAD_USAGE, ids=lambda given: " ".join(given)[:30])
def test_bad_usage_is_exit_2(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert main.run(words) == 2
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize("words", [[], ["session"]], ids=str)
def test_without_a_command_there_is_help_and_exit_2(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main.run([*words, "-h"]) == 0
    help_text = capsys.readouterr().out
    assert main.run(words) == 2
    assert capsys.readouterr() == ("", help_text)


def test_minus_c_to_nowhere(nowhere: Place) -> None:
    done = nowhere.ledger("-C", "gone", "help")
    assert done.returncode == 128
    assert done.stderr == "error: cannot change to 'gone': no such file or directory\n"


WAYS_TO_END = [
    (LedgerError("no such agent 'x'", "look"), 2, "error: no such agent 'x'\nhint: look\n"),
    (Found("2 conflicts"), 1, "error: 2 conflicts\n"),
    (Undecided("no merge base"), 3, "error: no merge base\n"),
    (Refused("dirty"), 4, "error: dirty\n"),
    (NotUsable("not a git repository: '/'"), 128, "error: not a git repository: '/'\n"),
    (Contended("cannot write"), 128, "error: cannot write\n"),
    (LedgerError("bad id 'a\nb\x1b[2J'"), 2, "error: bad id 'a\\nb\\x1b[2J'\n"),
    (
        PermissionError(13, "Permission denied", "/x"),
        128,
        "error: cannot use '/x': permission denied\n",
    ),
    (KeyboardInterrupt(), 130, ""),
    (SystemExit(3), 3, ""),
]


def raising(error: BaseException) -> click.Command:
    def fail(title: str | None) -> None:
        raise error

    title = click.Argument(["title"], required=False)

    return click.Command("fail", callback=fail, params=[title])


@pytest.mark.parametrize(("error", "code", "told"), WAYS_TO_END, ids=lambda given: repr(given)[:40])
def test_how_a_command_may_end(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    told: str,
) -> None:
    monkeypatch.setattr(main, "load", lambda _: raising(error))
    assert main.run(["fail"]) == code
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize("inside", [True, False], ids=["in a repository", "outside of one"])
def test_a_bug_is_one_line_and_a_report(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    repo: Place,
    nowhere: Place,
    inside: bool,
) -> None:
    monkeypatch.chdir(repo.path if inside else nowhere.path)
    monkeypatch.setenv("TMPDIR", str(nowhere.path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("SOME_TOKEN", "hunter2hunter2")
    monkeypatch.setattr(main, "load", lambda _: raising(RuntimeError("at hunter2hunter2")))
    assert main.run(["burst", "a private title"]) == 70
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("error: a bug in git ledger (RuntimeError); the report is in '")
    assert told.err.count("\n") == 1
    path = told.err.split("'")[1]
    home = repo.path / ".git" / "ledger" / "reports" if inside else nowhere.path
    assert os.path.dirname(path) == str(home)
    with open(path, encoding="utf-8") as file:
        report = file.read()
    assert report.startswith("command: -\ngit-ledger: ")
    assert "RuntimeError: at ***\n" in report
    assert "private title" not in report


def test_what_a_report_leaves_out() -> None:
    environment = {"HOME": "/home/me", "API_KEY": "abcdefgh", "MY_SECRET": "abc", "PAGER": "less"}
    content = "/home/me/x abcdefgh abc less https://u:p@host/r"
    assert without_secrets(content, environment) == "~/x *** abc less https://***@host/r"


def test_a_closed_pipe_is_quiet(nowhere: Place) -> None:
    code = (
        "import sys; from gitledger.cli import main, render; import click;"
        "main.load = lambda name: click.Command(name, callback=lambda: [render.put('x' * 99) for _ in range(9999)]);"
        "sys.exit(main.run(['many']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**nowhere.env, "PYTHONPATH": str(ROOT)},
        cwd=nowhere.path,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 141


OUTPUTS = [
    (">/dev/full", 128, "error: cannot go on: no space left on device\n"),
    (">&-", 0, ""),
    ("2>&-", 0, ""),
    (">&- 2>&-", 0, ""),
    ("</dev/null >/dev/null", 0, ""),
]


@pytest.mark.parametrize(("where", "code", "told"), OUTPUTS, ids=str)
def test_output_that_goes_nowhere(nowhere: Place, where: str, code: int, told: str) -> None:
    done = nowhere.run("sh", "-c", f"git ledger help {where}")
    assert (done.returncode, done.stderr) == (code, told)


def test_a_full_disk_outranks_what_a_check_has_found(repo: Place) -> None:
    assert repo.ledger("doctor").returncode == 1
    done = repo.run("sh", "-c", "git ledger doctor >/dev/full")
    full = "error: cannot go on: no space left on device\n"
    assert (done.returncode, done.stderr) == (128, full)


def test_bytes_that_are_no_text_come_out_as_they_went_in(nowhere: Place) -> None:
    done = nowhere.run(b"git", b"ledger", b"caf\xe9\xff")
    assert done.stderr.startswith("error: no such command 'caf\udce9\udcff'\n")


def test_version(nowhere: Place) -> None:
    from gitledger import __version__

    done = nowhere.ledger("--version")
    assert (done.returncode, done.stdout) == (0, f"git ledger {__version__}\n")


@click.command("painted")
def painted() -> None:
    render.put(terminal.paint("red", "red"))


COLORS = {
    "painted": "red\n",
    "--color always painted": "\x1b[31mred\x1b[m\n",
    "painted --color always": "\x1b[31mred\x1b[m\n",
    "--color always painted --color never": "red\n",
    "--color auto painted": "red\n",
}


@pytest.mark.parametrize("line", COLORS)
def test_color_may_be_asked_for_before_or_after_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    monkeypatch.setitem(table.COMMANDS, "painted", table.Entry(f"{__name__}:painted", ""))
    assert main.run(line.split()) == 0
    assert capsys.readouterr() == (COLORS[line], "")


TERMINAL = """
import pty, sys
sys.exit(pty.spawn([sys.executable, *sys.argv[1:]]) >> 8)
"""
ON_A_TERMINAL = [
    ({}, "\x1b[31mred\x1b[m\r\n"),
    ({"NO_COLOR": "1"}, "red\r\n"),
    ({"TERM": "dumb"}, "red\r\n"),
    ({"GIT_CONFIG_KEY_0": "color.ui", "GIT_CONFIG_VALUE_0": "false"}, "red\r\n"),
    ({"GIT_CONFIG_KEY_0": "color.ledger", "GIT_CONFIG_VALUE_0": "never"}, "red\r\n"),
    ({"GIT_CONFIG_KEY_0": "color.ledger", "GIT_CONFIG_VALUE_0": "auto"}, "\x1b[31mred\x1b[m\r\n"),
]


@pytest.mark.parametrize(("env", "shown"), ON_A_TERMINAL, ids=str)
def test_color_on_a_terminal(nowhere: Place, env: dict[str, str], shown: str) -> None:
    code = "from gitledger.cli import terminal; print(terminal.paint('red', 'red'))"
    count = {"GIT_CONFIG_COUNT": "1"} if "GIT_CONFIG_KEY_0" in env else {}
    seen = {"PYTHONPATH": str(ROOT), "TERM": "xterm", **count, **env}
    done = nowhere.run(sys.executable, "-c", TERMINAL, "-c", code, env=seen)
    assert (done.stdout.replace("^D\b\b", ""), done.returncode) == (shown.replace("\r\n", "\n"), 0)


def test_the_pager_that_git_starts_gets_colour(nowhere: Place) -> None:
    code = "from gitledger.cli import terminal; print(terminal.paint('red', 'red'))"
    env = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "GIT_PAGER_IN_USE": "true"}
    assert nowhere.run(sys.executable, "-c", code, env=env).stdout == "\x1b[31mred\x1b[m\n"
