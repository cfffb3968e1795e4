"""The shell text that carries our hooks, and the bytes of a hook without it. Pure.

Three forms, by what stands in a hook's place:

- nothing: a file that is all ours (`alone`);
- a shell script: a block of ours after its first line (`with_block`). The script
  stays where it is, so `$0`, its siblings and its manager's marks hold, its manager
  still knows it as its own, and later edits of it survive `without_block`;
- anything else (another interpreter, a binary, a link, a file that is not
  executable): it moves to KEPT beside it and a file of ours hands over to it (`handing_over`).

With core.hooksPath, `passing_on` runs what stands in the directory that git would have used.
"""

from __future__ import annotations

import re

RECORDERS = ("post-checkout", "post-commit", "post-merge", "post-rewrite")
TRAILER = ("commit-msg",)  # only where ledger.trailer is on
GATES = ("pre-commit", "pre-merge-commit", "pre-push")
EVERY = RECORDERS + TRAILER + GATES
READ_STDIN = frozenset({"post-rewrite", "pre-push"})
KEPT = "git-ledger.kept"

MARK = b"# git-ledger hook, made by 'git ledger init', taken out by 'git ledger deinit'\n"
OPEN = b"# >>> git-ledger hook, put in by 'git ledger init', taken out by 'git ledger deinit'\n"
CLOSE = b"# <<< git-ledger hook\n"
BESIDE_HOOKS = '"${0%/*}"/../ledger/hooks'  # from <common dir>/hooks
BESIDE_CHAIN = '"${0%/*}"/../../hooks'  # from <common dir>/ledger/chain/<whose>
_ESCAPES = ("utf-8", "surrogateescape")
_BLOCK = re.compile(re.escape(OPEN) + rb".*?" + re.escape(CLOSE), re.DOTALL)
_SHELL = re.compile(rb"#![ \t]*(/\S*/)?(env[ \t]+)?(sh|dash|ash|bash|ksh)([ \t]+-[a-z]+)*[ \t]*\n")


def is_alone(content: bytes) -> bool:
    """Whether a hook file is wholly ours."""
    return content.startswith(b"#!/bin/sh\n" + MARK)


def has_block(content: bytes) -> bool:
    return _BLOCK.search(content) is not None


def hands_over(content: bytes) -> bool:
    """Whether a file of ours goes on to a hook that was kept aside."""
    return is_alone(content) and f"/{KEPT}/".encode() in content


def takes_block(content: bytes) -> bool:
    """Whether a hook is a shell script that lines can be put into, after its first."""
    return _SHELL.match(content) is not None


def with_block(content: bytes, hook: str) -> bytes:
    """The script with our block after its first line. Needs `takes_block`."""
    end = content.index(b"\n") + 1
    return content[:end] + OPEN + _call(hook, BESIDE_HOOKS) + CLOSE + content[end:]


def without_block(content: bytes) -> bytes:
    return _BLOCK.sub(b"", content)


def alone(hook: str) -> bytes:
    """A hook where there was none. It has git's input to itself."""
    return _file(f"{_step(hook, BESIDE_HOOKS)}\n".encode())


def handing_over(hook: str) -> bytes:
    """Ours, then the kept hook with the same arguments, input and exit status."""
    return _file(_call(hook, BESIDE_HOOKS) + _go_on(f'"${{0%/*}}/{KEPT}/{hook}"'))


def passing_on(hook: str, directory: str, *, ours: bool) -> bytes:
    """Ours if wanted, then the hook of that name in `directory`.

    A relative directory counts from where git runs hooks, as core.hooksPath does.
    """
    call = _call(hook, BESIDE_CHAIN) if ours else b""
    path = quoted(f"{directory.rstrip('/')}/{hook}")
    if hook == "post-checkout" and not directory.startswith("/"):
        return _file(call + _IN_MAIN.format(path=path).encode(*_ESCAPES) + _go_on('"$hook"'))
    return _file(call + _go_on(path))


def configured(hook: str, directory: str) -> str:
    """`hook.<name>.command` of git >= 2.54, which puts `"$@"` at the end of it itself."""
    return f"git_ledger() {{ {_step(hook, quoted(directory))}; }}; git_ledger"


def quoted(words: str) -> str:
    """One word for sh, whatever is in it."""
    return "'" + words.replace("'", "'\\''") + "'"


def _program(hook: str, directory: str) -> tuple[str, ...]:
    """The words that start ours: a recorder by its name, every gate by one program."""
    if hook not in GATES:
        return (f"{directory}/{hook}",)
    return (f"{directory}/gate", hook)


def _file(body: bytes) -> bytes:
    return b"#!/bin/sh\n" + MARK + body


def _step(hook: str, directory: str, before: str = "", after: str = "") -> str:
    """Ours as one command of a script: a recorder can't fail it, a gate may stop it."""
    program = _program(hook, directory)
    end = "|| exit $?" if hook in GATES else ">/dev/null 2>&1 || :"
    return f'[ ! -x {program[0]} ] || {before}{" ".join(program)} "$@" {after}{end}'


def _call(hook: str, directory: str) -> bytes:
    """Ours before somebody else's, who gets git's input too."""
    if hook not in READ_STDIN:
        return f"{_step(hook, directory, after='</dev/null ')}\n".encode()
    return _READ_TWICE.format(step=_step(hook, directory, before=_AGAIN)).encode()


# Both get the whole input; a here-document needs no temporary file of ours.
_AGAIN = """{ [ -z "$git_ledger" ] || printf '%s\\n' "$git_ledger"; } | """
_READ_TWICE = """\
git_ledger=$(cat)
{step}
if [ -n "$git_ledger" ]; then exec <<GIT_LEDGER
$git_ledger
GIT_LEDGER
else exec </dev/null; fi
unset git_ledger
"""


# `git worktree add` runs the hook of the worktree that it is called in, and nearly
# always that is the main one; the new one may have no such directory yet.
_IN_MAIN = """\
hook={path}
case $1 in *[!0]*) ;; *)
  [ -x "$hook" ] || hook=$(git worktree list --porcelain | sed -n '1s/^worktree //p')/$hook ;;
esac
"""


def _go_on(path: str) -> bytes:
    """Hand over to a hook as git would: one that is not executable is no hook."""
    return f'[ ! -x {path} ] || exec {path} "$@"\n'.encode(*_ESCAPES)
