"""git-ledger(1), in the man macros that every man program reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docs.pages.words import AFTER, BEFORE, NAME
from gitledger import __version__

if TYPE_CHECKING:
    from docs.pages.shape import Option, Shape


def page(shapes: list[Shape]) -> str:
    """The whole page."""
    head = f'.TH GIT\\-LEDGER 1 "" "git\\-ledger {__version__}" "Git Ledger Manual"'
    root, *commands = shapes
    parts = [
        head,
        ".SH NAME",
        escaped(NAME),
        ".SH SYNOPSIS",
        _bold(root.usage),
        _prose(BEFORE),
        ".SH OPTIONS",
        *map(_option, root.options),
        ".SH COMMANDS",
        *map(_command, commands),
        _prose(AFTER),
    ]
    return "\n".join(parts) + "\n"


def escaped(words: str) -> str:
    r"""Text that roff shows as it is: `\`, `-`, `'` and a `.` in front mean nothing to it."""
    plain = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{plain}" if plain.startswith(".") else plain


def _marked(words: str) -> str:
    """Escaped, with what stands between backticks in bold."""
    return re.sub(r"`([^`]+)`", r"\\fB\1\\fP", escaped(words))


def _bold(words: str) -> str:
    return f".B {escaped(words)}"


def _command(shape: Shape) -> str:
    lines = [f'.SS "{escaped(shape.usage)}"', _paragraphs(shape.description)]
    lines += [_option(one) for one in shape.options if "--help" not in one.flags]
    return "\n".join(lines)


def _option(option: Option) -> str:
    flags = ", ".join(f"\\fB{escaped(flag)}\\fP" for flag in option.flags)
    value = f" \\fI{escaped(option.metavar)}\\fP" if option.metavar else ""
    return f".TP\n{flags}{value}\n{_marked(' '.join(option.help.split()))}"


def _paragraphs(text: str) -> str:
    r"""click's help: paragraphs are joined, one after `\b` stays as it is."""
    return "\n.PP\n".join(_paragraph(one) for one in re.split(r"\n\s*\n", text))


def _paragraph(text: str) -> str:
    if text.startswith("\b"):
        kept = "\n".join(escaped(line) for line in text.splitlines()[1:])
        return f".nf\n{kept}\n.fi"
    return _marked(" ".join(text.split()))


def _prose(text: str) -> str:
    """Our own sections: `# HEADING`, paragraphs, `term: meaning` lines after `:`."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n".join(_block(block) for block in blocks)


def _block(block: str) -> str:
    if block.startswith("# "):
        return f".SH {escaped(block[2:])}"
    if block.startswith(": "):
        entries = [line[2:].partition(" = ") for line in block.splitlines()]
        return "\n".join(f".TP\n\\fB{escaped(a)}\\fP\n{_marked(b)}" for a, _, b in entries)
    return f".PP\n{_marked(' '.join(block.split()))}"
