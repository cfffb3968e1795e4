"""What to know beside a verdict, from what each side changed: pure."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from gitledger.model.candidates import above

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from gitledger.model.candidates import Touched
    from gitledger.model.verdict import Pair

_MOST = 3

LFS, LOCK, GENERATED = "lfs pointer", "lock file", "generated"
_LOCKS = {
    *("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"),
    *("bun.lockb", "deno.lock", "Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock"),
    *("Pipfile.lock", "Gemfile.lock", "composer.lock", "go.sum", "flake.lock", "mix.lock"),
    *("pubspec.lock", "Podfile.lock", "Package.resolved", "packages.lock.json"),
    *("gradle.lockfile", "conda-lock.yml", "pixi.lock", ".terraform.lock.hcl"),
}
_POINTER = b"version https://git-lfs.github.com/spec/"  # the LFS specification's first line
_HEAD = 2000  # bytes in which a generator signs
_SIGNS = (b"@generated", b"Code generated ", b"AUTO-GENERATED", b"DO NOT EDIT")
_ADVICE = {
    LFS: "both changed an LFS pointer: take one version whole",
    LOCK: "both changed a lock file: merge the rest and make it anew",
    GENERATED: "both changed a generated file: merge its source and make it anew",
}


class Notice(NamedTuple):
    """Something to know beside a verdict, with its evidence."""

    agent: str
    kind: str
    message: str
    paths: tuple[str, ...] = ()


def sort_of(path: str, contents: Iterable[bytes]) -> str | None:
    """Whether a conflicted file is one that nobody merges line by line."""
    texts = list(contents)
    if any(one.startswith(_POINTER) for one in texts):
        return LFS
    if path.rpartition("/")[2] in _LOCKS:
        return LOCK
    return GENERATED if any(sign in one[:_HEAD] for one in texts for sign in _SIGNS) else None


def about_sorts(pair: Pair, other: str) -> list[Notice]:
    """Of a pair that conflicts: its lock files, LFS pointers and generated files."""
    found = []
    for sort, advice in _ADVICE.items():
        paths = tuple(one.path for one in pair.paths if one.sort == sort)
        if paths:
            words = f"with {other}: {advice}: {_some(paths)}"
            found.append(Notice(pair.a, sort.replace(" ", "-"), words, paths))
    return found


def stale_base(agent: str, undone: Iterable[str], target: str) -> list[Notice]:
    """`undone`: files that the agent has as they were when it began, though the target moved on.

    It took the newer target in, and its old files on top of that.
    """
    paths = tuple(sorted(undone))
    words = f"undoes what {target} changed since it began: {_some(paths)}"
    return [Notice(agent, "stale-base", words, paths)] if paths else []


def below_removed(agent: str, own: Touched, theirs: Touched, who: str) -> list[Notice]:
    """Files that the agent adds below a directory that the other side removed.

    Each is counted from its own base. A directory that the agent makes itself was not
    there for it: on another base it may have been removed long ago, or not be made yet.
    """
    gone = (own.places_added_to & theirs.gone_directories) - own.added
    paths = tuple(sorted(k for k in own.added & own.files if not gone.isdisjoint(above(k))))
    words = f"adds files below a directory that {who} removed: {_some(paths)}"
    return [Notice(agent, "removed-directory", words, paths)] if paths else []


ByFold = dict[str, dict[str, str]]  # folded name to the names, each with whose it is


def twins(
    created: Mapping[str, Iterable[str]], known: Iterable[tuple[Iterable[str], Iterable[str]]]
) -> list[Notice]:
    """Names that are one on some file systems: differing in case or Unicode form alone.

    `created`: agent to the files it adds. `known`: the files of each target, after the
    agents that are merged into it.
    """
    added = {agent: _with_above(paths) for agent, paths in created.items()}
    wanted = {folded(name) for names in added.values() for name in names}
    theirs = _alike(wanted, added)
    found = []
    for agents, paths in known:
        there = _alike(wanted, {"the target": _with_above(paths)})
        told = (_twin_notice(agent, added[agent], (there, theirs)) for agent in agents)
        found += [one for one in told if one]
    return found


def _alike(wanted: Container[str], owned: Mapping[str, Iterable[str]]) -> ByFold:
    """Of a large tree few names are like a new one. Of one name the first owner is told."""
    found: ByFold = {}
    for owner, names in owned.items():
        for name in names:
            fold = folded(name)
            if fold in wanted:
                found.setdefault(fold, {}).setdefault(name, owner)
    return found


def _twin_notice(agent: str, names: Iterable[str], known: Iterable[ByFold]) -> Notice | None:
    """In `known` the earlier one has the say."""
    seen: dict[tuple[str, str], str] = {}
    for there in known:
        for name in names:
            for other, who in there.get(folded(name), {}).items():
                if other != name:
                    seen.setdefault((name, other), who)
    if not seen:
        return None
    words = "; ".join(
        f"'{name}' and '{other}' of {who}" for (name, other), who in sorted(seen.items())[:_MOST]
    )
    paths = tuple(sorted({name for name, _ in seen}))
    return Notice(agent, "same-name", f"names that differ only in case or form: {words}", paths)


def _with_above(paths: Iterable[str]) -> dict[str, None]:
    """The paths and every directory above one, each once."""
    found: dict[str, None] = {}
    for path in paths:
        found[path] = None
        end = path.rfind("/", 0, len(path) - 1)
        while end > 0 and (name := path[: end + 1]) not in found:
            found[name] = None
            end = path.rfind("/", 0, end)
    return found


def folded(name: str) -> str:
    """What a file system that folds case and Unicode form makes of a name."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def _some(paths: Sequence[str]) -> str:
    shown = ", ".join(paths[:_MOST])
    return f"{shown} and {len(paths) - _MOST} more" if len(paths) > _MOST else shown
