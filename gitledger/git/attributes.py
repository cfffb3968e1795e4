"""Attributes of the side that is merged into, whatever directory the question is asked in.

merge-tree reads `.gitattributes` from the working tree that it happens to run in.
It is given one of its own, with the attribute files of that side and nothing else.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitledger.git.objects import read_objects, resolve
from gitledger.git.process import Git, data, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch

Files = tuple[tuple[str, str], ...]  # path and blob of each attribute file, sorted
PATTERN = ":(top,glob)**/.gitattributes"


def attribute_files(
    repo: Repository, commits: Sequence[str], env: Mapping[str, str]
) -> dict[str, Files]:
    """The attribute files of each commit. One process for all."""
    wanted = list(dict.fromkeys(commits))
    trees = resolve(repo, [f"{one}^{{tree}}" for one in wanted], env)
    known = {one: tree[0] for one, tree in zip(wanted, trees, strict=True) if tree}
    if not known:
        return {}
    empty = _empty_tree(repo, env)
    asked = "".join(f"{empty} {tree}\n" for tree in known.values()).encode()
    words = ("diff-tree", "--stdin", "-r", "-z", "--no-renames", "--", PATTERN)
    found = _by_tree(repo.git.run(*words, stdin=asked, env=env).stdout)
    return {one: found.get(tree, ()) for one, tree in known.items()}


def _empty_tree(repo: Repository, env: Mapping[str, str]) -> str:
    return repo.git.run("hash-object", "-t", "tree", "-w", "--stdin", env=env).line


def _by_tree(out: bytes) -> dict[str, Files]:
    """diff-tree's records: `<tree> <tree>` lines head those of a pair."""
    found: dict[str, list[tuple[str, str]]] = {}
    tree = ""
    fields = iter(out.split(b"\0"))
    for field in fields:
        head, newline, rest = field.partition(b"\n")
        if newline:
            tree, field = head.decode().split(" ")[1], rest  # noqa: PLW2901
            found.setdefault(tree, [])
        if field.startswith(b":"):
            blob = field.decode().split(" ")[3]
            found[tree].append((text(next(fields)), blob))
    return {one: tuple(sorted(files)) for one, files in found.items()}


def standing(repo: Repository, scratch: Scratch, files: Files, links: Mapping[str, str]) -> Git:
    """git in a scratch work tree with these attribute files.

    `links` are submodules that the real one has: path to git dir. With them git
    finds that one pointer is a fast-forward of the other, as the merge would.
    """
    root = scratch.path(f"tree-{abs(hash((files, tuple(sorted(links.items())))))}")
    if not os.path.isdir(root):
        os.makedirs(root)
        _write_all(root, _contents(repo, files))
        _write_all(root, [(f"{path}/.git", data(f"gitdir: {at}\n")) for path, at in links.items()])
    where = {"GIT_WORK_TREE": root, "GIT_INDEX_FILE": scratch.path("no-index")}
    return Git(root, repo.git_dir, {**scratch.env, **where})


def _contents(repo: Repository, files: Files) -> Iterable[tuple[str, bytes]]:
    blobs = read_objects(repo, [blob for _, blob in files])
    pairs = zip(files, blobs, strict=True)
    return [(path, blob.content) for (path, _), blob in pairs if blob]


def _write_all(root: str, files: Iterable[tuple[str, bytes]]) -> None:
    for path, content in files:
        whole = os.path.join(root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as file:
            file.write(content)


def without_drivers(repo: Repository) -> list[str]:
    """Options that put a plain three-way merge in the place of every configured driver."""
    names = [name for name in repo.config.values if _is_driver(name)]
    return [word for name in names for word in ("-c", f"{name}=git merge-file -q %A %O %B")]


def _is_driver(name: str) -> bool:
    return name.startswith("merge.") and name.endswith(".driver")
