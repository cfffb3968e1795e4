"""What both sides of each conflict changed in its files, as diffs.

Taken while the scratch store stands: uncommitted work is nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitledger.git.process import LITERAL, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitledger.git.repository import Repository
    from gitledger.model.verdict import Pair


@dataclass(frozen=True)
class Patches:
    """Where to take them from. `colour` is git's own word for it, as after `--color=`."""

    repo: Repository
    env: Mapping[str, str]
    colour: str

    def of(self, pair: Pair, a: str, b: str) -> tuple[str, str]:
        """From the merge base to each of the two commits, `a`'s first."""
        return self._one(pair, a), self._one(pair, b)

    def _one(self, pair: Pair, commit: str) -> str:
        if not pair.bases or not pair.names:
            return ""
        words = ("diff", f"--color={self.colour}", "--no-ext-diff", pair.bases[0], commit, "--")
        env = {**self.env, **LITERAL}
        done = self.repo.git.try_run(*words, *pair.names, env=env)
        if done.status:  # a content that may not be fetched, and that the verdict did not need
            return f"can't be told: {done.stderr.strip()}"
        return text(done.stdout).removesuffix("\n")
