"""How git is asked: by as many processes as are worth it, and nothing that is known already."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gitledger.git.attributes import AttributeFiles
from gitledger.git.objects import read_objects
from gitledger.git.repository import discover
from gitledger.git.scratch import scratch
from gitledger.git.together import WIDTH
from gitledger.services.asking import parts_of
from gitledger.services.forecast import foresee
from gitledger.services.ground import Ground
from gitledger.services.question import Question, Side
from tests.test_forecast import branch

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

ALONE = """#!/bin/sh
mkdir "{lock}" || echo met >>"{lock}.met"
sleep 0.02
rmdir "{lock}"
exec git merge-file -q "$1" "$2" "$3"
"""


@pytest.mark.parametrize("processors", [1, 2, 3, 64])
def test_every_merge_is_in_one_part(processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    for count in range(60):
        pairs = [(f"a{n}", f"b{n}") for n in range(count)]
        parts = parts_of(pairs)
        assert [one for part in parts for one in part] == pairs
        assert len(parts) <= max(1, min(WIDTH, processors, count // 8))
        assert all(parts) or not pairs


def test_a_merge_driver_never_runs_beside_itself(
    repo: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its author has seen git run it for one file after the other."""
    lock = tmp_path / "lock"
    repo.write("tools/alone", ALONE.format(lock=lock))
    (repo.path / "tools" / "alone").chmod(0o755)
    repo.write(".gitattributes", "f merge=alone\n")
    repo.write("f", "one\n")
    repo.commit("base")
    repo.git("config", "merge.alone.driver", f"{repo.path}/tools/alone %A %O %B")
    for n in range(17):
        branch(repo, f"b{n}", lambda r, n=n: r.write("f", f"{n}\n"))
    target = repo.commit("ours", f="target\n")
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    sides = [Side(f"b{n}", repo.git("rev-parse", f"b{n}")) for n in range(17)]
    found = foresee(discover(str(repo.path)), Question(target, sides, others=False))
    assert [one.verdict for one in found.pairs] == ["conflict"] * 17
    assert not (tmp_path / "lock.met").exists()


CHANGES = {
    "none": "echo x > f",
    "edited": "echo '* text' > d/.gitattributes",
    "removed": "git rm -q d/.gitattributes",
    "added": "mkdir -p e/g; echo '* -text' > e/g/.gitattributes",
    "a link": "rm .gitattributes; ln -s f .gitattributes",
    "a directory": "rm .gitattributes; mkdir .gitattributes; echo x > .gitattributes/x",
    "a name that ends so": "echo x > x.gitattributes",
    "modules": "echo '[submodule]' > .gitmodules; echo x > d/.gitmodules",
    "a directory of it gone": "git rm -q -r d",
}


@pytest.fixture
def varied(repo: Place) -> Place:
    """A branch for each change of attribute files, above `main`."""
    repo.write(".gitattributes", "*.x -diff\n")
    repo.write("d/.gitattributes", "*.y -diff\n")
    repo.write("d/f/g", "x\n")
    repo.commit("base")
    for n, steps in enumerate(CHANGES.values()):
        branch(repo, f"b{n}", lambda r, steps=steps: r.run("sh", "-c", steps))
    return repo


def surveyed(repo: Place) -> tuple[Ground, list[str]]:
    main = repo.git("rev-parse", "main")
    tips = [repo.git("rev-parse", f"b{n}") for n in range(len(CHANGES))]
    return Ground(discover(str(repo.path)), [(main, one) for one in tips]), [main, *tips]


def test_attribute_files_of_what_is_known_are_those_that_git_tells(varied: Place) -> None:
    ground, commits = surveyed(varied)
    with scratch(ground.repo) as store:
        ground.survey(commits, store)
        known = AttributeFiles(ground.repo, ground.reference, store, ground.shapes).of(commits)
        told = AttributeFiles(ground.repo, ground.reference, store).of(commits)
    assert known == told
    assert (
        len({*map(str, told.values())}) == 6
    )  # three change nothing; a link and a directory are as good as none


def test_a_directory_by_whatever_name_is_the_one_of_the_commit(varied: Place) -> None:
    ground, commits = surveyed(varied)
    folders = (b"", b"d", b"d/f", b"e", b"e/g", b".gitattributes", b"none")
    with scratch(ground.repo) as store:
        ground.survey(commits, store)
        for commit in commits:
            ours = read_objects(ground.repo, [ground.directory(commit, one) for one in folders])
            plain = [f"{commit}:{os.fsdecode(one)}" for one in folders]
            trees = [
                [one.content if one and one.kind == "tree" else None for one in found]
                for found in (ours, read_objects(ground.repo, plain))
            ]
            assert trees[0] == trees[1]
    same = {ground.directory(one, b"d/f") for one in commits[:3]}
    assert same == {f"{ground.reference}:d/f"}


def test_where_a_side_began_need_not_be_known(repo: Place) -> None:
    """A commit whose own parent is missing is on record: nothing else is unknown for that."""
    repo.write("f", "one\n")
    repo.commit("base")
    branch(repo, "lost", lambda r: r.write("x", "1\n"))
    branch(repo, "began", lambda r: r.write("y", "1\n"), "lost")
    branch(repo, "work", lambda r: r.write("z", "1\n"))
    lost, began, work = (repo.git("rev-parse", one) for one in ("lost", "began", "work"))
    (repo.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    question = Question(repo.git("rev-parse", "main"), [Side("it", work, base=began)])
    found = foresee(discover(str(repo.path)), question)
    assert [one.verdict for one in found.pairs] == ["clean"]


def test_where_a_side_began_is_looked_at_along_the_way(varied: Place) -> None:
    main, above = (varied.git("rev-parse", one) for one in ("main", "b0"))
    below = varied.git("rev-parse", "main^")
    ground = Ground(discover(str(varied.path)), [], [(main, above), (main, below)])
    assert ground.lacks(main, above)
    assert not ground.lacks(main, below)
    assert not ground.lacks(None, above)
    assert not ground.lacks(above, main)  # it was not asked
