"""Which pages there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.pages import bash, fish, man, zsh
from docs.pages.shape import shapes

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs.pages.shape import Shape

PAGES: dict[str, Callable[[list[Shape]], str]] = {
    "git-ledger.1": man.page,
    "git-ledger.bash": bash.page,
    "_git-ledger": zsh.page,
    "git-ledger.fish": fish.page,
}


def written(name: str) -> str:
    """The content of that page for the commands as they are."""
    return PAGES[name](shapes())
