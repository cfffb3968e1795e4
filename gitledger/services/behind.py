"""What stands behind a conflict: each side's commits, and work, in the files they meet in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitledger.git.process import LITERAL, text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.verdict import Pair
    from gitledger.services.judging import Judgement

MOST_COMMITS = 3


class Behind(NamedTuple):
    """One side: its name (of the target the target's), its title, and the newest commits there.

    `uncommitted`: it has work there that no commit has.
    """

    name: str
    title: str | None
    commits: tuple[tuple[str, str], ...]  # id and subject
    uncommitted: bool = False


def behind(repo: Repository, judged: Judgement, pair: Pair) -> list[Behind]:
    """Both sides of a conflict, `a` first. Two processes."""
    found = []
    facts = {one.side.id: one for one in judged.forecast.facts}
    names = pair.names
    for name, tip in _ends(judged, pair):
        title = judged.titles.get(name)
        # Who renamed a directory has touched none of the names, but what lay beside them.
        commits = _commits(repo, pair, tip, names) or _commits(repo, pair, tip, _above(pair))
        dirty = name in facts and _meet(facts[name].uncommitted, names)
        found.append(Behind(name, title, commits, dirty))
    return found


def _ends(judged: Judgement, pair: Pair) -> list[tuple[str, str]]:
    tips = {one.side.id: one.side.tip for one in judged.forecast.facts}
    target = judged.aims.of(pair.a)
    other = tips.get(pair.b) if pair.b else target.oid if target else None
    ends = ((pair.a, tips.get(pair.a)), (pair.b or judged.into(pair.a), other))
    return [(name, tip) for name, tip in ends if tip]


def _commits(
    repo: Repository, pair: Pair, tip: str, paths: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    if not pair.bases or not paths:
        return ()
    span = [f"^{one}" for one in pair.bases]
    form = ("-c", "log.showSignature=false", "log", "-z", "--format=%H%x09%s")
    words = (*form, f"--max-count={MOST_COMMITS}", tip, *span, "--", *paths)
    rows = [text(record).partition("\t") for record in repo.git.run(*words, env=LITERAL).records]
    return tuple((oid, subject) for oid, _, subject in rows)


def _above(pair: Pair) -> list[str]:
    directories = (name.rpartition("/")[0] for name in pair.names)
    return list(dict.fromkeys(one for one in directories if one))


def _meet(files: Collection[str], names: Sequence[str]) -> bool:
    """Whether one of the files is one of the names, or below it, or above."""
    return any(
        one == name or one.startswith(f"{name}/") or name.startswith(f"{one}/")
        for one in files
        for name in names
    )
