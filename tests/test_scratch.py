"""The scratch store: where it lies, and that nothing of it stays."""

from __future__ import annotations

import os
from collections import namedtuple
from typing import TYPE_CHECKING

import pytest

from gitledger.git import scratch as scratches
from gitledger.git.repository import discover

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support import Place

Room = namedtuple("Room", "f_bavail f_frsize f_favail")  # noqa: PYI024 - as os.statvfs gives it
AMPLE = Room(1 << 20, 1 << 12, 1 << 20)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the place in memory, and no TMPDIR."""
    place = tmp_path / "memory"
    place.mkdir()
    monkeypatch.setattr(scratches, "_MEMORY", str(place))
    monkeypatch.setattr(os, "statvfs", lambda _: AMPLE)
    monkeypatch.delenv("TMPDIR", raising=False)
    return place


def test_it_lies_in_memory_and_goes(repo: Place, memory: Path) -> None:
    with scratches.scratch(discover(str(repo.path))) as store:
        assert os.path.dirname(store.directory) == str(memory)
    assert list(memory.iterdir()) == []


@pytest.mark.parametrize(
    "room", [AMPLE._replace(f_bavail=1000), AMPLE._replace(f_favail=1000)], ids=["bytes", "files"]
)
def test_little_room_is_left_alone(
    repo: Place, memory: Path, monkeypatch: pytest.MonkeyPatch, room: Room
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: room)
    with scratches.scratch(discover(str(repo.path))) as store:
        assert os.path.dirname(store.directory) != str(memory)


def test_a_tmpdir_is_meant(
    repo: Place, memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(scratches.tempfile, "tempdir", None)
    with scratches.scratch(discover(str(repo.path))) as store:
        assert os.path.dirname(store.directory) == str(tmp_path)
    assert list(memory.iterdir()) == []


def test_what_a_kill_left_goes_a_day_later(repo: Place, memory: Path) -> None:
    for name, age in (("git-ledger-scratch-old", 90_000), ("git-ledger-scratch-new", 60)):
        (memory / name / "objects").mkdir(parents=True)
        then = (memory / name).stat().st_mtime - age
        os.utime(memory / name, (then, then))
    (memory / "another").mkdir()
    os.utime(memory / "another", (0, 0))
    with scratches.scratch(discover(str(repo.path))):
        pass
    assert sorted(one.name for one in memory.iterdir()) == ["another", "git-ledger-scratch-new"]
