"""What `git merge` really makes of two commits, and where a verdict differs from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import histories as h

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path


@dataclass(frozen=True)
class Truth:
    """What git merge did: `clean` None where git itself broke.

    Not `told` where it could not even check out: the clone lacks an object that no merge
    needs. Such a merge is no agreement, and no difference.
    """

    clean: bool | None
    paths: frozenset[bytes] = frozenset()
    said: bytes = b""
    told: bool = True


LABEL = re.compile(rb"~(HEAD|[0-9a-f]{40})(?=_|$)")
SIDE = re.compile(rb"~side(_\d+)?$")
NOT_THERE = b"unable to read sha1 file"  # a checkout's words; a merge that reads has others


def plain(path: bytes) -> bytes:
    """Without the name of the side that git adds to a path it had to move away."""
    return LABEL.sub(b"~side", path)


def really_merge(clone: Path, ours: str, theirs: str) -> Truth:
    """Run git merge in a scratch clone that is at nothing in particular."""
    done = _merge(clone, ours, theirs)
    if b"would be overwritten" in done.stderr + done.stdout:
        h.git(clone, "clean", "-q", "-ffdx")
        done = _merge(clone, ours, theirs)
    if done.returncode == 0:
        return Truth(clean=True)
    if done.returncode == 1 and b"CONFLICT" in done.stdout:
        unmerged = h.git(clone, "ls-files", "-u", "-z").stdout.split(b"\0")[:-1]
        return Truth(
            False, frozenset(plain(one.split(b"\t", 1)[1]) for one in unmerged), done.stdout
        )
    (clone / ".git" / "index.lock").unlink(missing_ok=True)  # git may die of an assertion
    said = done.stdout + done.stderr
    return Truth(None, said=said, told=NOT_THERE not in said)


def _merge(clone: Path, ours: str, theirs: str) -> subprocess.CompletedProcess[bytes]:
    """Both steps, the checkout of ours and the merge; the one that failed, if one did."""
    done = h.git(clone, "reset", "-q", "--hard", ours, ok=())
    if done.returncode and NOT_THERE not in done.stderr:
        raise RuntimeError(f"git reset {ours}: {done.stderr.decode()}")
    return done if done.returncode else h.git(clone, "merge", "--no-edit", "--no-ff", theirs, ok=())


def difference(pair, truth: Truth) -> str | None:
    """What a verdict says otherwise than git did; None where they agree."""
    if truth.clean is None:
        return None if pair.verdict == "unknown" else f"git broke {truth.said[-200:]!r}"
    if pair.verdict == "unknown":
        return f"unknown, but git merges: {pair.reason}"
    if truth.clean != (pair.verdict in {"clean", "overlap"}):
        return f"WRONG VERDICT, git says {'clean' if truth.clean else 'conflict'}"
    return None if truth.clean else _other_paths(pair, truth)


def _other_paths(pair, truth: Truth) -> str | None:
    names = (name for one in pair.paths for name in (one.path, *one.moved_to))
    told = {plain(name.encode("utf-8", "surrogateescape")) for name in names}
    more = {one for one in told - truth.paths if SIDE.sub(b"", one) not in truth.said}
    if truth.paths - told or more:
        return f"other paths {sorted(told)} for {sorted(truth.paths)}"
    return None
