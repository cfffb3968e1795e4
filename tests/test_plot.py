"""The plot of the benchmarks: whole SVG, and no name on another."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

from benchmarks.plot import APART, HEIGHT, WIDTH, Line, plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(lines: list[Line]) -> ET.Element:
    return ET.fromstring(plot("a <title>", "agents", "seconds", lines))  # noqa: S314 - our own


def names(picture: ET.Element, lines: list[Line]) -> dict[str, ET.Element]:
    told = {one.text: one for one in picture.iter(f"{SVG}text")}
    return {line.name: told[line.label] for line in lines}


def test_each_line_is_drawn_from_the_lowest_decade_to_the_highest() -> None:
    lines = [Line("slow", [(10, 0.1), (100, 10)]), Line("quick", [(10, 1), (100, 1)])]
    found = [one.get("points") for one in drawn(lines).iter(f"{SVG}polyline")]
    assert found == ["70.0,390.0 550.0,50.0", "70.0,220.0 550.0,220.0"]
    ticks = [one.text for one in drawn(lines).iter(f"{SVG}text") if one.get("class") == "number"]
    assert ticks == ["seconds", "agents", "10", "100", "0.1", "1", "10"]


def test_names_of_lines_that_end_alike_stand_below_each_other() -> None:
    lines = [Line(f"line {n}", [(1, 1), (200, 10 + n / 10)]) for n in range(4)]
    heights = sorted(float(one.get("y", 0)) for one in names(drawn(lines), lines).values())
    assert all(below - above >= APART for above, below in pairwise(heights))


def test_a_line_that_ends_early_is_named_above_its_end_and_nothing_leaves_the_picture() -> None:
    lines = [Line("short", [(10, 1), (50, 100)]), Line("long", [(10, 1), (200, 20)])]
    found = names(drawn(lines), lines)
    assert found["short"].get("text-anchor") == "end"
    assert float(found["short"].get("y", 0)) < 50
    for one in found.values():
        width = len(one.text or "") * 7
        left = float(one.get("x", 0)) - (width if one.get("text-anchor") == "end" else 0)
        assert 0 <= left <= left + width <= WIDTH
        assert 0 < float(one.get("y", 0)) < HEIGHT
