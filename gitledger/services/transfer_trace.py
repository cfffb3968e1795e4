"""What agents wrote, commit by commit, as Agent Trace records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitledger.git.commits import commit_times
from gitledger.interop.agent_trace import added, record
from gitledger.services.find import find_any, newest_first
from gitledger.services.live import look
from gitledger.services.snapshots import snapshots
from gitledger.services.work import commits_of, own_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitledger.git.repository import Repository
    from gitledger.services.live import LiveAgent, View


def traces(repo: Repository, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A record for each commit of the named agents, else of all in the live ledger.

    The oldest agent first, and its oldest commit. Merges add no lines of their own.
    """
    view = look(repo)
    agents = [find_any(view, one)[0] for one in names] or newest_first(view.agents)[::-1]
    told = snapshots(view, agents)
    commits = _commits(view, agents)
    wanted = list(dict.fromkeys(oid for oids in commits.values() for oid in oids))
    lines, times = added(_patches(repo, wanted)), commit_times(repo, wanted)
    for one in told:
        for oid in commits[one["id"]]:
            if lines.get(oid):
                yield record(one, oid, times.get(oid, 0), lines[oid])


def _commits(view: View, agents: Sequence[LiveAgent]) -> dict[str, list[str]]:
    """The commits of each agent, the oldest first; of an ended one those its end froze."""
    owned = own_changes(view, agents)
    return {name: list(reversed(commits_of(view.repo, own))) for name, own in owned.items()}


def _patches(repo: Repository, commits: Sequence[str]) -> bytes:
    words = ("diff-tree", "--stdin", "--root", "-r", "-p", "-U0", "--no-renames")
    plain = ("--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/")
    asked = "".join(f"{one}\n" for one in commits).encode()
    return repo.git.run(*words, *plain, stdin=asked).stdout
