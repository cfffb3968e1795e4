"""Every way to rewrite history, as a table: what must then be on record, with whose hooks.

`python -m tests.rewrites` writes the matrix into docs/HOOKS.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support import ROOT

COLUMNS = ("native", "pre-commit", "prek", "no hooks")
OPEN, CLOSE = "<!-- matrix: python -m tests.rewrites -->\n", "<!-- end of the matrix -->\n"
HOOK, FOUND, NOTHING = "hook", "found", "nothing to record"


@dataclass(frozen=True)
class Rewrite:
    """Commands typed in the worktree of agent `a` with commits one, two and three.

    `live`: every commit from main on at `tip`, newest first, and whether it is the
    agent's. `after`: each commit that is gone, with what stands for it now (None: it is
    dropped). `short`: columns where the hooks alone do not do, or where even reconcile
    does not, each with the cell's words.
    """

    commands: str
    live: tuple[str, ...] = ("three", "two", "one")
    others: tuple[str, ...] = ()  # of the live ones, those that are nobody's
    after: dict[str, str | None] = field(default_factory=dict)
    listed: dict[str, str] = field(default_factory=dict)  # as git's list has it, with hooks
    short: dict[str, str] = field(default_factory=dict)
    tip: str = "HEAD"
    quick: bool = False  # also in the short run of the frameworks' columns

    def cell(self, column: str) -> str:
        """What the matrix says: who recorded all of it."""
        return self.short.get(column) or (FOUND if column == "no hooks" else HOOK)


BY_RECONCILE = dict.fromkeys(COLUMNS, FOUND)
SAME = {"one": "one", "two": "two", "three": "three"}
REWRITES = {
    "commit --amend": Rewrite(
        "git commit -q --amend -m better",
        ("better", "two", "one"),
        after={"three": "better"},
        quick=True,
    ),
    "commit --amend, twice": Rewrite(
        "git commit -q --amend -m better && git commit -q --amend -m best",
        ("best", "two", "one"),
        after={"three": "best", "better": "best"},
    ),
    "rebase": Rewrite("git rebase -q main", after=SAME, quick=True),
    "rebase --apply": Rewrite("git rebase -q --apply main", after=SAME),
    "rebase --onto": Rewrite(
        "git rebase -q --onto main HEAD~1", ("three",), after={"three": "three", "two": None}
    ),
    "rebase -r, with a merge": Rewrite(
        "git checkout -q -b side HEAD~1 && echo s >s && git add s && git commit -q -m side"
        " && git checkout -q a && git merge -q --no-edit -m merge side"
        " && git branch -q -D side && git rebase -q -r main",
        ("merge", "side", "three", "two", "one"),
        after={**SAME, "side": "side", "merge": "merge"},
    ),
    "rebase -i, squash": Rewrite(
        "todo 2s/pick/squash/ HEAD~3",
        ("three", "one"),
        after={"one": "one", "two": "one", "three": "three"},
    ),
    "rebase -i, fixup": Rewrite(
        "todo 3s/pick/fixup/ HEAD~3", ("two", "one"), after={"two": "two", "three": "two"}
    ),
    "rebase -i, fixup of all onto main": Rewrite(
        "todo '2,3s/pick/fixup/' main", ("one",), after=dict.fromkeys(SAME, "one"), quick=True
    ),
    "rebase -i, reword": Rewrite(
        "GIT_EDITOR='sed -i 1s/two/deux/' todo 2s/pick/reword/ HEAD~3",
        ("three", "deux", "one"),
        after={"two": "deux", "three": "three"},
    ),
    "rebase -i, drop": Rewrite(
        "todo 2d HEAD~3", ("three", "one"), after={"two": None, "three": "three"}
    ),
    "rebase -i, reorder": Rewrite(
        "todo '2{h;d};3{G}' HEAD~3",
        ("two", "three", "one"),
        after={"two": "two", "three": "three"},
    ),
    "rebase -i, edit and amend": Rewrite(
        "todo 2s/pick/edit/ HEAD~3 && git commit -q --amend -m deux && git rebase --continue",
        ("three", "deux", "one"),
        after={"two": "deux", "three": "three"},
    ),
    "rebase -i, split": Rewrite(
        "todo 3s/pick/edit/ HEAD~3 && git reset -q HEAD^ && git add z && git commit -q -m half"
        " && git add -A && git commit -q -m rest && git rebase --continue",
        ("rest", "half", "two", "one"),
        after={"three": "rest"},
    ),
    "rebase -i --autosquash": Rewrite(
        "echo more >>x && git commit -q -a --fixup HEAD~2"
        " && GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash HEAD~4",
        after={**SAME, "fixup! one": "one"},
    ),
    "rebase --exec": Rewrite(
        "git rebase -q --exec 'git commit -q --amend -m \"$(git log -1 --format=%s)!\"' HEAD~1",
        ("three!", "two", "one"),
        after={"three": "three!"},
    ),
    "rebase, aborted half-way": Rewrite("todo 3s/pick/edit/ main && git rebase --abort"),
    "rebase, conflict, aborted": Rewrite("! git rebase -q conflicting && git rebase --abort"),
    "rebase, conflict, resolved": Rewrite(
        "! git rebase -q conflicting && echo both >y && git add y && git rebase --continue",
        ("three", "two", "one", "conflicting"),
        ("conflicting",),
        after=SAME,
        quick=True,
    ),
    "rebase, conflict, skipped": Rewrite(
        "! git rebase -q conflicting && git rebase --skip",
        ("three", "one", "conflicting"),
        ("conflicting",),
        after={"one": "one", "two": None, "three": "three"},
        # git's own list says that what was skipped went into the commit before it.
        listed={"two": "one"},
    ),
    "pull --rebase": Rewrite("git pull -q --rebase . main", after=SAME),
    "cherry-pick": Rewrite("git cherry-pick other", ("other", "three", "two", "one"), quick=True),
    "cherry-pick, a range": Rewrite(
        "git branch keep && git checkout -q -B a main && git cherry-pick main..keep"
        " && git branch -q -D keep",
        after=SAME,
        short=BY_RECONCILE,
    ),
    "cherry-pick -n": Rewrite(
        "git cherry-pick -n other && git commit -q -m picked", ("picked", "three", "two", "one")
    ),
    "cherry-pick, conflict": Rewrite(
        "! git cherry-pick conflicting && echo both >y && git add y && git cherry-pick --continue",
        ("conflicting", "three", "two", "one"),
    ),
    "cherry-pick into the target": Rewrite(
        "git -C ../repo cherry-pick a",
        ("three",),
        tip="main^..main",
        short=BY_RECONCILE,
    ),
    "revert": Rewrite("git revert HEAD", ('Revert "three"', "three", "two", "one"), quick=True),
    "merge": Rewrite(
        "git merge -q -m merged other", ("merged", "other", "three", "two", "one"), ("other",)
    ),
    "merge, conflict": Rewrite(
        "! git merge -q conflicting && echo both >y && git add y && git commit -q -m merged",
        ("merged", "conflicting", "three", "two", "one"),
        ("conflicting",),
    ),
    "merge, fast-forward": Rewrite(
        "git reset -q --hard other^ && git merge -q other",
        ("other",),
        ("other",),
        after=dict.fromkeys(SAME),
        short=dict.fromkeys(COLUMNS, NOTHING),
    ),
    "merge --squash": Rewrite(
        "git merge -q --squash other && git commit -q -m squashed",
        ("squashed", "three", "two", "one"),
        quick=True,
    ),
    "merge --squash into the target": Rewrite(
        "git -C ../repo merge -q --squash a && git -C ../repo commit -q -m squashed",
        ("squashed",),
        tip="main^..main",
        short=BY_RECONCILE,
    ),
    "reset --soft and recommit": Rewrite(
        "git reset -q --soft HEAD~2 && git commit -q -m both",
        ("both", "one"),
        after={"two": "both", "three": "both"},
        quick=True,
        short=BY_RECONCILE,
    ),
    "reset --hard": Rewrite("git reset -q --hard HEAD~1", ("two", "one"), after={"three": None}),
    "plumbing, a whole branch": Rewrite(
        "new=$(git merge-base main a); for c in $(git rev-list --reverse main..a); do"
        ' new=$(git log -1 --format="%s, filtered" $c |'
        ' GIT_AUTHOR_DATE="$(git log -1 --format=%ad --date=raw $c)" git commit-tree'
        " $c^{tree} -p $new); done; git -C ../repo update-ref refs/heads/a $new",
        ("three, filtered", "two, filtered", "one, filtered"),
        after={name: f"{name}, filtered" for name in SAME},
        quick=True,
        short=BY_RECONCILE,
    ),
    "filter-branch": Rewrite(
        "FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter 'sed s/^/re/'"
        " main..a && git update-ref -d refs/original/refs/heads/a",
        ("rethree", "retwo", "reone"),
        after={name: f"re{name}" for name in SAME},
        short=BY_RECONCILE,
    ),
    "branch, renamed": Rewrite("git branch -m renamed"),
    "branch, deleted": Rewrite("git checkout -q --detach && git branch -q -D a"),
    "branch, forced": Rewrite(
        "git checkout -q --detach && git commit -q --allow-empty -m loose"
        " && git branch -f a HEAD && git checkout -q a",
        ("loose", "three", "two", "one"),
    ),
    "detached work": Rewrite(
        "git checkout -q --detach && git commit -q --allow-empty -m loose",
        ("loose", "three", "two", "one"),
    ),
    "detached work, left behind": Rewrite(
        "git checkout -q --detach && git commit -q --allow-empty -m loose && git checkout -q a",
        after={"loose": None},
    ),
    "stash": Rewrite("echo dirty >>x && git stash -q && git stash pop -q && git checkout -q x"),
    "squash on a server, fetched back": Rewrite(
        "git clone -q --bare ../repo ../server && git clone -q ../server ../other"
        " && git -C ../other merge -q --squash origin/a && git -C ../other commit -q -m squashed"
        " && git -C ../other push -q origin HEAD:main && git fetch -q ../server main"
        " && git reset -q --hard FETCH_HEAD",
        ("squashed",),
        after=dict.fromkeys(SAME, "squashed"),
        tip="main..HEAD",
        short=BY_RECONCILE,
    ),
    "am": Rewrite(
        "git format-patch -q --stdout HEAD~1 >../patch && git reset -q --hard HEAD~1"
        " && git am -q ../patch",
        after={"three": "three"},
        short=BY_RECONCILE,
    ),
}
TODO = """set -e
todo() { e=$1; shift; printf '#!/bin/sh\\nsed -i "%s" "$1"\\n' "$e" >"$HOME/todo"
chmod +x "$HOME/todo"; GIT_SEQUENCE_EDITOR=$HOME/todo git rebase -q -i "$@"; }
"""


def matrix() -> str:
    """The table in docs/HOOKS.md, as Markdown."""
    head = f"| rewrite | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}\n"
    rows = (
        f"| {name} | {' | '.join(case.cell(column) for column in COLUMNS)} |\n"
        for name, case in REWRITES.items()
    )
    return head + "".join(rows)


def main() -> None:
    page = ROOT / "docs/HOOKS.md"
    before, _, rest = page.read_text().partition(OPEN)
    page.write_text(before + OPEN + matrix() + CLOSE + rest.partition(CLOSE)[2])


if __name__ == "__main__":
    main()
