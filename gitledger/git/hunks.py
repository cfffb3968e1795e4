"""What changed between two texts, by git's own diff: in process, without a repository.

libgit2 is what fits here: the texts are at hand already, possibly of a repository that
it could not open, and a process for each would cost 2 ms. Imported where it is needed.
"""

from __future__ import annotations

Hunk = tuple[int, int, int, int]  # old start, old end, new start, new end; lines from 0


def hunks(old: bytes, new: bytes) -> list[Hunk] | None:
    """The changed lines of two texts, without context; None where git calls one binary."""
    import pygit2

    patch = pygit2.Patch.create_from(old, new, context_lines=0, interhunk_lines=0)
    if patch is None or patch.delta.is_binary:
        return None
    return [
        _placed(*h)
        for h in ((x.old_start, x.old_lines, x.new_start, x.new_lines) for x in patch.hunks)
    ]


def _placed(old: int, old_lines: int, new: int, new_lines: int) -> Hunk:
    """git counts lines from 1, and an empty side by the line before it."""
    start = old - 1 if old_lines else old
    there = new - 1 if new_lines else new
    return start, start + old_lines, there, there + new_lines
