"""The page about an orchestration prints what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support import ROOT
from tests.walkthrough import played

if TYPE_CHECKING:
    from tests.support import Place


def test_the_page_is_so(repo: Place) -> None:
    page = (ROOT / "docs" / "ORCHESTRATION.md").read_text(encoding="utf-8")
    assert played(page, repo) == page
