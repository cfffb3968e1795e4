from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gitledger import __version__
from gitledger.interop.agent_trace import Lines, added

if TYPE_CHECKING:
    from tests.support import Place


def test_a_record_for_each_commit_of_an_agent(repo: Place) -> None:
    repo.ledger("spawn", "Parse dates", "--id", "one", "--role", "coder")
    work = repo.at("../repo-one")
    first = work.commit("first", dates="1\n2\n3\n")
    second = work.commit("second", dates="1\ntwo\n3\n4\n")
    work.git("commit", "-q", "--allow-empty", "-m", "nothing")
    out = repo.ledger("export", "agent-trace")
    assert (out.returncode, out.stderr) == (0, "")
    records = [json.loads(line) for line in out.stdout.splitlines()]
    assert [one["vcs"]["revision"] for one in records] == [first, second]
    record = records[1]
    assert record == {
        "version": "0.1.0",
        "id": record["id"],
        "timestamp": record["timestamp"],
        "vcs": {"type": "git", "revision": second},
        "tool": {"name": "git-ledger", "version": __version__},
        "files": [
            {
                "path": "dates",
                "conversations": [
                    {
                        "contributor": {"type": "ai"},
                        "ranges": [
                            {"start_line": 2, "end_line": 2},
                            {"start_line": 4, "end_line": 4},
                        ],
                    }
                ],
            }
        ],
        "metadata": {
            "git-ledger": {
                "id": "one",
                "title": "Parse dates",
                "role": "coder",
                "status": "spawned",
                "iteration": 0,
            }
        },
    }
    assert repo.ledger("export", "agent-trace", "one").stdout == out.stdout


def test_content_that_looks_like_a_header_is_content() -> None:
    commit = "a" * 40
    patch = (
        f"{commit}\n"
        'diff --git "a/x\\ty" "b/x\\ty"\n--- /dev/null\n+++ "b/x\\ty\\303\\251"\n'
        "@@ -0,0 +1,3 @@\n+++ b/other\n+@@ -1 +1 @@\n+" + "b" * 40 + "\n"
        "diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n"
    )
    assert added(patch.encode()) == {commit: {"x\ty\u00e9": [Lines(1, 3)]}}
