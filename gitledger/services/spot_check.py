"""What an agent left behind: its summary, its commits, the files that it was to write.

Only what an agent of its kind leaves is looked for. Source: REQUIREMENTS section 4.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.contracts.handoff import read_summary
from gitledger.contracts.markdown import headings, section
from gitledger.contracts.registry import EXECUTOR
from gitledger.errors import LedgerError
from gitledger.git.objects import read_objects
from gitledger.git.process import text
from gitledger.services.handoff import missing_files

if TYPE_CHECKING:
    from gitledger.contracts.registry import Contract
    from gitledger.git.repository import Repository
    from gitledger.services.live import LiveAgent

PLANNING = ".planning"


@dataclass(frozen=True)
class Check:
    """One thing looked for. `words` say what was found, or what is missing."""

    name: str
    ok: bool
    words: str

    def document(self) -> dict[str, Any]:
        return {"check": self.name, "ok": self.ok, "detail": self.words}


@dataclass(frozen=True)
class _Place:
    """Where the agent's files are: its worktree, or its tip once that is gone."""

    repo: Repository
    directory: str | None
    tip: str

    def read(self, path: str) -> str | None:
        if self.directory is not None:
            try:
                with open(os.path.join(self.directory, path), "rb") as file:
                    return text(file.read())
            except OSError:
                return None
        found = read_objects(self.repo, [f"{self.tip}:{path}"])[0]
        return text(found.content) if found and found.kind == "blob" else None

    def below(self, directory: str) -> list[str]:
        """Every file below a directory, as paths from the top."""
        if self.directory is None:
            words = ("ls-tree", "-r", "-z", "--name-only", self.tip, "--", f"{directory}/")
            return [text(one) for one in self.repo.git.try_run(*words).records]
        root = os.path.join(self.directory, directory)
        found = [os.path.join(here, name) for here, _, names in os.walk(root) for name in names]
        return sorted(os.path.relpath(one, self.directory) for one in found)


def look(
    repo: Repository,
    one: LiveAgent,
    contract: Contract | None,
    output: str,
    summary: str | None = None,
) -> list[Check]:
    """What is there and what is not; nothing where an agent of this kind leaves nothing."""
    tree = one.worktree
    directory = tree.path if tree and tree.present and not tree.bare else None
    place = _Place(repo, directory, one.tip or "HEAD")
    agent = one.agent
    checks = _left(place, contract, output)
    executes = agent.role == EXECUTOR or (contract is None and bool(agent.phase and agent.plan))
    if executes or summary:
        checks += _summary(place, one, summary)
    if executes or (contract is None and one.worktree is not None):
        checks.append(_commits(repo, one))
    if (agent.files_declared and (contract is None or contract.leaves != "files")) or (
        contract is not None and contract.leaves == "files"
    ):
        checks.append(_files(place, agent.files_declared))
    return checks


def _commits(repo: Repository, one: LiveAgent) -> Check:
    began, tip = one.agent.spawn_commit, one.tip
    counted = repo.git.try_run("rev-list", "--count", f"{began}..{tip}") if began and tip else None
    count = int(counted.line) if counted and counted.status == 0 else 0
    return Check("commits-since-spawn", count > 0, f"{count} commits since the spawn")


def _files(place: _Place, declared: tuple[str, ...]) -> Check:
    missing = missing_files(place.repo, place.directory, declared, place.tip)
    if not declared:
        return Check("expected-files", False, "no files were declared")
    words = f"missing: {', '.join(missing)}" if missing else f"all {len(declared)} expected files"
    return Check("expected-files", not missing, words)


def _summary(place: _Place, one: LiveAgent, given: str | None) -> list[Check]:
    path = given or find_summary(place.below(PLANNING), one.agent.phase, one.agent.plan)
    content = _given(given) if given else place.read(path) if path else None
    if content is None or path is None:
        return [Check("summary-exists", False, "no SUMMARY.md")]
    return [Check("summary-exists", True, path), _self_check(content)]


def _given(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            return text(file.read())
    except OSError:
        return None


def _self_check(content: str) -> Check:
    try:
        said = read_summary(content).self_check
    except LedgerError:
        said = None
    return Check("self-check", said != "FAILED", f"the summary's self-check: {said or 'absent'}")


def find_summary(paths: list[str], phase: str | None, plan: str | None) -> str | None:
    """The SUMMARY.md of a phase and plan: `02-01-SUMMARY.md`, or in the phase's directory."""
    number = re.split(r"-", phase or "", maxsplit=1)[0]
    wanted = {f"{number}-{plan}-SUMMARY.md", f"{phase}-{plan}-SUMMARY.md"}
    local = {f"{plan}-SUMMARY.md", "SUMMARY.md"}
    for path in paths:
        directory, name = os.path.split(path)
        home = os.path.basename(directory)
        if name in wanted:
            return path
        if number and name in local and home.split("-")[0] == number:
            return path
    return None


def _left(place: _Place, contract: Contract | None, output: str) -> list[Check]:
    """What an agent without markers is judged by, files aside."""
    kind, _, what = (contract.leaves or "" if contract else "").partition(":")
    if kind == "section":
        found = [one for one in headings(output) if one.title == what]
        there = any(section(output, one).strip() for one in found)
        return [Check("section", there, f"{'' if there else 'no '}section '## {what}'")]
    if kind == "json":
        files = [one for one in place.below(what) if one.endswith(".json")]
        good = [one for one in files if _is_json(place.read(one) or "")]
        return [Check("json-files", bool(good), ", ".join(good) or f"no JSON below '{what}'")]
    if kind == "json-tags":
        there = _tagged_json(output)
        return [Check("tagged-json", there, f"{'' if there else 'no '}JSON in analysis tags")]
    return []


def _tagged_json(output: str) -> bool:
    tagged = re.findall(r"<(\w*analysis\w*)[^>]*>(.*?)</\1>", output, re.DOTALL)
    return any(_is_json(_without_fence(content)) for _, content in tagged)


def _without_fence(content: str) -> str:
    found = re.fullmatch(r"\s*```\w*\n(.*)\n```\s*", content, re.DOTALL)
    return found.group(1) if found else content


def _is_json(content: str) -> bool:
    try:
        return isinstance(json.loads(content), dict | list)
    except ValueError:
        return False
