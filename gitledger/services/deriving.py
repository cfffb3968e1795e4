"""Many merges judged again at once, each as when it was decided on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gitledger.git.attributes import home_at, seen_from
from gitledger.git.workplace import runs_programs
from gitledger.model.rederived import DIFFERS, NOT_DERIVABLE, Rederived, compare
from gitledger.services.decided import conditions_in
from gitledger.services.forecast import foresee
from gitledger.services.question import Goal, Question, Side, Terms

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gitledger.git.repository import Repository
    from gitledger.git.worktrees import Worktree
    from gitledger.model.event import Event
    from gitledger.model.verdict import Pair

AT_ONCE = 256  # merges in one question: a few git processes for all of them
_TERMS = Terms(no_fetch=True, trees=True, fresh=True)
_PROGRAM = "a merge driver or a filter has a say, and nobody can tell whether it does the same"


@dataclass(frozen=True, slots=True)
class _Merge:
    """Two commits, ours first, and the worktree where the one was checked out, if any was."""

    ours: str
    theirs: str
    home: str | None


@dataclass(frozen=True)
class Deriving:
    """Where it is done: the worktrees by name, and whom to tell how far it is."""

    repo: Repository
    trees: Mapping[str, Worktree]
    tell: Callable[[int, int], None]

    def compared(self, events: Sequence[Event]) -> dict[str, Rederived]:
        """Event id to how its verdict came out. The commits of each must be there."""
        merges = {one.id: _merge(one.body) for one in events}
        derived = self._derived(list(merges.values()), _TERMS)
        found = {
            one.id: compare(one.body, derived[merge], self._now(merge))
            for one, merge in zip(events, merges.values(), strict=True)
        }
        return found | self._by_a_program(found, merges, derived)

    def _by_a_program(
        self,
        found: Mapping[str, Rederived],
        merges: Mapping[str, _Merge],
        derived: Mapping[_Merge, Pair],
    ) -> dict[str, Rederived]:
        """What came out otherwise and a program has a say in: no proof of a fault.

        Where a merge comes out the same without merge drivers, they have none.
        """
        differing = [one for one, told in found.items() if told.status == DIFFERS]
        filtered = [one for one in differing if self._runs_programs(merges[one], drivers=False)]
        driven = [one for one in differing if self._runs_programs(merges[one], drivers=True)]
        plain = self._derived([merges[one] for one in driven], _TERMS._replace(no_drivers=True))
        decided = [one for one in driven if plain[merges[one]] != derived[merges[one]]]
        return {
            one: replace(found[one], status=NOT_DERIVABLE, reason=_PROGRAM)
            for one in (*filtered, *decided)
        }

    def _runs_programs(self, merge: _Merge, *, drivers: bool) -> bool:
        home = home_at(self.repo, self.trees.get(merge.home or ""))
        return runs_programs(seen_from(self.repo.impartial(), home), drivers=drivers)

    def _derived(self, merges: Sequence[_Merge], terms: Terms) -> dict[_Merge, Pair]:
        wanted = list(dict.fromkeys(merges))
        found: dict[_Merge, Pair] = {}
        for start in range(0, len(wanted), AT_ONCE):
            self.tell(start, len(wanted))
            found |= self._asked(wanted[start : start + AT_ONCE], terms)
        return found

    def _asked(self, merges: Sequence[_Merge], terms: Terms) -> dict[_Merge, Pair]:
        sides = [
            Side(str(one), one.theirs, goal=Goal(one.ours, self.trees.get(one.home or "")))
            for one in merges
        ]
        question = Question(None, sides, committed_only=True, others=False, terms=terms)
        return dict(zip(merges, foresee(self.repo, question).pairs, strict=True))

    def _now(self, merge: _Merge) -> Mapping[str, Any]:
        if merge.home not in self._conditions:
            tree = self.trees.get(merge.home or "")
            self._conditions[merge.home] = conditions_in(self.repo, tree)
        return self._conditions[merge.home]

    @cached_property
    def _conditions(self) -> dict[str | None, dict[str, Any]]:
        return {}  # by worktree: one set of questions for all merges there


def _merge(body: Mapping[str, Any]) -> _Merge:
    home = body.get("home")
    return _Merge(body["ours"], body["theirs"], home if isinstance(home, str) else None)
