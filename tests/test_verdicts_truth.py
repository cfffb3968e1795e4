"""Random small histories: the verdict equals what `git merge` then does. Long form: benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz_verdicts import trial
from gitledger.git.mergetree import parse
from gitledger.git.repository import discover
from gitledger.services.forecast import foresee
from gitledger.services.question import Question, Side

if TYPE_CHECKING:
    from tests.support import Place


@given(st.integers(0, 1_000_000))
@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
def test_the_verdict_is_what_git_merge_does(seed: int) -> None:
    _, counts, wrong = trial(seed)
    assert wrong == []
    assert counts["merges"] > 30


def submodule(repo: Place, branch: str, digit: str) -> str:
    repo.git("checkout", "-q", "-B", branch, "main")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{digit * 40},sub")
    repo.git("commit", "-q", "-m", branch)
    return repo.git("rev-parse", "HEAD")


def test_a_submodule_that_both_moved_is_a_conflict_and_no_record_after_it_is_lost(
    repo: Place,
) -> None:
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.git("commit", "-q", "-m", "sub")
    target = repo.git("rev-parse", "main")
    a, b = submodule(repo, "a", "2"), submodule(repo, "b", "3")
    question = Question(target, [Side("a", a), Side("b", b)], committed_only=True)
    found = foresee(discover(str(repo.path)), question)
    assert [(one.a, one.b, one.verdict, len(one.paths)) for one in found.pairs] == [
        ("a", None, "clean", 0),
        ("b", None, "clean", 0),
        ("a", "b", "conflict", 1),
    ]
    assert found.of("a", "b").paths[0].document() == {
        "path": "sub",
        "kind": "submodule not initialized",
    }


def test_a_record_counts_only_when_it_is_whole() -> None:
    whole = b"1\0tree\0\0\0"
    cut = (
        b"0\0tree\0100644 blob 1\tpath\0",
        b"0\0tree\0\0001\0path\0CONFLICT (contents)\0",
        b"0\0",
    )
    assert len(list(parse(whole))) == 1
    for rest in cut:
        assert [one.clean for one in parse(whole + rest)] == [True]
