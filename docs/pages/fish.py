"""Completion for fish: of `git-ledger`, and through git's own of `git ledger`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docs.pages.shape import Option, Shape

_HEAD = r"""# fish completion of `git ledger`, for conf.d: fish 3.6.0 looks for that of the commands
# that git finds on PATH under a wrong name, so this file tells git's own completion.
# Written by `python -m docs.pages` from the commands; changes here are lost.

function __fish_git_ledger_agents
    for ref in (git for-each-ref --format='%(refname:lstrip=3)' 'refs/ledger/agents/*/log' 2>/dev/null)
        # After %h comes a hash: the id can't be told from it.
        string match -q '*%h*' -- $ref
        or string replace -r '/log$' '' -- $ref | string unescape --style=url
    end
end

function __fish_git_ledger_refs
    git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null
end

# Whether the words before the cursor are that command, options aside.
function __fish_git_ledger_at
    set -l path
    for word in (commandline -opc)[2..]
        set -l longer (string join ' ' -- $path $word)
        contains -- $longer $__fish_git_ledger_known
        and set path $longer
    end
    test "$path" = "$argv[1]"
end

function __fish_git_ledger_through_git
    set -l words (commandline -opc)
    set -l place (contains -i -- ledger $words)
    or return
    set -l after (string escape -- $words[(math $place + 1)..])
    complete -C "git-ledger $after "(commandline -ct)
end

complete -c git -f -n '__fish_git_using_command ledger' -a '(__fish_git_ledger_through_git)'
"""
_VALUES = {
    "agents": "-x -a '(__fish_git_ledger_agents)'",
    "refs": "-x -a '(__fish_git_ledger_refs)'",
    "files": "-r -F",
    "": "-x",
}
_ARGUMENTS = {
    "agents": "-a '(__fish_git_ledger_agents)'",
    "refs": "-a '(__fish_git_ledger_refs)'",
    "files": "-F",
}


def page(shapes: list[Shape]) -> str:
    """The whole file."""
    known = " ".join(_quoted(one.name) for one in shapes if one.path)
    lines = [f"set -g __fish_git_ledger_known {known}", "complete -c git-ledger -f"]
    for shape in shapes:
        lines += _command(shape, shapes)
    return _HEAD + "\n".join(lines) + "\n"


def _command(shape: Shape, shapes: list[Shape]) -> Iterable[str]:
    here = f"complete -c git-ledger -n {_quoted(f'__fish_git_ledger_at {_quoted(shape.name)}')}"
    for child in shapes:
        if child.path and child.path[:-1] == shape.path:
            yield f"{here} -a {child.path[-1]} -d {_quoted(child.summary)}"
    for option in shape.options:
        yield f"{here} {_option(option)}"
    words = _arguments(shape, shapes)
    if words:
        yield f"{here} {words}"


def _arguments(shape: Shape, shapes: list[Shape]) -> str:
    if shape.arguments == "commands":
        return f"-a {_quoted(' '.join(shapes[0].children))}"
    if shape.arguments and shape.arguments not in _ARGUMENTS:
        return f"-a {_quoted(shape.arguments)}"
    return _ARGUMENTS.get(shape.arguments, "")


def _option(option: Option) -> str:
    names = [
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    ]
    value = ""
    if option.metavar:
        value = " " + _VALUES.get(option.values, f"-x -a {_quoted(option.values)}")
    return f"{' '.join(names)}{value} -d {_quoted(' '.join(option.help.split()))}"


def _quoted(words: str) -> str:
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"
