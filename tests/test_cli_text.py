"""Text as a terminal shows it, and what goes to stdout."""

from __future__ import annotations

import json

import pytest

from gitledger.cli import render, terminal
from gitledger.cli.text import cut, cut_inside, padded, plural, shown, width, wrapped
from gitledger.errors import Refused

WIDTHS = [
    ("plain", 5),
    ("", 0),
    ("日本語", 6),
    ("e\u0301", 1),
    ("é", 1),
    ("a\u200db", 2),
    ("\udcff", 1),
    ("🌱", 2),
]


@pytest.mark.parametrize(("words", "columns"), WIDTHS)
def test_width(words: str, columns: int) -> None:
    assert width(words) == columns
    assert width(padded(words, 12)) == 12


CUTS = [
    ("short", 5, "short"),
    ("longer", 5, "long…"),
    ("日本語", 6, "日本語"),
    ("日本語", 5, "日本…"),
    ("日本語", 4, "日…"),
    ("two words", 5, "two…"),
    ("gone", 0, ""),
]


@pytest.mark.parametrize(("words", "columns", "expected"), CUTS)
def test_cut(words: str, columns: int, expected: str) -> None:
    assert cut(words, columns) == expected
    assert width(cut(words, columns)) <= columns


CUTS_INSIDE = [
    ("short", 5, "short"),
    ("agent-number-1", 9, "agen…er-1"),
    ("agent-number-1", 8, "agen…r-1"),
    ("日本語日本語", 7, "日本…語"),
    ("longer", 1, "…"),
    ("gone", 0, ""),
]


@pytest.mark.parametrize(("words", "columns", "expected"), CUTS_INSIDE)
def test_cut_inside(words: str, columns: int, expected: str) -> None:
    assert cut_inside(words, columns) == expected
    assert width(cut_inside(words, columns)) <= columns


WRAPPED = [
    ("a note  of words", 80, ["a note  of words"]),
    ("a note of words", 9, ["a note of", "  words"]),
    ("a-word-that-is-too-long too", 9, ["a-word-that-is-too-long", "  too"]),
    ("日本 語", 4, ["日本", "  語"]),
]


@pytest.mark.parametrize(("words", "columns", "expected"), WRAPPED)
def test_no_word_is_cut_where_lines_are(words: str, columns: int, expected: list[str]) -> None:
    assert wrapped(words, columns, 2) == expected


SHOWN = [
    ("a\nb\tc", "a\\nb\\tc"),
    ("\x1b[31m", "\\x1b[31m"),
    ("a\u202eb", "a\\u202eb"),
    ("\u2028", "\\u2028"),
    ("caf\udce9", "caf\udce9"),
    ("naïve 日本 \\n", "naïve 日本 \\n"),
]


@pytest.mark.parametrize(("words", "expected"), SHOWN)
def test_what_would_act_on_a_terminal_is_shown_instead(words: str, expected: str) -> None:
    assert shown(words) == expected


def test_plural() -> None:
    found = [plural(0, "commit"), plural(1, "commit"), plural(2, "branch", "branches")]
    assert found == ["0 commits", "1 commit", "2 branches"]


ROWS = [("a", "first", "main"), ("bb", "日本\n語", "x")]


def test_columns_stay_whole_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    render.columns(ROWS, ("id", "title", "branch"), wide=1)
    expected = "id  title     branch\na   first     main\nbb  日本\\n語  x\n"
    assert capsys.readouterr().out == expected


def test_the_wide_column_is_cut_to_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "line_width", lambda: 22)
    render.columns([("a", "a long title indeed", "main")], wide=1)
    assert capsys.readouterr().out == "a  a long title…  main\n"


ID = "an-id-that-somebody-made-long"
FITTED = [
    (100, f"{ID}  7  a long title indeed, it goes on  main"),
    (60, "an-id-that-somebody-made…  7  a long title indeed, it…  main"),
    (40, "an-id-that-so…  7  a long title i…  main"),
    (20, "an-id-t…  7  a long…   main"),
]


@pytest.mark.parametrize(("room", "line"), FITTED)
def test_where_the_wide_column_is_not_enough_the_widest_gives_way(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, room: int, line: str
) -> None:
    monkeypatch.setattr(terminal, "line_width", lambda: room)
    render.columns([(ID, "7", "a long title indeed, it goes on", "main")], wide=2)
    assert capsys.readouterr().out == line + "\n"


def test_no_rows_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    render.columns([], ("id", "title"))
    assert capsys.readouterr().out == ""


def test_records(capsys: pytest.CaptureFixture[str]) -> None:
    render.records(ROWS, null=False)
    render.records(ROWS, null=True)
    lines = "a\tfirst\tmain\nbb\t日本\\n語\tx\n"
    assert capsys.readouterr().out == lines + "a\tfirst\tmain\0bb\t日本\n語\tx\0"


def test_a_json_document_is_ascii_with_its_schema_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    render.json_document("ledger.list/1", agents=["caf\udce9"])
    out = capsys.readouterr().out
    assert out == '{"schema": "ledger.list/1", "agents": ["caf\\udce9"]}\n'
    assert json.loads(out)["agents"] == ["caf\udce9"]


def test_nobody_to_ask_is_a_refusal() -> None:
    terminal.confirm("drop it?", yes=True)
    with pytest.raises(Refused, match=r"^drop it\?$"):
        terminal.confirm("drop it?", yes=False)


def test_paint_is_plain_where_nobody_looks() -> None:
    assert terminal.paint("word", "red", "bold") == "word"
