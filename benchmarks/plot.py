"""A plot with logarithmic axes, as SVG: lines that are named at their ends."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

WIDTH, HEIGHT = 820, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 270, 50, 50  # what stands beside the lines
APART = 17  # pixels between two names
COLOURS = ["#b3261e", "#8a5a00", "#0b57d0", "#146c2e", "#6b3fa0"]
STYLE = """\
text { font: 13px sans-serif; fill: #222 }
.title { font-size: 15px; font-weight: bold }
.number { font-size: 12px; fill: #555 }
.grid { stroke: #ddd; stroke-width: 1 }
.line { fill: none; stroke-width: 2 }"""


@dataclass(frozen=True)
class Line:
    """Points from left to right, x and y above 0: seconds."""

    name: str
    points: list[tuple[float, float]]

    @property
    def label(self) -> str:
        return f"{self.name}: {self.points[-1][1]:.2g} s"


@dataclass(frozen=True)
class Scale:
    """From a value to pixels, by its logarithm."""

    least: float
    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (log10(value) - log10(self.least)) / (log10(self.most) - log10(self.least))
        return self.start + share * (self.end - self.start)


def plot(title: str, across: str, up: str, lines: list[Line]) -> str:
    """The picture. The ticks across are where the points are; up they are the decades."""
    ticks = sorted({x for line in lines for x, _ in line.points})
    heights = [y for line in lines for _, y in line.points]
    bottom, top = floor(log10(min(heights))), ceil(log10(max(heights)))
    x = Scale(ticks[0], ticks[-1], LEFT, WIDTH - RIGHT)
    y = Scale(10**bottom, 10**top, HEIGHT - BOTTOM, TOP)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
    parts = [
        head,
        f"<style>\n{STYLE}\n</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 24, title, "title"),
        _text(LEFT, TOP - 8, up, "number"),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across, "number", "middle"),
    ]
    for one in ticks:
        parts += [
            _grid(x(one), TOP, x(one), HEIGHT - BOTTOM),
            _text(x(one), HEIGHT - BOTTOM + 18, f"{one:g}", "number", "middle"),
        ]
    for power in range(bottom, top + 1):
        parts += [
            _grid(LEFT, y(10**power), WIDTH - RIGHT, y(10**power)),
            _text(LEFT - 8, y(10**power) + 4, f"{10**power:g}", "number", "end"),
        ]
    colours = dict(zip([line.name for line in lines], COLOURS, strict=False))
    for line in lines:
        parts += _drawn(line, colours[line.name], x, y)
    short = [line for line in lines if line.points[-1][0] < ticks[-1]]
    whole = [line for line in lines if line not in short]
    for line in short:  # beside it the others go on
        a, b = line.points[-1]
        parts.append(_text(x(a), y(b) - 12, line.label, anchor="end", fill=colours[line.name]))
    for line, height in zip(whole, _spread([y(line.points[-1][1]) for line in whole]), strict=True):
        parts.append(_text(x(ticks[-1]) + 10, height + 4, line.label, fill=colours[line.name]))
    return "\n".join([*parts, "</svg>\n"])


def _drawn(line: Line, colour: str, x: Scale, y: Scale) -> list[str]:
    spots = [(x(a), y(b)) for a, b in line.points]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
    dots = (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in spots)
    return [f'<polyline class="line" stroke="{colour}" points="{path}"/>', *dots]


def _spread(heights: list[float]) -> list[float]:
    """The same, moved down where one would stand on another."""
    found = list(heights)
    order = sorted(range(len(found)), key=lambda n: found[n])
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + APART)
    return found


def _text(
    x: float, y: float, words: str, kind: str = "", anchor: str = "start", fill: str = ""
) -> str:
    colour = f' style="fill: {fill}"' if fill else ""
    place = f'x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"{colour}'
    return f"<text {place}>{escape(words)}</text>"


def _grid(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
