"""Start-up is what a person waits for: which commands may import what.

Measured on one machine, medians: Python 8 ms, with click 31, `git ledger -h` 41,
`who` 101; json adds 6 ms, subprocess 8, rich 25, pygit2 50.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support import Place

# The last one is what only uncommitted work is looked at with.
WATCHED = ("json", "markdown_it", "pygit2", "rich", "subprocess", "yaml", "gitledger.git.status")
MAY_IMPORT = {
    "-h": "",
    "--version": "",
    "help spawn": "",
    "nosuch": "",
    "reconcile": "json subprocess",
    "who": "json subprocess",
    "list": "json subprocess",
    "conflicts": "json subprocess",
    "check main": "json subprocess",
    "merge main": "json subprocess",
    "session show": "json subprocess",
    "markers": "subprocess",
    "spawn x": "json subprocess",
    "adopt --all": "json subprocess",
    "init": "json subprocess",
}
TELL = """
import sys
from gitledger.cli.main import run
run(sys.argv[1:])
print(*(one for one in {watched!r} if one in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("line", MAY_IMPORT)
def test_what_a_command_imports(repo: Place, line: str) -> None:
    done = repo.python("-c", TELL.format(watched=WATCHED), *line.split())
    imported = set(done.stderr.splitlines()[-1].split())
    assert imported <= set(MAY_IMPORT[line].split())
