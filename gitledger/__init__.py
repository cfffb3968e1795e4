"""git-ledger: who works where, who made which commit, and who will collide.

`gitledger.open(path)` is the door for Python programs: see `gitledger.api`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitledger.api import Ledger as Ledger
    from gitledger.api import Snapshot as Snapshot
    from gitledger.api import open as open  # noqa: A004 - it is called gitledger.open

__version__ = "0.1.0"
__all__ = ["Ledger", "Snapshot", "__version__", "open"]


def __getattr__(name: str) -> Any:
    """The public names, loaded only when asked for: every command imports this package."""
    if name not in __all__:
        raise AttributeError(f"module 'gitledger' has no attribute '{name}'")
    from gitledger import api

    return getattr(api, name)
