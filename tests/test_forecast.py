"""The verdict is what git merge would do: each kind, and what must not be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.git.worktrees import list_worktrees
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side, Terms
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitledger.model.verdict import Pair

TEN = [f"line {n}\n" for n in range(1, 11)]


def edited(number: int, words: str) -> str:
    return "".join([*TEN[: number - 1], f"{words}\n", *TEN[number:]])


def branch(repo: Place, name: str, change: Callable[[Place], object], start: str = "main") -> None:
    repo.git("checkout", "-q", "-B", name, start)
    change(repo)
    repo.git("add", "-A")
    repo.git("commit", "-q", "--allow-empty", "-m", name)
    repo.git("checkout", "-q", "main")


def judge(repo: Place, ours: str, theirs: str, terms: Terms | None = None) -> Pair:
    opened = discover(str(repo.path))
    a, b = (repo.git("rev-parse", f"{one}^0") for one in (ours, theirs))
    question = Question(a, [Side("it", b)], True, False, terms or Terms())
    return foresee(opened, question).pairs[0]


def told(pair: Pair) -> tuple[str, list[tuple[str, str]]]:
    return pair.verdict, [(one.path, one.kind) for one in pair.paths]


def merged(repo: Place, ours: str, theirs: str) -> bool:
    """Whether git merge really succeeds; everything is as before afterwards."""
    repo.git("checkout", "-q", "--detach", ours)
    done = repo.run("git", "merge", "-q", "--no-edit", "--no-ff", theirs)
    repo.run("git", "merge", "--abort")
    repo.git("checkout", "-q", "-f", "main")
    repo.git("clean", "-q", "-fd")
    return done.returncode == 0


def move_directory(repo: Place) -> None:
    repo.git("mv", "src", "lib")


EDITS = {
    "the same line": (
        lambda r: r.write("f", edited(5, "a")),
        lambda r: r.write("f", edited(5, "b")),
        ("conflict", [("f", "contents")]),
    ),
    "lines far apart": (
        lambda r: r.write("f", edited(1, "a")),
        lambda r: r.write("f", edited(10, "b")),
        ("overlap", []),
    ),
    "different files": (
        lambda r: r.write("x", "1\n"),
        lambda r: r.write("y", "1\n"),
        ("clean", []),
    ),
    "the same change": (
        lambda r: r.write("f", edited(5, "a")),
        lambda r: r.write("f", edited(5, "a")),
        ("overlap", []),
    ),
    "an edit and a deletion": (
        lambda r: r.write("f", edited(5, "a")),
        lambda r: r.git("rm", "-q", "f"),
        ("conflict", [("f", "modify/delete")]),
    ),
    "two new files of one name": (
        lambda r: r.write("n", "a\n"),
        lambda r: r.write("n", "b\n"),
        ("conflict", [("n", "contents")]),
    ),
    "a rename and a new file in the old directory": (
        move_directory,
        lambda r: r.write("src/new", "1\n"),
        ("conflict", [("lib/new", "directory rename suggested")]),
    ),
    "a rename and an edit": (
        lambda r: r.git("mv", "f", "g"),
        lambda r: r.write("f", edited(5, "b")),
        ("overlap", []),
    ),
    "a file and a directory of one name": (
        lambda r: r.write("n", "a\n"),
        lambda r: r.write("n/m", "b\n"),
        ("conflict", [("n", "file/directory")]),
    ),
    "a mode and an edit": (
        lambda r: (r.path / "f").chmod(0o755),
        lambda r: r.write("f", edited(5, "b")),
        ("overlap", []),
    ),
    "two binary edits": (
        lambda r: r.write("bin", b"\0a"),
        lambda r: r.write("bin", b"\0b"),
        ("conflict", [("bin", "binary")]),
    ),
}


@pytest.fixture
def place(repo: Place) -> Place:
    for number in range(4):
        repo.write(f"src/m{number}", f"{number} " * 40)
    repo.write("bin", b"\0base")
    repo.commit("more")
    return repo


@pytest.mark.parametrize("case", EDITS, ids=list(EDITS))
def test_a_verdict_is_what_git_merge_does(place: Place, case: str) -> None:
    ours, theirs, expected = EDITS[case]
    branch(place, "a", ours)
    branch(place, "b", theirs)
    verdict, paths = told(judge(place, "a", "b"))
    assert merged(place, "a", "b") == (verdict in {"clean", "overlap"})
    assert (verdict, paths) == expected


def test_both_sides_lines_are_told(place: Place) -> None:
    branch(place, "a", lambda r: r.write("f", "new\nnew\n" + edited(5, "a")))
    branch(place, "b", lambda r: r.write("f", edited(5, "b")))
    path = judge(place, "a", "b").paths[0]
    assert (path.a_lines, path.b_lines) == (((5, 5),), ((7, 7),))  # a is theirs: the target is ours


def test_unrelated_histories_are_unknown(place: Place) -> None:
    place.git("checkout", "-q", "--orphan", "other")
    place.commit("other root")
    place.git("checkout", "-q", "-f", "main")
    pair = judge(place, "main", "other")
    assert (pair.verdict, pair.reason) == ("unknown", "no merge base: unrelated histories")


def test_missing_objects_are_unknown_and_the_other_pairs_are_not_lost(place: Place) -> None:
    for name, line in (("a", 5), ("b", 5), ("c", 1)):
        branch(place, name, lambda r, name=name, line=line: r.write("f", edited(line, name)))
    blob = place.git("rev-parse", "b:f")
    (place.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    opened = discover(str(place.path))
    sides = [Side(one, place.git("rev-parse", one)) for one in "abc"]
    found = foresee(opened, Question(place.git("rev-parse", "main"), sides, committed_only=True))
    verdicts = {(one.a, one.b): one.verdict for one in found.pairs}
    assert verdicts["a", "b"] == verdicts["b", "c"] == "unknown"
    assert verdicts["a", "c"] == "overlap"
    assert found.of("a", "b").reason.startswith("missing objects: ")


def test_nothing_is_written_to_the_repository(place: Place) -> None:
    branch(place, "a", lambda r: r.write("f", edited(5, "a")))
    branch(place, "b", lambda r: r.write("f", edited(5, "b")))
    before = place.git("count-objects", "-v"), place.git("for-each-ref"), place.git("status", "-s")
    assert judge(place, "a", "b").verdict == "conflict"
    after = place.git("count-objects", "-v"), place.git("for-each-ref"), place.git("status", "-s")
    assert after == before


def test_attributes_come_from_the_side_merged_into(place: Place) -> None:
    place.write("CHANGES", "".join(TEN))
    place.commit("changes")
    branch(place, "plain", lambda r: r.write("CHANGES", edited(5, "b")))
    branch(
        place,
        "union",
        lambda r: (
            r.write(".gitattributes", "CHANGES merge=union\n"),
            r.write("CHANGES", edited(5, "a")),
        ),
    )
    assert judge(place, "union", "plain").verdict == "overlap"
    assert judge(place, "plain", "union").verdict == "conflict"
    place.write(".gitattributes", "* merge=union\n")  # lying about untracked
    assert judge(place, "plain", "union").verdict == "conflict"


def test_a_configured_driver_runs_unless_it_is_not_trusted(place: Place) -> None:
    place.write(".gitattributes", "f merge=mine\n")
    place.commit("attributes")
    place.git("config", "merge.mine.driver", "cp %B %A")
    branch(place, "a", lambda r: r.write("f", edited(5, "a")))
    branch(place, "b", lambda r: r.write("f", edited(5, "b")))
    assert judge(place, "a", "b").verdict == "overlap"
    assert told(judge(place, "a", "b", Terms(no_drivers=True)))[0] == "conflict"


def test_directory_renames_follow_the_configuration(place: Place) -> None:
    branch(place, "a", move_directory)
    branch(place, "b", lambda r: r.write("src/new", "1\n"))
    place.git("config", "merge.directoryRenames", "false")
    assert judge(place, "a", "b").verdict == "clean"


def dirty_pair(place: Place) -> dict[tuple[str, str | None], tuple[str, str | None]]:
    opened = discover(str(place.path))
    trees = {one.branch: one for one in list_worktrees(opened)}
    sides = [Side(one, trees[one].head, one, trees[one]) for one in ("a", "b")]
    found = foresee(opened, Question(place.git("rev-parse", "main"), sides))
    return {(one.a, one.b): (one.verdict, one.committed) for one in found.pairs}


def test_two_dirty_worktrees_are_compared_with_each_other(place: Place) -> None:
    a, b = place.worktree("a"), place.worktree("b")
    a.write("f", edited(5, "a"))
    b.write("f", edited(5, "b"))
    a.write("untracked", "a\n")
    b.write("untracked", "b\n")
    index = (b.path / b.git("rev-parse", "--git-path", "index")).read_bytes()
    assert dirty_pair(place) == {
        ("a", None): ("clean", "clean"),
        ("b", None): ("clean", "clean"),
        ("a", "b"): ("conflict", "clean"),
    }
    assert (b.path / b.git("rev-parse", "--git-path", "index")).read_bytes() == index
    assert b.git("status", "--porcelain") == " M f\n?? untracked"


@pytest.mark.parametrize(
    "quiet",
    [
        lambda a: a.write("ignored.log", "x\n"),
        lambda a: a.git("update-index", "--refresh"),
        lambda a: (a.path / "f").touch(),
    ],
    ids=["an ignored file", "a refreshed index", "a touched file"],
)
def test_what_is_no_change_makes_nothing_dirty(
    place: Place, quiet: Callable[[Place], object]
) -> None:
    place.commit("ignore", __gitignore="*.log\n")
    a, b = place.worktree("a"), place.worktree("b")
    b.commit("b", f=edited(5, "b"))
    quiet(a)
    assert dirty_pair(place)["a", "b"] == ("clean", "clean")


def test_a_worktree_in_the_middle_of_a_merge_counts_by_its_last_commit(place: Place) -> None:
    a = place.worktree("a")
    a.commit("a", f=edited(5, "a"))
    place.worktree("b")
    place.commit("main", f=edited(5, "m"))
    assert a.run("git", "merge", "main").returncode == 1
    opened = discover(str(place.path))
    tree = next(one for one in list_worktrees(opened) if one.branch == "a")
    found = foresee(
        opened, Question(place.git("rev-parse", "main"), [Side("a", tree.head, "a", tree)])
    )
    assert found.facts[0].note == "in the middle of a merge: compared by its last commit"
    assert found.pairs[0].verdict == "conflict"


def test_own_changes_leave_out_what_a_merge_of_the_target_brought(place: Place) -> None:
    a = place.worktree("a")
    a.commit("own", own="1\n")
    for number in range(3):
        place.commit(f"up{number}", **{f"up{number}": "1\n"})
    a.git("merge", "-q", "--no-edit", "main")
    opened = discover(str(place.path))
    side = Side("a", a.git("rev-parse", "HEAD"))
    found = foresee(opened, Question(place.git("rev-parse", "main"), [side]))
    assert found.facts[0].files == (("created", "own"),)


def test_a_conflict_over_what_the_target_changed_says_so(place: Place) -> None:
    place.git("branch", "old")
    place.commit("main", f=edited(5, "main"))
    branch(place, "a", lambda r: r.write("f", edited(5, "a")), "old")
    branch(place, "b", lambda r: r.write("y", "1\n"), "main")
    opened = discover(str(place.path))
    sides = [Side(one, place.git("rev-parse", one)) for one in "ab"]
    pair = foresee(opened, Question(place.git("rev-parse", "main"), sides)).of("a", "b")
    assert (pair.verdict, [(one.path, one.via) for one in pair.paths]) == (
        "conflict",
        [("f", "target")],
    )


def test_odd_bytes_in_names_are_reported_as_they_are(place: Place) -> None:
    names = [b"new\nline", b"tab\there", b'quo"te', b"caf\xe9", b"-dash", b"a -> b"]
    for name in names:
        (place.path / name.decode("utf-8", "surrogateescape")).write_bytes(b"base\n")
    place.commit("odd")
    for side in ("a", "b"):
        branch(
            place,
            side,
            lambda r, side=side: [
                (r.path / name.decode("utf-8", "surrogateescape")).write_text(side)
                for name in names
            ],
        )
    pair = judge(place, "a", "b")
    assert sorted(one.path.encode("utf-8", "surrogateescape") for one in pair.paths) == sorted(
        names
    )


def test_a_sha256_repository_is_judged_the_same(tmp_path, env) -> None:
    big = new_repository(tmp_path / "big", env, "--object-format=sha256")
    branch(big, "a", lambda r: r.write("f", edited(5, "a")))
    branch(big, "b", lambda r: r.write("f", edited(5, "b")))
    assert told(judge(big, "a", "b")) == ("conflict", [("f", "contents")])


def test_replaced_histories_are_those_that_git_sees(place: Place) -> None:
    place.git("checkout", "-q", "--orphan", "imported")
    place.commit("imported")
    place.git("checkout", "-q", "-f", "main")
    branch(place, "a", lambda r: r.write("x", "1\n"))
    assert judge(place, "imported", "a").verdict == "unknown"
    place.git("replace", "--graft", "imported", "main")
    assert judge(place, "imported", "a").verdict == "clean"


def test_uncommitted_work_that_git_cannot_read_is_no_clean(place: Place) -> None:
    a = place.worktree("a")
    place.worktree("b")
    index = a.path / a.git("rev-parse", "--git-path", "index")
    index.write_bytes(b"no index")
    opened = discover(str(place.path))
    trees = {one.branch: one for one in list_worktrees(opened)}
    sides = [Side(one, trees[one].head, one, trees[one]) for one in ("a", "b")]
    found = foresee(opened, Question(place.git("rev-parse", "main"), sides))
    told = {(one.a, one.b): (one.verdict, one.committed) for one in found.pairs}
    assert told == {
        ("a", None): ("unknown", "clean"),
        ("b", None): ("clean", "clean"),
        ("a", "b"): ("unknown", "clean"),
    }
    assert (found.of("a", "b").reason or "").startswith("uncommitted work: git status: ")
