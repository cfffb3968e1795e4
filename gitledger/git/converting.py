"""Whether git would store files otherwise than they lie there: filters, `$Id$`, encodings.

Attributes say so. git reads those of the worktree that it stands in, so it is asked in a
scratch work tree with the same attribute files: one process for all worktrees that agree.
Source: gitattributes(5), "Checking-out and checking-in"; line ends are not asked about.
"""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.attributes import Home, own_settings, write_all
from gitledger.git.process import Git, data, text
from gitledger.git.trees import folders

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.trees import Trees

Files = dict[bytes, bytes | None]  # directory to its attribute file; None: it has none
_NAME = b".gitattributes"
_CONVERTING = ("filter", "ident", "working-tree-encoding")
_PLAIN = frozenset((b"unspecified", b"unset"))


class Place(NamedTuple):
    """A worktree that stands on `commit`: what is asked about, and all that its status names."""

    home: Repository
    commit: str
    asked: Collection[bytes]
    named: Collection[bytes]


def converts(
    repo: Repository, places: Mapping[int, Place], trees: Trees, scratch: Scratch
) -> dict[int, bool]:
    """Whether git would store some file that is asked about otherwise than byte for byte.

    Nothing is said of places where the index has a say. `trees` hold the directories of each
    commit above these files.
    """
    above = {n: _attributes_above(one, trees) for n, one in places.items()}
    known = {n: files for n, files in above.items() if files is not None}
    if _is_told_elsewhere(repo):
        return dict.fromkeys(known, True)
    agreeing = _agreeing(
        {n: one for n, one in known.items() if not own_settings(repo, Home(places[n].home.git_dir))}
    )
    plain = {
        number
        for files, numbers in agreeing
        for number in _plain_ones(repo, files, {n: places[n].asked for n in numbers}, scratch)
    }
    return {number: number not in plain for number in known}


def _agreeing(files: Mapping[int, Files]) -> list[tuple[Files, list[int]]]:
    """Places put together as long as none has another file than the rest in the same directory."""
    found: list[tuple[Files, list[int]]] = []
    for number, own in files.items():
        for common, numbers in found:
            if all(common.get(folder, one) == one for folder, one in own.items()):
                common.update(own)
                numbers.append(number)
                break
        else:
            found.append((dict(own), [number]))
    return found


def _is_told_elsewhere(repo: Repository) -> bool:
    """Whether attributes may be told in one place here and in another there."""
    values = repo.config.values
    if "GIT_ATTR_SOURCE" in os.environ or "attr.tree" in values:
        return True
    return any(one.startswith("includeif.") for one in values)


def _attributes_above(place: Place, trees: Trees) -> Files | None:
    """The attribute files above what is asked about; None where the index has a say.

    git takes the one in the index where none lies there.
    """
    found: Files = {}
    for folder in folders(place.asked):
        path = os.path.join(folder, _NAME)
        whole = os.path.join(data(place.home.git.directory), path)
        try:
            if not stat.S_ISREG(os.lstat(whole).st_mode):
                return None
            with open(whole, "rb") as file:
                found[folder] = file.read()
        except FileNotFoundError:
            if path in place.named or trees.has(place.commit, folder, _NAME):
                return None
            found[folder] = None
        except OSError:
            return None
    return found


def _plain_ones(
    repo: Repository,
    files: Files,
    asked: Mapping[int, Collection[bytes]],
    scratch: Scratch,
) -> Iterable[int]:
    paths = sorted({path for below in asked.values() for path in below})
    converted = _converted(repo, files, paths, scratch) if paths else set()
    if converted is None:
        return []
    return [number for number, below in asked.items() if converted.isdisjoint(below)]


def _converted(
    repo: Repository, files: Files, paths: Sequence[bytes], scratch: Scratch
) -> set[bytes] | None:
    """Those of the paths that one of the attributes is set for; None where git can't tell."""
    root = tempfile.mkdtemp(prefix="attributes-", dir=scratch.directory)
    write_all(
        root,
        [
            (text(os.path.join(folder, _NAME)), one)
            for folder, one in files.items()
            if one is not None
        ],
    )
    where = {"GIT_WORK_TREE": root, "GIT_INDEX_FILE": scratch.path("no-index")}
    git = Git(root, repo.common_dir, {**repo.environment, **where})
    stdin = b"".join(path + b"\0" for path in paths)
    done = git.try_run("check-attr", "-z", "--stdin", *_CONVERTING, stdin=stdin)
    told = done.records
    if done.status or len(told) != 3 * len(paths) * len(_CONVERTING):
        return None
    return {path for path, value in zip(told[::3], told[2::3], strict=True) if value not in _PLAIN}
