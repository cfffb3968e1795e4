"""Random rewrites one after another, reconciled now and then: nobody else's, nothing twice."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import discover
from gitledger.services.live import look
from gitledger.services.reconcile import reconcile
from gitledger.services.spawn import Order, spawn
from gitledger.services.verify import verify
from gitledger.services.who import who
from gitledger.store import notes
from tests.rewrites import TODO
from tests.support import put_hooks

if TYPE_CHECKING:
    from tests.support import Place

# Each is tried, and may be refused: what is half done is then given up. `$n` is new each time.
STEPS = (
    "echo $n >x$n && git add -A && git commit -q -m $n",
    "echo $n >x && git add -A && git commit -q -m $n",
    "git commit -q --amend --allow-empty -m better$n",
    "echo $n >>x && git commit -q -a --amend --no-edit",
    "git rebase -q main",
    "git reset -q --soft HEAD~2 && git commit -q -m both$n",
    "git reset -q --hard HEAD~1",
    "todo 2s/pick/fixup/ HEAD~2",
    "todo 1d HEAD~2",
    "todo '1{h;d};2{G}' HEAD~2",
    "git revert --no-edit HEAD",
    "git merge -q --no-edit main",
    "git cherry-pick -n HEAD~1 && git commit -q --allow-empty -m picked$n",
    "git checkout -q --detach && git commit -q --allow-empty -m $n && git checkout -q -B a",
    "git -C ../repo commit -q --allow-empty -m main$n",
    "git commit-tree -p HEAD~1 -m plumbed$n HEAD^{tree} >../made && git reset -q --soft $(cat ../made)",
    "todo 2s/pick/edit/ HEAD~2 && git rebase --abort",
)
SEEDS = range(60 if os.environ.get("GIT_LEDGER_LONG_TESTS") else 3)


@pytest.mark.parametrize("hooks", [True, False], ids=["hooks", "no hooks"])
@pytest.mark.parametrize("seed", SEEDS)
def test_random_rewrites(repo: Place, seed: int, hooks: bool) -> None:
    chance = random.Random(seed)
    if hooks:
        put_hooks(repo, ["sh"])
    here = discover(str(repo.path))
    a = repo.at(spawn(here, Order("a", "a", "a", str(repo.path.parent / "a"))).path)
    for number in range(14):
        step = chance.choice(STEPS if number > 3 else STEPS[:2])
        undo = "; git rebase --abort; git merge --abort; git reset -q --hard; true"
        a.run("sh", "-c", f"n={number}; {TODO.removeprefix('set -e')} {{ {step}; }} {undo}")
        if chance.random() < 0.25:
            reconcile(here)
        check(a, seed)
    reconcile(here)
    assert not reconcile(here)
    check(a, seed)
    read = notes.read_all(here)
    for commit in a.git("rev-list", "main..a").split():
        assert [place[commit].agent for place in read.values() if commit in place] == ["a"]
    assert verify(here).faults == []
    assert a.is_clean_for_fsck()


def check(a: Place, seed: int) -> None:
    view = look(discover(str(a.path)))
    for commit in a.git("rev-list", "main..a").split():
        answer = who(view, commit)
        assert answer.owner, (seed, a.git("reflog"), a.git("log", "--oneline"))
        assert (answer.owner.agent, answer.superseded_by) == ("a", None)
    for commit in a.git("rev-list", "main").split():
        assert who(view, commit).owner is None, (seed, a.git("log", "-1", commit))
