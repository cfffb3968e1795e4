"""Attributes of the side that is merged into, whatever directory the question is asked in.

merge-tree reads `.gitattributes` (and, for submodules, `.gitmodules`) from the working
tree that it happens to run in. It is given one of its own, with these files of that
side and nothing else.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.objects import read_objects
from gitledger.git.process import Git, data, text
from gitledger.git.workplace import check_out, is_driver, link_worktree
from gitledger.git.worktrees import at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.git.worktrees import Worktree
    from gitledger.model.candidates import Shape

Files = tuple[tuple[str, str], ...]  # path and blob of each such file, sorted
_PATTERNS = (":(top,glob)**/.gitattributes", ":(top,literal).gitmodules")
_WORDS = ("diff-tree", "--stdin", "-r", "-z", "--no-renames", "--always", "--")
_NAMES = {b".gitattributes", b".gitmodules"}
_WORDS_OF_MERGING = (b"merge", b"[diff", b"filter", b"attr", b"ignorecase", b"[include")
_LINK = "120000"  # git reads no attributes through a symbolic link


class Home(NamedTuple):
    """The worktree that a merge would be made in: its git dir, and where it is checked out.

    `programs`: it has to have what lies about there, since git may run some of it. Where
    nothing is checked out that is all of `commit`.
    """

    git_dir: str
    path: str | None = None
    programs: bool = False
    commit: str | None = None


def home_at(repo: Repository, tree: Worktree | None) -> Home | None:
    """A worktree as the place of a merge; None where nothing is checked out."""
    if tree is None or not tree.present or tree.bare:
        return None
    return Home(at(repo, tree).git_dir, tree.path)


class AttributeFiles:
    """The attribute files of commits, found as they differ from a reference commit's.

    `shapes` are commits as they are known to differ from it; of others git is asked.
    """

    def __init__(
        self,
        repo: Repository,
        reference: str,
        scratch: Scratch,
        shapes: Mapping[str, Shape | None] | None = None,
    ) -> None:
        self._repo = repo
        self._reference = reference
        self._scratch = scratch
        self._shapes = shapes or {}

    @cached_property
    def _whole(self) -> dict[str, str | None] | None:
        return _whole(self._repo, self._reference, self._scratch)

    def prepare(self) -> None:
        """Ask what is asked in any case."""
        _ = self._whole

    def of(self, commits: Iterable[str]) -> dict[str, Files]:
        """Those of each commit. One whose trees are missing has no entry."""
        whole = self._whole
        if whole is None:
            return {}
        wanted = dict.fromkeys(one for one in commits if one != self._reference)
        shaped = {one: shape for one in wanted if (shape := self._shapes.get(one))}
        rest = [f"{one} {self._reference}" for one in wanted if one not in shaped]
        changed = {one: _named(shape) for one, shape in shaped.items()}
        changed |= _changed(self._repo, rest, self._scratch) if rest else {}
        files = {one: {**whole, **changes} for one, changes in changed.items()}
        return {
            one: tuple(sorted(_there(known)))
            for one, known in [(self._reference, whole), *files.items()]
        }


def _whole(repo: Repository, commit: str, scratch: Scratch) -> dict[str, str | None] | None:
    done = repo.git.try_run("ls-tree", "-r", "-z", "--full-tree", commit, env=scratch.env)
    if done.status:
        return None
    found: dict[str, str | None] = {}
    for record in done.stdout.split(b"\0"):
        if record.endswith((b".gitattributes", b"\t.gitmodules")):
            meta, _, path = record.partition(b"\t")
            mode, _, blob = meta.decode().split(" ")
            if os.path.basename(path) in _NAMES and mode != _LINK:
                found[text(path)] = blob
    return found


def _named(shape: Shape) -> dict[str, str | None]:
    """What a commit has of these files that are otherwise in the reference."""
    return {
        path: state[1] if state and state[0] != _LINK else None
        for path, state in shape.states.items()
        if path.endswith(".gitattributes") or path == ".gitmodules"
        if os.path.basename(path) in {".gitattributes", ".gitmodules"}
    }


def _there(files: Mapping[str, str | None]) -> Iterable[tuple[str, str]]:
    return [(path, blob) for path, blob in files.items() if blob]


def _changed(
    repo: Repository, asked: Sequence[str], scratch: Scratch
) -> dict[str, dict[str, str | None]]:
    """Commit to what it has of the files that are otherwise in what it is compared with."""
    stdin = "".join(f"{line}\n" for line in asked).encode()
    done = repo.git.try_run(*_WORDS, *_PATTERNS, stdin=stdin, env=scratch.env)
    if done.status and len(asked) > 1:
        return {c: files for one in asked for c, files in _changed(repo, [one], scratch).items()}
    return _by_commit(done.stdout) if done.status == 0 else {}


def _by_commit(out: bytes) -> dict[str, dict[str, str | None]]:
    """diff-tree's records, those of each commit after its id."""
    found: dict[str, dict[str, str | None]] = {}
    files: dict[str, str | None] = {}
    fields = iter(out.split(b"\0")[:-1])
    for field in fields:
        if not field.startswith(b":"):
            files = found.setdefault(field.decode(), {})
            continue
        _, mode, _, blob, _ = field[1:].decode().split(" ")
        files[text(next(fields))] = blob if blob.strip("0") and mode != _LINK else None
    return found


def standing(
    repo: Repository, scratch: Scratch, files: Files, home: Home, links: Mapping[str, str]
) -> Git | None:
    """git in a scratch work tree with these files, as if in `home`; None where one is missing.

    `links` are submodules that are checked out there, path to git dir. With them git
    finds that one pointer is a fast-forward of the other, as the merge would.
    """
    lying = (home.path, home.commit) if home.programs else None
    known = repr((files, sorted(links.items()), lying))
    root = scratch.path(f"tree-{hashlib.sha256(data(known)).hexdigest()[:16]}")
    if not os.path.isdir(root):
        contents = _contents(repo, files, scratch)
        if contents is None:
            return None
        os.makedirs(root)
        contents += [(f"{path}/.git", data(f"gitdir: {at}\n")) for path, at in links.items()]
        write_all(root, contents)
        if home.programs and not _furnished(
            repo, root, home, [path for path, _ in contents], scratch
        ):
            return None
    where = {"GIT_WORK_TREE": root, "GIT_INDEX_FILE": scratch.path("no-index")}
    return Git(root, home.git_dir, {**repo.environment, **scratch.env, **where})


def _furnished(
    repo: Repository, root: str, home: Home, written: Sequence[str], scratch: Scratch
) -> bool:
    if home.path:
        link_worktree(root, home.path, written)
        return True
    return home.commit is None or check_out(repo, root, home.commit, scratch)


def _contents(repo: Repository, files: Files, scratch: Scratch) -> list[tuple[str, bytes]] | None:
    blobs = read_objects(repo, [blob for _, blob in files], scratch.env)
    found = [(path, blob.content) for (path, _), blob in zip(files, blobs, strict=True) if blob]
    return found if len(found) == len(files) else None


def write_all(root: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Files (path and content) below a directory, with the directories above them."""
    for path, content in files:
        whole = os.path.join(root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as file:
            file.write(content)


def submodules(home: Home) -> dict[str, str]:
    """The submodules checked out in a worktree: path to git dir."""
    if home.path is None:
        return {}
    words = ("ls-files", "-z", "--stage", "--full-name", ":/")
    found = {}
    for record in Git(home.path).try_run(*words).records:
        meta, _, name = text(record).partition("\t")
        place = os.path.join(home.path, name)
        if meta.startswith("160000") and os.path.exists(os.path.join(place, ".git")):
            asked = Git(place).try_run("rev-parse", "--absolute-git-dir")
            if asked.status == 0:
                found[name] = asked.line
    return found


def without_drivers(repo: Repository) -> list[str]:
    """Options that put a plain three-way merge in the place of every configured driver."""
    names = [name for name in repo.config.values if is_driver(name)]
    return [word for name in names for word in ("-c", f"{name}=git merge-file -q %A %O %B")]


def file_from_here(repo: Repository) -> str | None:
    """`core.attributesFile` where git looks for it from the top of the worktree."""
    named = repo.config.get("core.attributesfile")
    return named if named and not named.startswith(("/", "~", "%(prefix)/")) else None


def attributes_there(repo: Repository, home: Home | None) -> list[str]:
    """Options by which git finds that file from anywhere, as a merge in `home` does."""
    named = file_from_here(seen_from(repo, home))
    if home is None or named is None:
        return []
    return ["-c", f"core.attributesFile={os.path.join(home.path or home.git_dir, named)}"]


def seen_from(repo: Repository, home: Home | None) -> Repository:
    """The repository as a merge there is configured."""
    if home is None or not own_settings(repo, home):
        return repo
    return replace(repo, git_dir=home.git_dir, work_tree=home.path)


def own_settings(repo: Repository, home: Home) -> bool:
    """Whether a merge there may be configured otherwise than one in the common dir.

    A worktree has configuration of its own; or the main one has, which the others lack; or
    a file with attributes is looked for from where git stands.
    """
    if file_from_here(repo):
        return True
    if repo.config.get("extensions.worktreeconfig", "false") == "false":
        return False
    return _merges_otherwise(home.git_dir) or _merges_otherwise(repo.common_dir)


def _merges_otherwise(git_dir: str) -> bool:
    try:
        with open(os.path.join(git_dir, "config.worktree"), "rb") as file:
            content = file.read().lower()
    except OSError:
        return False
    return any(word in content for word in _WORDS_OF_MERGING)
