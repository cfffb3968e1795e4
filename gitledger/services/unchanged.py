"""Whether anything has happened since everything was on record: two git processes.

A hint in the common dir, safe to delete: without it everything is looked at again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from gitledger import __version__
from gitledger.model.names import NOTES, NOTES_BESIDE
from gitledger.store.places import place, write_whole

if TYPE_CHECKING:
    from gitledger.git.repository import Repository

FILE = "unchanged.json"
ALL = ("refs/heads/", "refs/remotes/", "refs/ledger/", NOTES, NOTES_BESIDE)
FORM = "--format=%(objectname) %(refname)"


@dataclass(frozen=True)
class State:
    """Digests: of every branch, worktree, note and agent's head; of the agents' own refs.

    Of an agent's head `agents` has that it is there, and `places` where it is.
    """

    places: str
    agents: str


def now(repo: Repository) -> State:
    """As refs and worktrees are; a HEAD that moved shows in the list of worktrees."""
    refs = repo.git.run("for-each-ref", FORM, *ALL).stdout.split(b"\n")
    refs = [one for one in refs if b" refs/ledger/sessions/" not in one]
    own = [one for one in refs if b" refs/ledger/" in one]
    agents = [one.partition(b" ")[2] if one.endswith(b"/head") else one for one in own]
    rest = [one for one in refs if b" refs/ledger/" not in one or one.endswith(b"/head")]
    trees = repo.git.run("worktree", "list", "--porcelain", "-z").stdout
    return State(_digest(trees, *rest, __version__.encode()), _digest(*agents))


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\n".join(parts)).hexdigest()


def before(repo: Repository) -> State | None:
    """What `settle` wrote last, None where there is nothing to read."""
    try:
        with open(place(repo, FILE), "rb") as file:
            found = json.load(file)
        return State(str(found["places"]), str(found["agents"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def settle(repo: Repository, state: State) -> None:
    """Everything was on record in that state."""
    write_whole(place(repo, FILE), json.dumps(asdict(state)).encode())
