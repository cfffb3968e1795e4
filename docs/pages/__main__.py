"""Writes every page; run it after changing a command, its help or what the demo prints."""

from __future__ import annotations

from docs.pages.pages import PAGES, ROOT, SNAPSHOT, readme, snapshot, written

if __name__ == "__main__":
    for name in PAGES:
        path = ROOT / "gitledger" / "share" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(written(name), encoding="utf-8")
    (ROOT / "README.md").write_text(readme(), encoding="utf-8")
    SNAPSHOT.write_text(snapshot(), encoding="utf-8")
