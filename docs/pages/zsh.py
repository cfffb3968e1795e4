"""Completion for zsh: a function that git's own completion finds and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docs.pages.shape import Option, Shape

_HEAD = """#compdef git-ledger
#description who works in which worktree, and which branches will collide
# zsh completion of `git ledger`, for a directory of $fpath: git's own calls it.
# Written by `python -m docs.pages` from the commands; changes here are lost.

(( $+functions[__git-ledger_agents] )) ||
__git-ledger_agents () {
  local -a found
  local ref
  for ref in ${(f)"$(_call_program agents git for-each-ref \\
      --format='%\\(refname:lstrip=3\\)' 'refs/ledger/agents/\\*/log' 2>/dev/null)"}; do
    ref=${ref%/log}
    [[ $ref == *%h* ]] && continue # a hash: the id can't be told from it
    found+=(${(g::)ref//\\%/\\\\x})
  done
  _wanted agents expl agent compadd -a found
}

(( $+functions[__git-ledger_refs] )) ||
__git-ledger_refs () {
  local -a found
  found=(${(f)"$(_call_program refs git for-each-ref \\
      --format='%\\(refname:short\\)' refs/heads refs/tags refs/remotes 2>/dev/null)"})
  _wanted refs expl 'branch, tag or commit' compadd -a found
}
"""
_ACTIONS = {
    "agents": "agent:__git-ledger_agents",
    "refs": "commit:__git-ledger_refs",
    "files": "file:_files",
    "commands": "command:__git-ledger_commands",
}


def page(shapes: list[Shape]) -> str:
    """The whole file."""
    functions = "\n".join(_group(one) if one.children else _command(one) for one in shapes)
    listing = _commands(shapes)
    return f'{_HEAD}\n{listing}\n{functions}\n_git-ledger "$@"\n'


def _commands(shapes: list[Shape]) -> str:
    """One function for each group that describes its commands."""
    return "\n".join(_described(group, shapes) for group in shapes if group.children)


def _described(group: Shape, shapes: list[Shape]) -> str:
    below = [one for one in shapes if one.path and one.path[:-1] == group.path]
    rows = "\n".join(f"    {_quoted(f'{one.path[-1]}:{one.summary}')}" for one in below)
    return f"""_{_function(group)}_commands () {{
  local -a commands
  commands=(
{rows}
  )
  _describe -t commands 'git ledger command' commands
}}
"""


def _group(shape: Shape) -> str:
    name = _function(shape)
    return f"""{name} () {{
  local curcontext=$curcontext state line ret=1
  declare -A opt_args
  _arguments -C -S {_lines(shape.options)} \\
    '1: :->command' '*:: :->arguments' && ret=0
  case $state in
    (command) _{name}_commands && ret=0 ;;
    (arguments)
      curcontext=${{curcontext%:*}}-$line[1]:
      _call_function ret {name}-$line[1] ;;
  esac
  return ret
}}
"""


def _command(shape: Shape) -> str:
    rest = f" \\\n    '*:{_ACTIONS[shape.arguments]}'" if shape.arguments in _ACTIONS else ""
    if shape.arguments and not rest:
        rest = f" \\\n    '*: :({shape.arguments})'"
    return f"{_function(shape)} () {{\n  _arguments -S {_lines(shape.options)}{rest}\n}}\n"


def _function(shape: Shape) -> str:
    return "-".join(("_git-ledger", *shape.path))


def _lines(options: Iterable[Option]) -> str:
    return " ".join(f"\\\n    {_spec(one)}" for one in options)


def _spec(option: Option) -> str:
    text = " ".join(option.help.split()).replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    value = _value(option) if option.metavar else ""
    endings = ["=" if option.metavar and flag.startswith("--") else "" for flag in option.flags]
    flags = [flag + end for flag, end in zip(option.flags, endings, strict=True)]
    described = _quoted(f"[{text}]{value}")
    if len(flags) == 1:
        return flags[0] + described
    return f"'({' '.join(option.flags)})'{{{','.join(flags)}}}{described}"


def _value(option: Option) -> str:
    if option.values in _ACTIONS:
        return f":{_ACTIONS[option.values]}"
    label = (option.metavar or "").strip("[]").lower().replace(":", "\\:")
    choices = f"({option.values})" if option.values else ""
    return f":{'value' if choices else label}:{choices}"


def _quoted(words: str) -> str:
    return "'" + words.replace("'", "'\\''") + "'"
