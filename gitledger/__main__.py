"""`git-ledger`, and with it `git ledger`: one function, so that it starts fast."""

from __future__ import annotations

import gc
import sys

_SELDOM = 100_000  # objects: else a tenth of a short run goes into looking for cycles


def main() -> None:
    """Run the command line and exit with its code (the table in DESIGN section 5)."""
    gc.set_threshold(_SELDOM)
    from gitledger.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
