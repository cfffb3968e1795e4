"""What a hook file is: whose, whether it can start, and whether it leads to ours."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass

from gitledger.services import install_text as shell
from gitledger.services.install_files import standing

MANAGERS = {
    b"https://pre-commit.com": "pre-commit",
    b"https://github.com/j178/prek": "prek",
    b"call_lefthook": "lefthook",
    b"SKIP_SIMPLE_GIT_HOOKS": "simple-git-hooks",
    b'. "$(dirname "$0")/h"': "husky",
    b"git lfs ": "git-lfs",
}
FRAMEWORKS = {"pre-commit", "prek"}
_BAKED = {"pre-commit": rb"^INSTALL_PYTHON=(\S+)$", "prek": rb'^PREK="?([^"\n]+)"?$'}


@dataclass(frozen=True)
class HookFile:
    """A hook that git would start. `made_by` is a manager's name, or None."""

    path: str
    content: bytes

    @property
    def is_ours(self) -> bool:
        return shell.is_alone(self.content) or shell.has_block(self.content)

    @property
    def made_by(self) -> str | None:
        found = (name for mark, name in MANAGERS.items() if mark in self.content)
        return next(found, None)

    @property
    def leads_to_ours(self) -> bool:
        """Ours itself, or a framework's that runs what it moved aside, if that is ours."""
        if self.is_ours:
            return True
        aside = start_of(f"{self.path}.legacy") if self.made_by in FRAMEWORKS else None
        return aside is not None and aside.is_ours

    @property
    def missing_program(self) -> str | None:
        """What this hook needs to start and is not there, None where all is."""
        interpreter = re.match(rb"#![ \t]*(\S+)(?:[ \t]+(\S+))?", self.content)
        if interpreter is None:
            return None
        path, word = (os.fsdecode(part or b"") for part in interpreter.groups())
        if not os.access(path, os.X_OK):
            return path
        if os.path.basename(path) == "env" and not word.startswith("-") and not shutil.which(word):
            return word
        return self._missing_manager()

    def _missing_manager(self) -> str | None:
        name = self.made_by or ""
        baked = re.search(_BAKED[name], self.content, re.MULTILINE) if name in _BAKED else None
        if baked is None or shutil.which(name) is not None:
            return None
        path = os.fsdecode(baked[1])
        return None if os.access(path, os.X_OK) else path


def start_of(path: str) -> HookFile | None:
    """The hook at a path, through links; None where git would start nothing."""
    if not os.access(path, os.X_OK) or not os.path.isfile(path):
        return None
    found = standing(os.path.realpath(path))
    return HookFile(path, found.content) if found else None
