"""docs/SESSIONS.md is what its commands print: a whole session, run again."""

from __future__ import annotations

from docs.pages.sessions import PAGE, page


def test_the_page_is_as_it_runs() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run python -m docs.pages.sessions"
