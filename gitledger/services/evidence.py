"""What is known of commits that no hook recorded, gathered from git for many at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitledger.git.commits import rev_list, trailers
from gitledger.git.reflogs import read_reflogs
from gitledger.git.refs import list_refs
from gitledger.model.holding import SLACK, Binding, bindings, holder, seconds
from gitledger.model.names import MAIN_WORKTREE
from gitledger.model.ownership import Evidence
from gitledger.services.squashes import squashed_from
from gitledger.services.twins import twins_of
from gitledger.store import notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.model.note import Note
    from gitledger.model.reflog import Entry
    from gitledger.services.live import View

TRAILER = "Ledger-Agent"


@dataclass(frozen=True)
class Witness:
    """Reads what it needs once, and only when a question needs it."""

    view: View

    @cached_property
    def reflogs(self) -> dict[str, list[Entry]]:
        """Every worktree's HEAD reflog by worktree, oldest entry first."""
        refs = {tree.head_ref(): tree.name for tree in self.view.worktrees}
        read = read_reflogs(self.view.repo, list(refs))
        return {refs[ref]: entries[::-1] for ref, entries in read.items()}

    @cached_property
    def made(self) -> dict[str, list[tuple[str, int]]]:
        """Commit to the worktrees that made it, with the time."""
        found: dict[str, list[tuple[str, int]]] = {}
        for worktree, entries in self.reflogs.items():
            for entry in entries:
                if entry.made_here:
                    found.setdefault(entry.oid, []).append((worktree, entry.time))
        return found

    @cached_property
    def originals(self) -> set[str]:
        """Commits that a plain `git commit` made, which are no copies of another."""
        return {e.oid for entries in self.reflogs.values() for e in entries if e.original}

    @cached_property
    def bindings(self) -> list[Binding]:
        recorded = [
            one
            for ref, events in self.view.events.items()
            for one in bindings(self.view.ids.get(ref, ""), events)
        ]
        late = [
            Binding(one.id, one.worktree.name, seconds(one.agent.spawned_at or "") or 0.0)
            for one in self.view.agents
            if not one.recorded and one.worktree
        ]
        return recorded + late

    def holder(self, worktree: str, time: int) -> str | None:
        """The agent that held the worktree then; None where it has no pointer now."""
        if self.view.held_by(worktree) is None:
            return None
        entries = self.reflogs.get(worktree)
        born = float(entries[0].time) if entries else 0.0
        return holder(self.bindings, worktree, time, born)

    def maker(self, commit: str, worktree: str, time: int) -> str | None:
        """The agent that held the worktree, unless the commit stood before that agent came.

        Asked of git only where the agent came to a worktree that was there: a linked
        one has commits of its own from the agent's spawn on.
        """
        agent = self.holder(worktree, time)
        if agent is None or (worktree != MAIN_WORKTREE and not self._came_later(agent, time)):
            return agent
        return agent if commit in self._newer(agent) else None

    def made_by(self, commit: str) -> str | None:
        """The agent in whose worktree a commit was made, by the reflogs alone."""
        makers = (self.maker(commit, *one) for one in self.made.get(commit, ()))
        return next((one for one in makers if one), None)

    def _came_later(self, agent: str, time: int) -> bool:
        return all(one.since > time + SLACK for one in self.bindings if one.agent == agent)

    @cached_property
    def _newer_of(self) -> dict[str, set[str]]:
        return {}

    def _newer(self, agent: str) -> set[str]:
        """Those of the commits that worktrees made which the agent's spawn commit has not."""
        known = self._newer_of
        if agent not in known:
            spawn = self.view.by_id[agent].agent.spawn_commit
            known[agent] = set(rev_list(self.view.repo, self.made, [spawn]))
        return known[agent]

    def evidence(self, commits: Sequence[str]) -> dict[str, Evidence]:
        """What is known of each commit, by its id."""
        noted = notes.lookup(self.view.repo, commits)
        named = self._trailers(commits)
        open_ones = [one for one in commits if one not in noted]
        copies = [one for one in open_ones if one not in self.originals]
        twins = twins_of(self.view, copies, self.made_by)
        twins |= squashed_from(self.view, [one for one in open_ones if self._foreign(one, twins)])
        alone = self._alone(one for one in open_ones if one not in self.made and one not in twins)
        return {
            one: self._of(
                one, noted.get(one, {}), named.get(one), twins.get(one), alone.get(one, ())
            )
            for one in commits
        }

    def _foreign(self, commit: str, twins: dict[str, str]) -> bool:
        """Not made in an agent's worktree, and no single commit of an agent repeated."""
        made = self.made.get(commit, [])
        return commit not in twins and not any(self.maker(commit, *one) for one in made)

    def _of(
        self,
        commit: str,
        noted: dict[str, Note],
        trailer: str | None,
        twin: str | None,
        alone: tuple[str, ...],
    ) -> Evidence:
        made = [] if noted else self.made.get(commit, [])
        holders = [self.maker(commit, worktree, time) for worktree, time in made]
        return Evidence(
            tuple((place, note) for place, note in noted.items() if note.agent),
            any(not note.agent for note in noted.values()),
            trailer,
            tuple(dict.fromkeys(one for one in holders if one)),
            any(one is None for one in holders),
            twin,
            alone,
        )

    def _trailers(self, commits: Sequence[str]) -> dict[str, str]:
        if not self.view.repo.config.flag("ledger.trailer", default=False):
            return {}
        return trailers(self.view.repo, commits, TRAILER)

    def _alone(self, commits: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The live agents on whose branch alone each commit is."""
        wanted = set(commits)
        if not wanted:
            return {}
        repo = self.view.repo
        heads = list_refs(repo, "refs/heads/", "refs/remotes/")
        found: dict[str, tuple[str, ...]] = {}
        for one in self.view.live:
            own = {one.tip} | {
                oid for ref, oid in heads.items() if ref == f"refs/heads/{one.branch}"
            }
            others = [oid for oid in heads.values() if oid not in own]
            tips = [other.tip for other in self.view.agents if other.id != one.id]
            apart = rev_list(repo, [one.tip], [one.agent.spawn_commit, *others, *tips])
            for oid in wanted.intersection(apart):
                found[oid] = (*found.get(oid, ()), one.id)
        return found
