"""docs/CONFLICTS.md: two agents, what each does, and what is foreseen of it."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from docs.pages.scenes import SCENES, Scene
from docs.pages.scripted import Console
from tests.support import ROOT, new_repository, sealed_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = ROOT / "docs" / "CONFLICTS.md"


def page() -> str:
    """The page, every scene played again."""
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        for scene in SCENES:
            text = _plain(_played(scene, root / scene.name)).written(text)
    return text


def _plain(console: Console) -> Console:
    """With the agents' ids as their branches: the rest of an id differs each time."""
    for parts in console.blocks.values():
        parts[:] = [re.sub(r"\b([ab])-[0-9a-f]{6}\b", r"\1", part) for part in parts]
    return console


def _console(directory: Path, files: Mapping[str, str]) -> Console:
    place = new_repository(directory / "repo", sealed_environment(directory / "home"))
    for name, content in files.items():
        place.write(name, content)
    place.commit("files")
    return Console(place)


def _played(scene: Scene, directory: Path) -> Console:
    console = _console(directory, scene.files)
    for name in ("a", "b"):
        console.place.worktree(name)
    scene.before(console.place)
    for name, does in (("a", scene.a), ("b", scene.b)):
        console.show(scene.name, f"({_told(scene, name, does)})")
    if scene.land:
        console.show(scene.name, scene.land)
    console.show(scene.name, *scene.ask)
    return console


def _told(scene: Scene, name: str, does: str) -> str:
    commit = f"git commit -qm 'Work of {name}'"
    if does.startswith("git update-index"):
        return f"cd ../{name}; {does}; {commit}"
    told = f"cd ../{name}; {does}"
    return f"{told}; git add -A; {commit}" if scene.commits else told


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
