"""What the sides of a question have in common, and what each has changed since."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gitledger.errors import GitError
from gitledger.git import changes
from gitledger.git.graph import bases_of, is_shallow
from gitledger.git.objects import resolve
from gitledger.git.process import text
from gitledger.model.candidates import Touched, meeting
from gitledger.model.verdict import UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.graph import Bases
    from gitledger.git.repository import Repository
    from gitledger.git.scratch import Scratch
    from gitledger.model.candidates import Shape

Tips = tuple[str, str]  # two commits, ours first
_TREE = "040000"


class Ground:
    """Merge bases of pairs of commits, and what lies between those and other commits.

    `missing` are commits that are not there, or whose history is not; `shapes` are those that
    were surveyed, as they differ from `reference`, None where trees are missing.
    """

    def __init__(self, repo: Repository, pairs: Iterable[Tips], more: Iterable[Tips] = ()) -> None:
        """`more` pairs are looked at along the way, where nothing is missing."""
        self.repo = repo
        wanted, beside = list(dict.fromkeys(pairs)), list(dict.fromkeys(more))
        self.missing = _missing(repo, [one for pair in (*wanted, *beside) for one in pair])
        there, along = (
            [pair for pair in some if not self.missing.intersection(pair)]
            for some in (wanted, beside)
        )
        found = self._walked(there, along)
        self.bases = {pair: found[pair] for pair in there if pair in found}
        self._beside = {pair: found[pair] for pair in along if pair in found}
        counted = Counter(base for found in self.bases.values() for base in found)
        self.reference = counted.most_common(1)[0][0] if counted else ""
        self.shapes: dict[str, Shape | None] = {}
        self._touched: dict[Tips, Touched | None] = {}

    def _walked(self, pairs: Sequence[Tips], more: Sequence[Tips]) -> Bases:
        try:
            return bases_of(self.repo, [*pairs, *more])
        except GitError:  # perhaps of those that nobody has to know
            return self._bases(pairs)

    def _bases(self, pairs: Sequence[Tips]) -> Bases:
        try:
            return bases_of(self.repo, pairs)
        except GitError:
            return self._one_by_one(pairs)

    def _one_by_one(self, pairs: Sequence[Tips]) -> Bases:
        """Where a commit is missing in somebody's history: only that one is lost."""
        found: Bases = {}
        for one, other in pairs:
            done = self.repo.git.try_run("merge-base", "--all", one, other)
            if done.status in {0, 1}:
                found[one, other] = tuple(sorted(done.line.split()))
            else:
                self.missing |= {one, other}
        return found

    def lacks(self, commit: str | None, other: str) -> bool:
        """Whether a pair looked at along the way is known not to be in one line."""
        bases = self._beside.get((commit or "", other))
        return bases is not None and other not in bases

    def in_line(self, pairs: Iterable[Tips]) -> set[Tips]:
        """Those of the pairs of which the second contains the first."""
        wanted = list(pairs)
        bases = self._bases(wanted)
        return {pair for pair in wanted if bases.get(pair) == pair[:1]}

    def why_unknown(self, tips: Tips) -> str | None:
        """Why these two can't be merged; None where they have a merge base."""
        if self.bases.get(tips):
            return None
        if self.missing.intersection(tips):
            return "missing objects: a commit, or one in its history"
        if is_shallow(self.repo):
            return "no merge base: the history is shallow"
        return UNRELATED

    def survey(self, commits: Iterable[str], scratch: Scratch) -> None:
        """Compare these commits and all merge bases with the reference. One process."""
        bases = (base for found in self.bases.values() for base in found)
        wanted = [one for one in dict.fromkeys([*bases, *commits]) if one not in self.shapes]
        git = self.repo.git
        known = type(git)(git.directory, git.git_dir, {**git.extra, **scratch.env})
        if self.reference and wanted:
            self.shapes |= changes.shapes(known, self.reference, wanted)
            self._touched.clear()

    def directory(self, commit: str, folder: bytes) -> str:
        """A directory of a commit, as git is asked for it: the same one by the same name."""
        path, shape = text(folder), self.shapes.get(commit)
        if not path or shape is None:
            return f"{commit}:{path}"
        state = shape.states.get(f"{path}/", (_TREE, f"{self.reference}:{path}"))
        return state[1] if state else f"{commit}:{path}"

    def touched(self, base: str, commit: str) -> Touched | None:
        """What lies between the two; None where trees are missing."""
        if (base, commit) not in self._touched:
            old, new = self.shapes.get(base), self.shapes.get(commit)
            self._touched[base, commit] = Touched(old, new) if old and new else None
        return self._touched[base, commit]

    def files(self, base: str | None, commit: str | None) -> frozenset[str] | None:
        """The paths touched between the two, both names of a renamed one."""
        found = self.touched(base, commit) if base and commit else None
        return found.files if found else None

    def meeting(self, pairs: Iterable[tuple[Tips, Tips]]) -> set[Tips]:
        """Those for which git must be asked; from (committed tips, commits to merge)."""
        groups: dict[str, list[Tips]] = {}
        found: set[Tips] = set()
        for tips, commits in pairs:
            bases = self.bases[tips]
            known = len(bases) == 1 and all(self.touched(bases[0], one) for one in commits)
            if known:
                groups.setdefault(bases[0], []).append(commits)
            else:
                found.add(commits)
        for base, group in groups.items():
            sides = {one: self.touched(base, one) for pair in group for one in pair}
            found |= meeting({name: one for name, one in sides.items() if one}, group)
        return found

    def both_touch(self, tips: Tips, commits: Tips) -> bool:
        """Whether some path is touched by both, counted from any merge base."""
        for base in self.bases[tips]:
            ours, theirs = (self.files(base, one) for one in commits)
            if ours is None or theirs is None or not ours.isdisjoint(theirs):
                return True
        return False

    def both_move_a_submodule(self, tips: Tips, commits: Tips) -> bool:
        """Whether the worktree of the merge has a say: git looks there for the submodule."""
        for base in self.bases[tips]:
            ours, theirs = (self.touched(base, one) for one in commits)
            if ours is None or theirs is None or (ours.links and theirs.links):
                return True
        return False


def _missing(repo: Repository, commits: Iterable[str]) -> set[str]:
    wanted = list(dict.fromkeys(commits))
    return {one for one, found in zip(wanted, resolve(repo, wanted), strict=True) if found is None}
