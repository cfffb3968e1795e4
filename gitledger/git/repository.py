"""Where the repository is and how it is configured. git is asked, never guessed."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gitledger.errors import NotUsable
from gitledger.git.process import Git, text
from gitledger.model.names import MAIN_WORKTREE

if TYPE_CHECKING:
    from collections.abc import Mapping

# No remote is asked for missing objects. git before 2.45 does not know the first name;
# there the fetch that it starts is allowed no way out.
NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
_SHARED = ("objects", "worktrees", "info/attributes")  # paths asked for along the way


@dataclass(frozen=True)
class Repository:
    """One repository, seen from one of its worktrees.

    `work_tree` is None in a bare repository and inside a git dir. `worktree` is
    git's own name for this one in refs: `main-worktree` or `worktrees/<id>`.
    `hash_name` is `sha1` or `sha256`. `environment` is for every git process of this one;
    `shared` are paths that git has named already, the same from every worktree.
    """

    git_dir: str
    common_dir: str
    work_tree: str | None
    bare: bool
    hash_name: str
    environment: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    shared: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def git(self) -> Git:
        return Git(self.work_tree or self.git_dir, self.git_dir, self.environment)

    @property
    def linked(self) -> bool:
        return self.git_dir != self.common_dir

    @property
    def worktree(self) -> str:
        if not self.linked:
            return MAIN_WORKTREE
        return f"worktrees/{os.path.basename(self.git_dir)}"

    @property
    def zero(self) -> str:
        """The all-zero id in this repository's length: a ref that does not exist."""
        return "0" * (64 if self.hash_name == "sha256" else 40)

    def path(self, name: str) -> str:
        """`git rev-parse --git-path NAME`, absolute."""
        if name in self.shared:
            return self.shared[name]
        found = self.git.run("rev-parse", "--path-format=absolute", "--git-path", name)
        return found.line

    def without_fetching(self) -> Repository:
        """The same; missing objects of a partial clone stay missing."""
        found = replace(self, environment={**self.environment, **NO_FETCH})
        found.__dict__["config"] = self.config  # read already, and the same
        return found

    def impartial(self) -> Repository:
        """The same, configured as its common dir is: nothing of this worktree's own."""
        if not self.linked or self.config.get("extensions.worktreeconfig", "false") == "false":
            return self
        found = replace(self)
        common = Git(self.common_dir, self.common_dir, self.environment)
        found.__dict__["config"] = Config.of(common)
        return found

    @cached_property
    def config(self) -> Config:
        return Config.of(self.git)


class Config(NamedTuple):
    """All of git's configuration, read in one process. Keys as git prints them."""

    values: dict[str, list[str]]

    @classmethod
    def of(cls, git: Git, scope: str | None = None) -> Config:
        """Everything that holds here, or what one scope says (`--local`, `--worktree`)."""
        values: dict[str, list[str]] = {}
        words = ("config", *([scope] if scope else []), "--list", "-z")
        may_be_missing = scope == "--worktree"  # then its file is, and git exits with 128
        for record in git.run(*words, ok=(0, 128) if may_be_missing else (0,)).records:
            name, _, value = text(record).partition("\n")
            values.setdefault(name, []).append(value if b"\n" in record else "true")
        return cls(values)

    def get(self, name: str, default: str | None = None) -> str | None:
        """The last value of `section.key`; section and key in any case."""
        found = self.values.get(_folded(name))
        return found[-1] if found else default

    def all(self, name: str) -> list[str]:
        return self.values.get(_folded(name), [])

    def flag(self, name: str, *, default: bool) -> bool:
        """A boolean as git reads one. Raises NotUsable for anything else."""
        value = self.get(name)
        if value is None:
            return default
        if value.lower() in {"true", "yes", "on", "1"}:
            return True
        if value.lower() in {"false", "no", "off", "0", ""}:
            return False
        raise NotUsable(f"bad boolean config value '{value}' for '{name}'")

    def number(self, name: str, default: int) -> int:
        """A plain integer. Raises NotUsable for anything else."""
        value = self.get(name)
        try:
            return default if value is None else int(value)
        except ValueError:
            raise NotUsable(f"bad numeric config value '{value}' for '{name}'") from None


def _folded(name: str) -> str:
    first, _, rest = name.partition(".")
    middle, _, last = rest.rpartition(".")
    return ".".join(part for part in (first.lower(), middle, last.lower()) if part)


def discover(directory: str | None = None) -> Repository:
    """The repository of a directory (default: the current one), as git finds it.

    Only here the caller's GIT_DIR and the like are honoured: a hook, or a user
    who sets them, means this repository. Raises NotUsable with git's own words.
    """
    where = directory or os.getcwd()
    words = ("--path-format=absolute", "--git-dir", "--git-common-dir", "--show-object-format")
    paths = [word for name in _SHARED for word in ("--git-path", name)]
    asked = ["git", "rev-parse", *words, "--is-bare-repository", *paths, "--show-toplevel"]
    env = dict(os.environ) if directory is None else Git(where).environment()
    env.pop("GIT_OBJECT_DIRECTORY", None)
    try:
        done = subprocess.run(
            asked,
            cwd=where,
            env={**env, "LC_ALL": "C"},
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise NotUsable(f"cannot run git in '{where}': {error.strerror}") from None
    answers = text(done.stdout).split("\n")[:-1]
    if len(answers) < 4 + len(_SHARED):  # what every repository answers
        raise _unusable(where, text(done.stderr))
    git_dir, common, hash_name, bare, *rest = answers
    named, top = rest[: len(_SHARED)], rest[len(_SHARED) :]
    return Repository(
        os.path.realpath(git_dir),
        os.path.realpath(common),
        top[0] if top else None,
        bare == "true",
        hash_name,
        shared=dict(zip(_SHARED, named, strict=True)),
    )


def _unusable(where: str, stderr: str) -> NotUsable:
    words = stderr.strip().removeprefix("fatal: ").splitlines() or ["git gave no answer"]
    if "not a git repository" in stderr:
        return NotUsable(
            f"not a git repository: '{where}'", "go to one, or make one with 'git init'"
        )
    if "unknown repository extension" in stderr:
        return NotUsable(
            f"unsupported by this git: {' '.join(word.strip() for word in words)}",
            "use a newer git: this repository needs an extension that yours does not know",
        )
    return NotUsable(words[0], " ".join(word.strip() for word in words[1:]) or None)
