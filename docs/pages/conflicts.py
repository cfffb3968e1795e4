"""The scenes of docs/CONFLICTS.md: two agents, what each does, and what is foreseen of it."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from docs.pages.scripted import Console
from tests.support import ROOT, new_repository, sealed_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = ROOT / "docs" / "CONFLICTS.md"
CHECK = "git ledger check b --onto a"


@dataclass(frozen=True)
class Scene:
    """What agents `a` and `b` do in their worktrees, and what is asked then."""

    name: str
    a: str
    b: str
    files: Mapping[str, str] = field(default_factory=dict)
    ask: tuple[str, ...] = (CHECK,)
    land: str = ""  # what is done in the main worktree then


SRC = {f"src/m{n}": f"{n}\n" * 20 for n in range(3)}
SCENES = (
    Scene("clean", "echo 1 > x", "echo 1 > y"),
    Scene("overlap", "sed -i 's/line 1$/first/' f", "sed -i 's/line 10/last/' f"),
    Scene("contents", "sed -i 's/line 5/five/' f", "sed -i 's/line 5/FIVE/' f"),
    Scene("modify-delete", "sed -i 's/line 5/five/' f", "git rm -q f"),
    Scene("rename-delete", "git mv f g; sed -i 's/line 5/five/' g", "git rm -q f"),
    Scene("rename-rename", "git mv f g", "git mv f h"),
    Scene("directory-rename", "git mv src lib", "echo 1 > src/new", SRC),
    Scene("file-directory", "echo 1 > n", "mkdir n; echo 1 > n/m"),
    Scene("binary", r"printf 'a\0' > p", r"printf 'b\0' > p", {"p": "p\0"}),
    Scene("modes", "chmod +x f", "rm f; ln -s x f"),
    Scene(
        "unknown",
        "git checkout -q --orphan new; git commit -qm Anew; git branch -M new a; echo 1 > x",
        "echo 1 > y",
    ),
    Scene(
        "stale-base",
        "echo 1 > x",
        "git merge -q --no-edit main; git checkout -q main~1 f",
        ask=("git ledger check b",),
    ),
    Scene(
        "squash-merged",
        "sed -i 's/line 5/five/' f",
        "sed -i 's/line 5/FIVE/' f",
        land="git merge -q --squash a && git commit -qm 'Squash a'"
        " && sed -i 's/five/fünf/' f && git commit -qam Later",
        ask=("git ledger conflicts",),
    ),
    Scene("removed-directory", "git rm -q -r src", "echo 1 > src/new", SRC),
    Scene("same-name", "echo 1 > Readme", "echo 1 > README"),
    Scene("lock-file", "echo a > go.sum", "echo b > go.sum", {"go.sum": "0\n"}),
    Scene(
        "verdicts",
        "sed -i 's/line 5/five/' f",
        "sed -i 's/line 5/FIVE/' f",
        ask=("git ledger merge a", "git ledger merge b", "git ledger verify --verdicts"),
    ),
)


def page() -> str:
    """The page, every scene played again."""
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        for scene in SCENES:
            text = _plain(_played(scene, root / scene.name)).written(text)
        return _plain(_uncommitted(root / "uncommitted")).written(text)


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
    if scene.name == "stale-base":
        console.place.commit("newer", f="newer\n")
    for name, does in (("a", scene.a), ("b", scene.b)):
        told = f"cd ../{name}; {does}; git add -A; git commit -qm 'Work of {name}'"
        console.show(scene.name, f"({told})")
    if scene.land:
        console.show(scene.name, scene.land)
    ask = scene.ask
    if scene.name in {"removed-directory", "same-name", "lock-file"}:
        ask = ("git ledger conflicts",)
    console.show(scene.name, *ask)
    return console


def _uncommitted(directory: Path) -> Console:
    console = _console(directory, {})
    for name in ("a", "b"):
        console.place.worktree(name)
        console.show("uncommitted", f"(cd ../{name}; echo {name} > notes)")
    console.show("uncommitted", "git ledger conflicts")
    return console


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
