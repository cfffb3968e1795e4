"""All that git's answer about two commits depends on beside the two commits."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from gitledger.git.process import data
from gitledger.git.refs import list_refs
from gitledger.git.versions import version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitledger.git.repository import Repository

_SECTIONS = ("merge.", "diff.", "core.", "filter.", "submodule.", "extensions.", "feature.")
_FORM = 6  # of the answers that are kept: another one is other conditions


def conditions(repo: Repository, *more: object) -> str:
    """A digest of them: git's version, replacements, configuration, attributes outside the tree."""
    whole = hashlib.sha256()
    for part in (_FORM, version(repo.git), *more, *_settings(repo), *replaced(repo)):
        whole.update(data(repr(part)))
    for content in outside_attributes(repo):
        whole.update(content + b"\0")
    return whole.hexdigest()[:32]


def _settings(repo: Repository) -> Iterable[object]:
    values = repo.config.values
    return [(name, values[name]) for name in sorted(values) if name.startswith(_SECTIONS)]


def replaced(repo: Repository) -> Iterable[object]:
    """Which object stands in for which."""
    return sorted(list_refs(repo, "refs/replace/").items())


def outside_attributes(repo: Repository) -> list[bytes]:
    """The contents of each place where git reads attributes that are in no tree, empty or not."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    own = repo.config.get("core.attributesfile") or os.path.join(home, "git", "attributes")
    whole = os.path.join(repo.work_tree or repo.git_dir, os.path.expanduser(own))
    places = (repo.path("info/attributes"), whole, "/etc/gitattributes")
    return [_content(one) for one in places]


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
