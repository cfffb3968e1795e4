"""Small random histories, and git in an environment with nothing of the machine in it.

A tree is a dict from path to (mode, content), so what was touched is known without git.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from pathlib import Path

NOWHERE = "/nonexistent"
Tree = dict[str, tuple[str, bytes]]
FILE, EXECUTABLE, LINK, SUBMODULE = "100644", "100755", "120000", "160000"
DIRECTORIES = ["", "d/", "d/e/", "d/e/f/", "g/", "h/", "n/"]
NAMES = ["a", "b", "c", "x.txt", "y.txt", "__init__.py", "n", "A", "e"]  # n, e: directories too
ATTRIBUTES = [b"*.txt merge=union\n", b"a -merge\n", b"d/** binary\n", b"* text=auto\n", b""]
SETTINGS = [{}, {}, {}, {"merge.directoryRenames": "false"}, {"merge.directoryRenames": "true"}]
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "dev"), ("EMAIL", "dev@example.invalid"), ("DATE", "@1 +0000"))
}


def sealed() -> dict[str, str]:
    """The environment without the user's git configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    nothing = {"GIT_CONFIG_NOSYSTEM": "1", "HOME": NOWHERE, "XDG_CONFIG_HOME": NOWHERE}
    return {**kept, **nothing, **IDENTITY, "LC_ALL": "C", "GIT_MERGE_AUTOEDIT": "no"}


def seal() -> None:
    """The same for what this process itself asks of git."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ.update(sealed())


def git(
    where: Path, *words: str, stdin: bytes = b"", ok: tuple[int, ...] = (0,)
) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        ["git", *words], cwd=where, env=sealed(), input=stdin, capture_output=True, check=False
    )
    if ok and done.returncode not in ok:
        raise RuntimeError(f"git {words}: {done.returncode} {done.stderr.decode()}")
    return done


def lines(rng: random.Random, count: int) -> bytes:
    return b"".join(b"%d %d\n" % (n, rng.randrange(3)) for n in range(count))


def first_tree(rng: random.Random) -> Tree:
    found: Tree = {".gitignore": (FILE, b"*.log\n")}
    for _ in range(rng.randrange(5, 13)):
        path = rng.choice(DIRECTORIES) + rng.choice(NAMES)
        place(found, path, (FILE, lines(rng, rng.choice([0, 0, 1, 3, 3, 8, 20]))))
    return found


def place(tree: Tree, path: str, entry: tuple[str, bytes]) -> None:
    """Put a file there; what it stands in the way of goes."""
    parts = path.split("/")
    above = {"/".join(parts[:n]) for n in range(1, len(parts))}
    for other in [one for one in tree if one in above or one.startswith(path + "/")]:
        del tree[other]
    tree[path] = entry


def edit(rng: random.Random, tree: Tree) -> None:
    path = rng.choice(sorted(tree))
    mode, content = tree[path]
    if mode in {LINK, SUBMODULE}:
        tree[path] = (
            mode,
            b"%040x" % rng.randrange(1, 4) if mode == SUBMODULE else b"to%d" % rng.randrange(3),
        )
        return
    rows = content.splitlines(keepends=True)
    number = rng.randrange(len(rows) + 1)
    rows[number : number + rng.randrange(2)] = [b"edit %d\n" % rng.randrange(4)] * rng.randrange(3)
    tree[path] = mode, b"".join(rows)


def remove(rng: random.Random, tree: Tree) -> None:
    if len(tree) > 2:
        del tree[rng.choice(sorted(tree))]


def add(rng: random.Random, tree: Tree) -> None:
    path = rng.choice(DIRECTORIES) + rng.choice(NAMES) + rng.choice(["", "", str(rng.randrange(3))])
    place(tree, path, (rng.choice([FILE, FILE, EXECUTABLE]), lines(rng, rng.choice([0, 2, 6]))))


def rename(rng: random.Random, tree: Tree) -> None:
    old = rng.choice(sorted(tree))
    entry = tree.pop(old)
    place(tree, rng.choice(DIRECTORIES) + rng.choice(NAMES), entry)


def rename_directory(rng: random.Random, tree: Tree) -> None:
    inside = sorted({one.rpartition("/")[0] + "/" for one in tree if "/" in one})
    if not inside:
        return
    old, new = rng.choice(inside), rng.choice(["d/", "g/", "z/", "d/w/", "n/", "q/r/", ""])
    moved = {one: tree.pop(one) for one in list(tree) if one.startswith(old)}
    for path, entry in moved.items():
        keeps = rng.random() < 0.15
        place(tree, path if keeps else new + path.removeprefix(old), entry)


def change_mode(rng: random.Random, tree: Tree) -> None:
    path = rng.choice(sorted(tree))
    mode, content = tree[path]
    if mode in {FILE, EXECUTABLE}:
        tree[path] = (FILE if mode == EXECUTABLE else EXECUTABLE), content


def link(rng: random.Random, tree: Tree) -> None:
    place(tree, rng.choice(DIRECTORIES) + rng.choice(NAMES), (LINK, b"to%d" % rng.randrange(3)))


def submodule(rng: random.Random, tree: Tree) -> None:
    place(tree, rng.choice(["sub", "d/sub"]), (SUBMODULE, b"%040x" % rng.randrange(1, 4)))


def attributes(rng: random.Random, tree: Tree) -> None:
    where = rng.choice(["", "", "d/"])
    place(tree, where + ".gitattributes", (FILE, rng.choice(ATTRIBUTES) + rng.choice(ATTRIBUTES)))


CHANGES = [edit] * 6 + [remove] * 2 + [add] * 4 + [rename] * 3 + [rename_directory] * 2
CHANGES += [change_mode, link, submodule, attributes]
ON_DISK = [one for one in CHANGES if one is not submodule]


def changed(rng: random.Random, tree: Tree, kinds: list, most: int = 4) -> Tree:
    found = dict(tree)
    for _ in range(rng.randrange(1, most)):
        rng.choice(kinds)(rng, found)
    return found


@dataclass
class History:
    """Commits in order: parents by number, and the tree of each. `tips` are the branches."""

    parents: list[tuple[int, ...]] = field(default_factory=list)
    trees: list[Tree] = field(default_factory=list)
    tips: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def add(self, tree: Tree, *parents: int) -> int:
        self.trees.append(tree)
        self.parents.append(parents)
        return len(self.trees) - 1


def random_history(rng: random.Random, branches: int) -> History:
    """A trunk, and branches off it; some take in another branch (criss-cross comes of it)."""
    found = History()
    trunk = [found.add(first_tree(rng))]
    for _ in range(rng.randrange(3)):
        trunk.append(found.add(changed(rng, found.trees[trunk[-1]], CHANGES), trunk[-1]))
    for _ in range(branches):
        start = rng.choice(trunk if rng.random() < 0.8 or not found.tips else found.tips)
        tip = found.add(changed(rng, found.trees[start], CHANGES), start)
        if rng.random() < 0.3:
            tip = found.add(changed(rng, found.trees[tip], CHANGES), tip)
        found.tips.append(tip)
    for _ in range(rng.randrange(3)):  # two branches merge each other: two merge bases
        one, other = rng.sample(range(branches), 2)
        a, b = found.tips[one], found.tips[other]
        found.tips[one] = found.add(changed(rng, found.trees[a], CHANGES), a, b)
        if rng.random() < 0.7:
            found.tips[other] = found.add(changed(rng, found.trees[b], CHANGES), b, a)
    return found


def write(history: History, where: Path) -> None:
    """Make the commits that are not there yet, by fast-import, and a branch for each tip."""
    stream = []
    start = len(history.ids)
    for number in range(start, len(history.trees)):
        stream.append(b"commit refs/made/%d\nmark :%d\n" % (number, number + 1))
        stream.append(b"committer dev <dev@example.invalid> %d +0000\ndata 1\nm\n" % (number + 1))
        for place_, parent in enumerate(history.parents[number]):
            name = history.ids[parent].encode() if parent < start else b":%d" % (parent + 1)
            stream.append((b"merge " if place_ else b"from ") + name + b"\n")
        stream.append(b"deleteall\n")
        for path, (mode, content) in sorted(history.trees[number].items()):
            if mode == SUBMODULE:
                stream.append(b"M 160000 %s %s\n" % (content, path.encode()))
            else:
                stream.append(b"M %s inline %s\n" % (mode.encode(), path.encode()))
                stream.append(b"data %d\n%s\n" % (len(content), content))
        stream.append(b"get-mark :%d\n" % (number + 1))
    done = git(where, "fast-import", "--quiet", "--force", stdin=b"".join(stream))
    history.ids += done.stdout.decode().split()


def put_on_disk(where: Path, old: Tree, new: Tree) -> None:
    """Change a worktree from one tree to the other, as an editor would."""
    for path in old:
        if path not in new or new[path] != old[path]:
            (where / path).unlink(missing_ok=True)
            for above in list((where / path).parents):
                if above == where or any(above.iterdir()):
                    break
                above.rmdir()
    for path, (mode, content) in new.items():
        if old.get(path) == (mode, content):
            continue
        (where / path).parent.mkdir(parents=True, exist_ok=True)
        if mode == LINK:
            (where / path).symlink_to(content.decode())
        else:
            (where / path).write_bytes(content)
            (where / path).chmod(0o755 if mode == EXECUTABLE else 0o644)


def touched(base: Tree, side: Tree) -> set[str]:
    return {path for path in base.keys() | side.keys() if base.get(path) != side.get(path)}
