"""A judgement on a terminal that is too narrow for its names: nothing that matters is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitledger.cli import terminal
from gitledger.cli.told import tell_judgement
from gitledger.git.repository import discover
from gitledger.services.judging import Asked, judge_all
from gitledger.services.live import look

if TYPE_CHECKING:
    from tests.support import Place

TEN = "".join(f"line {n}\n" for n in range(1, 11))
LONG = "agent_01HQ8ZK3VX9M4P7R2T5W8Y1B3D-refactor"


def shown(repo: Place, capsys: pytest.CaptureFixture[str]) -> list[str]:
    view = look(discover(str(repo.path)))
    tell_judgement(judge_all(view, [], Asked()), view.repo, every_pair=False)
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def two(repo: Place) -> Place:
    for n in (1, 2):
        title = "Read every statement with the new tokenizer"
        words = ("spawn", "--id", f"{LONG}-{n}", "--branch", f"b{n}", title)
        assert repo.ledger(*words).returncode == 0
        place = repo.at(repo.ledger("path", f"{LONG}-{n}").stdout.strip())
        place.commit(f"Statement {n} " + "of many " * 8, f=TEN.replace("line 5", str(n)))
    return repo


def test_eighty_columns(
    two: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "line_width", lambda: 80)
    first, second = (two.git("rev-parse", "--short=12", f"b{n}") for n in (1, 2))
    assert shown(two, capsys) == [
        "                                             T 1 2",
        "1  agent_01HQ8ZK3VX9M4P…5W8Y1B3D-refactor-1  .   X",
        "2  agent_01HQ8ZK3VX9M4P…5W8Y1B3D-refactor-2  . X",
        "",
        "X conflict   ? unknown   o overlap, merges   . clean   T the target",
        "",
        f"conflict  {LONG}-1 with",
        f"          {LONG}-2",
        "    f  contents  line 5 against line 5",
        f"    {LONG}-1  Read every statement with the…",
        f"        {first} Statement 1 of many of many of many of many of many of man…",
        f"    {LONG}-2  Read every statement with the…",
        f"        {second} Statement 2 of many of many of many of many of many of man…",
        "3 pairs: 2 clean, 1 conflict",
    ]


def test_where_there_is_room_or_nobody_looks_it_is_columns(
    two: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    piped = shown(two, capsys)
    assert f"conflict  {LONG}-1 with {LONG}-2" in piped
    assert len(piped) == 11
    monkeypatch.setattr(terminal, "line_width", lambda: 250)
    wide = shown(two, capsys)
    assert wide[4:] == piped[4:]
    assert wide[1].endswith(".   X")
