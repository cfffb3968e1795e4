"""A page whose console blocks are what the commands in them really print.

A block stands between `<!-- run: NAME -->` and `<!-- end -->`. Dates, times, ids and
paths that differ each time are replaced by ones that do not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support import Place

SUBMODULE = "160000"  # a mode, and no id
_FIXED = (
    (r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-12-01 10:00"),
    (r"\d{4}-\d\d-\d\d(?=-|\b)", "2026-12-01"),
    (r"\b\d+m \d\ds\b", "1m 30s"),
)


@dataclass
class Console:
    """Runs commands in a place and keeps what a terminal would show of them."""

    place: Place
    blocks: dict[str, list[str]] = field(default_factory=dict)

    def show(self, block: str, *commands: str) -> None:
        """Run shell commands, and keep them and their output under the name of a block."""
        for command in commands:
            # Talk and data in the order in which a terminal gets them.
            done = self.place.run("sh", "-c", f"{{ {command}\n}} 2>&1", env={"COLUMNS": "100"})
            lines = [f"$ {command}", *done.stdout.splitlines()]
            if done.returncode:
                lines.append(f"(exit {done.returncode})")
            self.blocks.setdefault(block, []).append("\n".join(lines))

    def written(self, text: str) -> str:
        """The page with every block as it is now."""
        for name, parts in self.blocks.items():
            content = self.fixed("\n\n".join(parts))
            mark = rf"(<!-- run: {name} -->\n)(.*?)(<!-- end -->)"
            text, count = re.subn(mark, _put(content), text, flags=re.DOTALL)
            if count != 1:
                raise ValueError(f"{count} blocks '{name}' in the page")
        return text

    def fixed(self, text: str) -> str:
        text = text.replace(str(self.place.path.parent), "/home/you")
        for pattern, value in _FIXED:
            text = re.sub(pattern, value, text)
        return with_fixed_ids(text)


def with_fixed_ids(text: str) -> str:
    """Each id in hex, whole or at the end of an agent's id, by the order of appearance."""
    seen: dict[str, str] = {}

    def fixed(found: re.Match[str]) -> str:
        if found[0] == SUBMODULE:
            return found[0]
        digit = seen.setdefault(found[0][:6], f"{len(seen) + 1:x}")
        return digit * len(found[0])

    return re.sub(r"\b(?=[0-9a-f]*[0-9])(?:[0-9a-f]{6,12}|[0-9a-f]{40})\b", fixed, text)


def _put(content: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{found[1]}```console\n{content}\n```\n{found[3]}"
