"""The floors of the code (DESIGN section 6): imports go downward only, files stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "gitledger"
FLOORS = {"model": 0, "contracts": 0, "git": 1, "store": 2, "services": 3, "interop": 3, "cli": 4}
EVERYONE = {"gitledger", "gitledger.errors"}  # beneath all floors
PUBLIC_DOOR = ("gitledger", "gitledger.api")  # gitledger.open, loaded when asked for
FILES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE = 280
LONGEST_FUNCTION = 40


def floor(module: str) -> int | None:
    """The floor of a module; None for those that everyone may use."""
    if module in EVERYONE:
        return None
    room = module.split(".")[1] if "." in module else ""
    return FLOORS.get(room, 4)


def name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{one.name}" for one in node.names)
    modules = {name(one) for one in FILES}
    return {one for one in found if one in modules} - {name(path)}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_go_downward(path: Path) -> None:
    here = floor(name(path))
    for target in imports(path) - ({PUBLIC_DOOR[1]} if name(path) == PUBLIC_DOOR[0] else set()):
        there = floor(target)
        assert there is None or (here is not None and there <= here), f"{name(path)} -> {target}"


def test_no_two_files_import_each_other() -> None:
    edges = {name(path): imports(path) for path in FILES}
    mutual = {(a, b) for a in edges for b in edges[a] if a in edges.get(b, ()) and a < b}
    assert mutual == set()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_edges_print_or_exit(path: Path) -> None:
    if floor(name(path)) == 4:
        return
    calls = [n.func for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
    names = {one.id for one in calls if isinstance(one, ast.Name)}
    assert not names & {"print", "exit", "input"}, name(path)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_pure_floor_knows_neither_git_nor_io(path: Path) -> None:
    if floor(name(path)) != 0:
        return
    forbidden = {"subprocess", "os", "pathlib", "pygit2", "click", "rich", "shutil", "tempfile"}
    tree = ast.parse(path.read_text())
    roots = {n.names[0].name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import)}
    roots |= {
        (n.module or "").split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)
    }
    assert not roots & forbidden


@pytest.mark.parametrize("path", FILES, ids=name)
def test_git_alone_is_asked(path: Path) -> None:
    """One engine: what libgit2 can't open or sees otherwise is nobody's special case."""
    assert "import pygit2" not in path.read_text()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{name(path)}:{node.name} has {length} lines"
