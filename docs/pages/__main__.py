"""Writes every page into gitledger/share; run it after changing a command or its help."""

from __future__ import annotations

from pathlib import Path

from docs.pages.pages import PAGES, written

SHARE = Path(__file__).resolve().parent.parent.parent / "gitledger" / "share"

if __name__ == "__main__":
    SHARE.mkdir(exist_ok=True)
    for name in PAGES:
        (SHARE / name).write_text(written(name), encoding="utf-8")
