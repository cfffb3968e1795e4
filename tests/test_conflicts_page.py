"""docs/CONFLICTS.md is what its commands print: every scene, played again; and none is missing."""

from __future__ import annotations

import re

from docs.pages.conflicts import PAGE, page
from docs.pages.scenes import KINDS, SCENES
from gitledger.model.verdict import CLEAN, CONFLICT, OVERLAP, UNKNOWN
from gitledger.model.warnings import GENERATED, LFS, LOCK
from tests.support import ROOT

WRITTEN = PAGE.read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"<!-- run: (\S+) -->\n(.*?)<!-- end -->", WRITTEN, re.DOTALL))


def in_code(words: str) -> set[str]:
    """What stands in backquotes at the beginning of the table rows of a section."""
    section = WRITTEN.split(f"\n## {words}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {one for row in rows for one in re.findall(r"`(.*?)`", row)}


def test_the_page_is_as_it_runs() -> None:
    assert page() == WRITTEN, "run python -m docs.pages.conflicts"
    assert sorted(BLOCKS) == sorted(one.name for one in SCENES)


def test_every_verdict_has_an_example() -> None:
    told = {line.split(" ")[0] for block in BLOCKS.values() for line in block.splitlines()}
    verdicts = {CLEAN, OVERLAP, CONFLICT, UNKNOWN}
    assert verdicts - told == set()
    assert in_code("Verdicts") == verdicts


def test_every_kind_of_git_has_an_example() -> None:
    rows = [re.split(r"  +", line.strip()) for b in BLOCKS.values() for line in b.splitlines()]
    told = {row[1] for row in rows if len(row) > 1}
    assert set(KINDS) - told == set()
    assert in_code("Kinds of conflict") == set(KINDS)


def test_every_warning_has_an_example() -> None:
    """Each by the name of its scene: in words only what it says is told."""
    sources = [path.read_text() for path in (ROOT / "gitledger").rglob("*.py")]
    made = {one for text in sources for one in re.findall(r'Notice\([^,"]+, "([\w-]+)"', text)}
    kinds = made | {one.replace(" ", "-") for one in (LFS, LOCK, GENERATED)}
    assert len(made) >= 5
    assert kinds - BLOCKS.keys() == set()
    assert [one for one in kinds if "\nnote: " not in BLOCKS[one]] == []
    assert in_code("Warnings") == kinds
