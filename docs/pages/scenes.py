"""What two agents do in each scene of docs/CONFLICTS.md, and what is asked then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support import Place, new_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHECK = "git ledger check b --onto a"
ALL = "git ledger conflicts"

# All that git's merge-ort tells, for which a path is a conflict: merge-ort.c, type_short_descriptions.
KINDS = (
    *("contents", "binary", "file/directory", "distinct modes", "modify/delete"),
    *("rename/rename", "rename involved in collision", "rename/delete"),
    *("directory rename suggested", "file in way of directory rename"),
    *("directory rename collision", "directory rename unclear split"),
    *("submodule", "submodule with possible resolution", "submodule not initialized"),
    *("submodule history not available", "submodule may have rewinds"),
    "submodule lacks merge base",
)


def nothing(_: Place) -> None:
    pass


@dataclass(frozen=True)
class Scene:
    """What agents `a` and `b` do in their worktrees, and what is asked then.

    `before` is done, unseen, when the worktrees stand; `land` is shown, in the main one.
    """

    name: str
    a: str
    b: str
    files: Mapping[str, str] = field(default_factory=dict)
    ask: tuple[str, ...] = (CHECK,)
    land: str = ""
    before: Callable[[Place], object] = nothing
    commits: bool = True  # each commits what it did


def newer(place: Place) -> None:
    """main goes on."""
    place.commit("newer", f="newer\n")


def fifth(words: str) -> Callable[[Place], object]:
    """main changes a line that others will."""
    return lambda place: place.run("sed", "-i", f"s/line 5/{words}/", "f") and place.commit(words)


def moves_along(place: Place) -> None:
    place.git("config", "merge.directoryRenames", "true")


ALLOW = ("-c", "protocol.file.allow=always")


def library(place: Place, *, merged: bool = False) -> Place:
    """A repository of its own with tags one, left and right, and a merge of those if wanted."""
    source = new_repository(place.path.parent / "library", place.env)
    source.git("tag", "one")
    for name in ("left", "right"):
        source.git("checkout", "-q", "--detach", "one")
        source.commit(name, **{name: "1\n"})
        source.git("tag", name)
    if merged:
        source.git("merge", "-q", "--no-edit", "left")
        source.git("tag", "both")
    source.git("checkout", "-q", "main")
    return source


def submodule(
    start: str = "one", *, merged: bool = False, there: bool = True
) -> Callable[[Place], None]:
    """main has it at `start`, and both agents take that in; with `there` they check it out."""

    def made(place: Place) -> None:
        source = library(place, merged=merged)
        place.git(*ALLOW, "submodule", "-q", "add", str(source.path), "lib")
        place.git("-C", "lib", "checkout", "-q", start)
        place.commit("lib")
        for name in ("a", "b"):
            worktree = place.at(f"../{name}")
            worktree.git("merge", "-q", "main")
            if there:
                worktree.git(*ALLOW, "submodule", "-q", "update", "--init")

    return made


def two_submodules(place: Place) -> None:
    """Each agent has added it itself; the commands that are shown move it on."""
    source = library(place)
    for name in ("a", "b"):
        place.at(f"../{name}").git(*ALLOW, "submodule", "-q", "add", str(source.path), "lib")


def pointer(digit: str) -> str:
    """As `git checkout` in it and `git add` would, without it."""
    return f"git update-index --cacheinfo 160000,{digit * 40},lib"


FIVE = "sed -i 's/line 5/five/' f", "sed -i 's/line 5/FIVE/' f"
LEFT, RIGHT = "git -C lib checkout -q left", "git -C lib checkout -q right"
SRC = {f"src/m{n}": f"{n}\n" * 20 for n in range(4)}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 1\n"

VERDICTS = (
    Scene("clean", "echo 1 > x", "echo 1 > y"),
    Scene("overlap", "sed -i 's/line 1$/first/' f", "sed -i 's/line 10/last/' f"),
    Scene("contents", *FIVE),
    Scene(
        "unknown",
        "git checkout -q --orphan new; git commit -qm Anew; git branch -M new a; echo 1 > x",
        "echo 1 > y",
    ),
    Scene("uncommitted", "echo a > notes", "echo b > notes", ask=(ALL,), commits=False),
)
CONFLICTS = (
    Scene("modify-delete", "sed -i 's/line 5/five/' f", "git rm -q f"),
    Scene("rename-contents", "git mv f g; sed -i 's/line 5/five/' g", FIVE[1]),
    Scene("rename-delete", "git mv f g; sed -i 's/line 5/five/' g", "git rm -q f"),
    Scene("rename-rename", "git mv f g", "git mv f h"),
    Scene(
        "rename-collision",
        "git mv f n; sed -i 's/line 5/five/' n",
        "sed -i 's/line 5/FIVE/' f; git mv g n",
        {"g": "g\n" * 20},
    ),
    Scene("directory-rename", "git mv src lib", "echo 1 > src/new", SRC),
    Scene(
        "directory-rename-split",
        "mkdir x y; git mv src/m0 src/m1 x; git mv src/m2 src/m3 y",
        "echo 1 > src/new",
        SRC,
    ),
    Scene(
        "directory-rename-in-the-way",
        "git mv src lib",
        "mkdir lib; echo 1 > lib/new; echo 2 > src/new",
        SRC,
        before=moves_along,
    ),
    Scene(
        "directory-rename-collision",
        "mkdir lib; git mv src/* lib; git mv old/* lib",
        "echo 1 > src/new; echo 2 > old/new",
        SRC | {f"old/n{n}": f"old {n}\n" * 20 for n in range(3)},
        before=moves_along,
    ),
    Scene("file-directory", "echo 1 > n", "mkdir n; echo 1 > n/m"),
    Scene("binary", r"printf 'a\0' > p", r"printf 'b\0' > p", {"p": "p\0"}),
    Scene("modes", "chmod +x f", "rm f; ln -s x f"),
    Scene("submodule", LEFT, RIGHT, before=submodule()),
    Scene("submodule-resolution", LEFT, RIGHT, before=submodule(merged=True)),
    Scene(
        "submodule-rewinds",
        "git -C lib checkout -q one",
        "git -C lib checkout -q both",
        before=submodule("left", merged=True),
    ),
    Scene("submodule-lacks-base", LEFT, RIGHT, before=two_submodules),
    Scene("submodule-missing", LEFT, pointer("5"), before=submodule()),
    Scene(
        "submodule-not-there",
        pointer("4"),
        pointer("5"),
        before=submodule(there=False),
    ),
    Scene(
        "via",
        FIVE[0],
        "git merge -q main; echo 1 > y",
        before=fifth("fifth"),
        ask=(ALL,),
    ),
)
WARNINGS = (
    Scene(
        "stale-base",
        "echo 1 > x",
        "git merge -q --no-edit main; git checkout -q main~1 f",
        ask=("git ledger check b",),
        before=newer,
    ),
    Scene(
        "squash-merged",
        *FIVE,
        land="git merge -q --squash a && git commit -qm 'Squash a'"
        " && sed -i 's/five/fünf/' f && git commit -qam Later",
        ask=(ALL,),
    ),
    Scene("removed-directory", "git rm -q -r src", "echo 1 > src/new", SRC, (ALL,)),
    Scene("same-name", "echo 1 > Readme", "echo 1 > README", ask=(ALL,)),
    Scene("lock-file", "echo a > go.sum", "echo b > go.sum", {"go.sum": "0\n"}, (ALL,)),
    Scene(
        "generated",
        "sed -i 's/zero/one/' api.py",
        "sed -i 's/zero/two/' api.py",
        {"api.py": "# @generated from api.json\nzero\n"},
        (ALL,),
    ),
    Scene(
        "lfs-pointer",
        "sed -i 's/0000/aaaa/' big.bin",
        "sed -i 's/0000/bbbb/' big.bin",
        {"big.bin": POINTER},
        (ALL,),
    ),
    Scene(
        "not-looked-at",
        *FIVE,
        land="(cd ../b; git merge -q a)",
        ask=("git ledger conflicts b",),
    ),
    Scene(
        "no-target",
        "echo 1 > x",
        "echo 1 > y",
        land="git config ledger.target next",
        ask=(ALL,),
    ),
)
RECORDED = (
    Scene(
        "verdicts",
        *FIVE,
        ask=("git ledger merge a", "git ledger merge b", "git ledger verify --verdicts"),
    ),
)
SCENES = (*VERDICTS, *CONFLICTS, *WARNINGS, *RECORDED)
