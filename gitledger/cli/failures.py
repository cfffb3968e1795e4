"""How a command ends when it does not end well: words on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from gitledger.cli.text import shown
from gitledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = 2
BUG = 70
UNUSABLE = 128
INTERRUPTED = 130
BROKEN_PIPE = 141


def exit_code(error: BaseException, words: Sequence[str]) -> int:
    """The exit code of what ended the run, after saying on stderr what there is to say."""
    try:
        code = _told(error, words)
        sys.stdout.flush()
    except BrokenPipeError:
        return _piped()
    except OSError as failed:
        return _told(failed, words)
    return code


def _told(error: BaseException, words: Sequence[str]) -> int:
    if isinstance(error, SystemExit | click.exceptions.Exit):
        return _asked_for(error)
    if isinstance(error, KeyboardInterrupt | click.exceptions.Abort):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return _piped()
    return _explained(error, words)


def _asked_for(error: SystemExit | click.exceptions.Exit) -> int:
    code = error.exit_code if isinstance(error, click.exceptions.Exit) else error.code
    return code if isinstance(code, int) else 0


def _explained(error: BaseException, words: Sequence[str]) -> int:
    match error:
        case LedgerError():
            say(error.message, error.hint)
            return error.exit_code
        case click.exceptions.NoArgsIsHelpError():
            sys.stderr.write(error.format_message() + "\n")
            return USAGE
        case click.exceptions.UsageError():
            say(*_usage(error))
            return USAGE
        case OSError():
            _close_output()
            what = f"use '{os.fsdecode(error.filename)}'" if error.filename else "go on"
            say(f"cannot {what}: {reason(error)}")
            return UNUSABLE
        case _:
            return _bug(error, words)


def say(message: str, hint: str | None = None) -> None:
    """`error: …` and `hint: …` on stderr, one line each whatever the words hold."""
    sys.stdout.flush()
    sys.stderr.write(f"error: {shown(message)}\n")
    if hint:
        sys.stderr.write(f"hint: {shown(hint)}\n")
    sys.stderr.flush()


def reason(error: OSError) -> str:
    """The system's words as the end of a sentence of ours."""
    return (error.strerror or type(error).__name__).lower()


def _usage(error: click.exceptions.UsageError) -> tuple[str, str]:
    """click's words as our errors are written: lower case, one line, no full stop."""
    path = error.ctx.command_path if error.ctx else "git ledger"
    hint = f"'{path} -h' shows its usage"
    if isinstance(error, click.exceptions.NoSuchOption):
        near = " or ".join(f"'{one}'" for one in sorted(error.possibilities or ())[:3])
        return f"no such option '{error.option_name}'", f"did you mean {near}?" if near else hint
    joined = " ".join(error.format_message().split()).removesuffix(".")
    return joined[:1].lower() + joined[1:], hint


def _piped() -> int:
    """The reader went away: be quiet, as git is."""
    _close_output()
    return BROKEN_PIPE


def _close_output() -> None:
    """What is still buffered goes nowhere, also when the interpreter flushes at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: BaseException, words: Sequence[str]) -> int:
    from gitledger.cli.report import write_report

    where = write_report(error, words)
    name = type(error).__name__
    say(f"a bug in git ledger ({name}); the report is in '{where}'")
    return BUG
