"""docs/CONFLICTS.md is what its commands print: every scene, played again."""

from __future__ import annotations

from docs.pages.conflicts import PAGE, SCENES, page


def test_the_page_is_as_it_runs() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert page() == written, "run python -m docs.pages.conflicts"
    assert written.count("<!-- run: ") == len(SCENES) + 1
