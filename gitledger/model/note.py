"""What a note on a commit says: who made it, in which iteration, in place of what.

Lines of `key: value`, as trailers are. Source: docs/FORMAT.md, "Notes".
"""

from __future__ import annotations

from typing import NamedTuple


class Note(NamedTuple):
    """The record of one commit. `found` is empty for what a hook saw.

    `agent` is empty where a hook saw the commit under an agent that it did not
    know: the commit is withheld, and given to nobody later.
    """

    agent: str
    iteration: int = 0
    supersedes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # agents whose commits it was picked or squashed from
    found: str = ""  # reconcile, inferred
    extra: tuple[str, ...] = ()  # lines of a newer version, kept word for word

    def render(self) -> str:
        lines = [f"agent: {self.agent}", f"iteration: {self.iteration}"] if self.agent else []
        lines += [f"supersedes: {one}" for one in self.supersedes]
        lines += [f"from: {one}" for one in self.sources]
        lines += [f"source: {self.found}"] if self.found else []
        return "\n".join([*lines, *self.extra, ""])


def parse_note(words: str) -> Note:
    """The note that a text is; without an agent where it names none."""
    values: dict[str, list[str]] = {}
    extra: list[str] = []
    for line in words.splitlines():
        key, colon, value = line.partition(": ")
        if colon and key in {"agent", "iteration", "supersedes", "from", "source"}:
            values.setdefault(key, []).append(value)
        elif line.strip():
            extra.append(line)
    iteration = values.get("iteration", ["0"])[-1]
    return Note(
        values.get("agent", [""])[-1],
        int(iteration) if iteration.isdecimal() else 0,
        tuple(values.get("supersedes", ())),
        tuple(values.get("from", ())),
        values.get("source", [""])[-1],
        tuple(extra),
    )
