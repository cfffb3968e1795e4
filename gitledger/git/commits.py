"""Small questions about commits, each asked for many at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.objects import read_objects, resolve
from gitledger.git.process import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.git.repository import Repository

_PICKED = re.compile(rb"^\(cherry picked from commit ([0-9a-f]{40,64})\)$", re.MULTILINE)


class Signature(NamedTuple):
    """What survives a pick or a rebase: who wrote a commit and when, in git's words."""

    author: str  # name, email, Unix time and zone
    subject: str
    picked_from: str | None = None  # what `cherry-pick -x` wrote down
    committed: int = 0  # Unix seconds
    tree: str = ""
    parents: tuple[str, ...] = ()

    @property
    def time(self) -> int:
        """When it was written, Unix seconds; 0 where git's line can't be read."""
        when = self.author.rpartition("> ")[2].partition(" ")[0]
        return int(when) if when.isdigit() else 0


def rev_list(
    repo: Repository,
    include: Iterable[str | None],
    exclude: Iterable[str | None] = (),
    since: int | None = None,
    *,
    topological: bool = False,
) -> list[str]:
    """Commits reachable from `include` and not from `exclude`, newest first.

    Ids only: nothing here is parsed as an option. Missing ones are passed over.
    `since` (Unix seconds) stops the walk at older commits. Commits of one second from
    several starts come in any order, unless it is to be `topological`.
    """
    wanted = [one for one in include if one]
    if not wanted:
        return []
    asked = "\n".join([*wanted, *(f"^{one}" for one in exclude if one), ""]).encode()
    bound = () if since is None else (f"--since={since}",)
    order = ("--topo-order",) if topological else ()
    found = repo.git.run("rev-list", "--ignore-missing", *bound, *order, "--stdin", stdin=asked)
    return text(found.stdout).split()


def is_ancestor(repo: Repository, old: str, new: str) -> bool:
    """Whether `new` contains `old`. False too where either is missing."""
    return repo.git.try_run("merge-base", "--is-ancestor", old, new).status == 0


def signatures(repo: Repository, commits: Sequence[str]) -> dict[str, Signature]:
    """Author and subject of each commit that is there. One process."""
    found = zip(commits, read_objects(repo, commits), strict=True)
    return {oid: _signature(one.content) for oid, one in found if one and one.kind == "commit"}


def _signature(content: bytes) -> Signature:
    head, _, message = content.partition(b"\n\n")
    lines = head.split(b"\n")
    author = next((line[7:] for line in lines if line.startswith(b"author ")), b"")
    picked = _PICKED.search(message)
    subject = text(message.lstrip(b"\n").split(b"\n", 1)[0])
    tree = text(lines[0].removeprefix(b"tree "))
    parents = tuple(text(line[7:]) for line in lines if line.startswith(b"parent "))
    source = picked[1].decode() if picked else None
    return Signature(text(author), subject, source, _committed(lines), tree, parents)


def _committed(lines: list[bytes]) -> int:
    line = next((line for line in lines if line.startswith(b"committer ")), b"")
    when = line.rpartition(b"> ")[2].partition(b" ")[0]
    return int(when) if when.isdigit() else 0


def trailers(repo: Repository, commits: Sequence[str], key: str) -> dict[str, str]:
    """The last value of a trailer of each commit that has it. Missing commits have none."""
    kinds = zip(commits, resolve(repo, commits), strict=True)
    there = [one for one, kind in kinds if kind and kind[1] == "commit"]
    if not there:
        return {}
    form = f"--format=%H%x09%(trailers:key={key},valueonly,separator=%x09)"
    words = ("log", "--no-walk=unsorted", "--stdin", "-z", form)
    asked = "".join(f"{one}\n" for one in there).encode()
    done = repo.git.run("-c", "log.showSignature=false", *words, stdin=asked)
    rows = (record.strip("\n").split("\t") for record in text(done.stdout).split("\0"))
    return {row[0]: row[-1] for row in rows if len(row) > 1 and row[-1]}


_PATCH = ("diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", "--full-index")
_BACK = ("-R", "--src-prefix=b/", "--dst-prefix=a/")  # -R swaps them, and they count
_HERE_ONLY = {"GIT_NO_LAZY_FETCH": "1"}  # git >= 2.45: a partial clone fetches nothing for this


def patch_ids(repo: Repository, commits: Sequence[str], *, undone: bool = False) -> dict[str, str]:
    """The stable patch id of each single-parent commit; `undone`, of what takes it back again.

    Two processes for all. A commit that changes nothing, and a merge, has none; so has
    every one where a content is missing that a partial clone can't get.
    """
    words = [*_PATCH, "--stdin", "--root", *(_BACK if undone else ())]
    return _patches(repo, words, "".join(f"{one}\n" for one in commits))


def _patches(repo: Repository, words: Sequence[str], asked: str) -> dict[str, str]:
    """Commit to patch id, of what a diff-tree that reads `asked` prints."""
    if not asked:
        return {}
    made = repo.git.try_run(*words, stdin=asked.encode(), env=_HERE_ONLY)
    if made.status:
        return {}
    rows = repo.git.lines("patch-id", "--stable", stdin=made.stdout)
    return {commit: patch for patch, commit in (row.split(" ") for row in rows)}


def subjects(repo: Repository, commits: Sequence[str]) -> dict[str, str]:
    """The first line of each commit's message, where it is there. One process."""
    found = signatures(repo, commits)
    return {oid: one.subject for oid, one in found.items()}


def range_patch_id(repo: Repository, base: str, tip: str) -> str | None:
    """The stable patch id of a whole range as one change; None as in `patch_ids`."""
    return range_patch_ids(repo, [(base, tip)]).get((base, tip))


def range_patch_ids(
    repo: Repository, spans: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """The stable patch id of the change from the first to the second of each pair.

    Two processes for all, unless a second is there with several firsts: git names no others.
    """
    rounds: list[dict[str, str]] = []
    for base, tip in dict.fromkeys(spans):
        fresh = next((one for one in rounds if tip not in one), None)
        if fresh is None:
            rounds.append(fresh := {})
        fresh[tip] = base
    found: dict[tuple[str, str], str] = {}
    for bases in rounds:
        asked = "".join(f"{tip} {base}\n" for tip, base in bases.items())
        patches = _patches(repo, [*_PATCH, "--stdin"], asked)
        found |= {(bases[tip], tip): patch for tip, patch in patches.items()}
    return found


def commit_times(repo: Repository, commits: Sequence[str]) -> dict[str, int]:
    """When each commit was made (the committer's clock, Unix seconds), where it is there."""
    return {oid: one.committed for oid, one in signatures(repo, commits).items()}
