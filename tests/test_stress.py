"""The short form of benchmarks/stress.py: git and ledger commands at once, killed at random."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support import ROOT


def test_no_acknowledged_event_is_lost_or_doubled() -> None:
    words = [sys.executable, str(ROOT / "benchmarks/stress.py"), "--events=240", "--worktrees=4"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    told = {name: found[name] for name in found if name not in {"seconds", "killed", "in the logs"}}
    assert told == {
        "workers": 4,
        "acknowledged": 240,
        "lost": 0,
        "doubled": 0,
        "commits of nobody": 0,
        "fsck": "clean",
        "verify": "clean",
    }
    assert found["in the logs"] > found["acknowledged"]
