"""The frame of a chart: margins that fit the text, grid, ticks, labels, title and legend.

A chart is one `<svg>` whose colours are CSS variables. Within a page the page sets them; `standalone=True` adds the
name space, the font and both sets of colours, so that the text can be written to a file.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TypedDict

from bayesift.display.style import COLOURS, FONT, colours
from bayesift.report.charts.axis import Axis

SIZE = 12.0  # of the text
ROW = 17.0  # of the legend
SPILL = 4.0  # how far marks may reach beyond the axes
LONGEST_NAME = 30  # characters of a category
SHAPES = ("circle", "square", "triangle", "diamond")


class Layout(TypedDict, total=False):
    """What every chart takes: its texts, its size, and whether it is a file of its own."""

    title: str
    x_label: str
    y_label: str
    width: float
    height: float
    standalone: bool
    show_title: bool  # by default a chart in a file of its own shows it


@dataclass(frozen=True)
class Key:
    """An entry of the legend."""

    name: str
    colour: str
    dashed: bool = False
    line: bool = True
    shape: str = ""
    band: bool = False
    bar: bool = False


class Frame:
    """The place of a chart's axes on its drawing; `names` replaces the y axis by categories from top to bottom."""

    def __init__(
        self, x: Axis, y: Axis, layout: Layout, legend: Sequence[Key] = (), names: Sequence[str] = (),
        right: float = 0.0,
    ) -> None:  # fmt: skip
        self.x, self.y, self.layout, self.names = x, y, layout, [short(name) for name in names]
        self.width, self.height = layout.get("width", 340.0), layout.get("height", 240.0)
        self.head: list[str] = []
        top = 8.0
        title = layout.get("title", "")
        if title and layout.get("show_title", layout.get("standalone")):
            top += ROW
            self.head.append(text(self.width / 2.0, top - 4.0, title, "middle", bold=True))
        top = self._draw_legend(legend, top)
        left = max(map(text_width, self.names or y.labels()), default=0.0)
        last = text_width(x.labels()[-1]) / 2.0 if x.labels() else 0.0
        self.left = 14.0 + left + (18.0 if layout.get("y_label") else 0.0)
        self.right = self.width - max(12.0, last + 2.0) - right
        self.top, self.bottom = top + 8.0, self.height - (42.0 if layout.get("x_label") else 26.0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the drawing for a pair of values."""
        across = self.left + self.x.place(x) * (self.right - self.left)
        return across, self.bottom - self.y.place(y) * (self.bottom - self.top)

    def row(self, k: int) -> tuple[float, float]:
        """Return the top and the height of category `k`."""
        height = (self.bottom - self.top) / max(len(self.names), 1)
        return self.top + k * height, height

    def svg(self, parts: Sequence[str], beside: Sequence[str] = ()) -> str:
        """Return the chart; `parts` are clipped to the axes, `beside` are not."""
        x, y = self.left - SPILL, self.top - SPILL
        w, h = self.right - self.left + 2.0 * SPILL, self.bottom - self.top + 2.0 * SPILL
        box = f'x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" viewBox="{x:.1f} {y:.1f} {w:.1f} {h:.1f}"'
        inner = f"<svg {box}>{''.join(parts)}</svg>"
        return document("".join([*self.head, *self._grid(), inner, *beside]), self.width, self.height, self.layout)

    def empty(self) -> str:
        """Return the frame with the words "no data" in it."""
        middle = (self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0
        return self.svg([], [text(*middle, "no data", "middle")])

    def _grid(self) -> list[str]:
        parts = []
        for k, name in enumerate(self.names):
            top, height = self.row(k)
            parts.append(text(self.left - 8.0, top + height / 2.0 + 4.0, name, "end"))
        for value, label in () if self.names else zip(self.y.ticks, self.y.labels()):
            y = self.at(self.x.low, value)[1]
            parts.append(stroke((self.left, y), (self.right, y), "var(--line)", 1.0))
            parts.append(text(self.left - 8.0, y + 4.0, label, "end"))
        beyond = -10.0
        for value, label in zip(self.x.ticks, self.x.labels()):
            x = self.at(value, self.y.low)[0]
            if self.names:
                parts.append(stroke((x, self.top), (x, self.bottom), "var(--line)", 1.0))
            else:
                parts.append(stroke((x, self.bottom), (x, self.bottom + 4.0), "var(--soft)", 1.0))
            half = text_width(label) / 2.0
            if x - half >= beyond + 6.0:  # a label that would touch the one before is left out
                parts.append(text(x, self.bottom + 17.0, label, "middle"))
                beyond = x + half
        parts.append(stroke((self.left, self.bottom), (self.right, self.bottom), "var(--soft)", 1.0))
        if self.layout.get("x_label"):
            middle = (self.left + self.right) / 2.0
            parts.append(text(middle, self.height - 7.0, self.layout["x_label"], "middle"))
        if self.layout.get("y_label"):
            middle = (self.top + self.bottom) / 2.0
            turned = f'transform="rotate(-90 12 {middle:.1f})"'
            parts.append(text(12.0, middle, self.layout["y_label"], "middle", turned))
        return parts

    def _draw_legend(self, legend: Sequence[Key], top: float) -> float:
        if len(legend) < 2:
            return top
        x, y = 8.0, top + ROW - 5.0
        for key in legend:
            needed = 30.0 + text_width(key.name) + 14.0
            if x > 8.0 and x + needed > self.width:
                x, y = 8.0, y + ROW
            self.head.append(_sample(key, x, y - 4.0))
            self.head.append(text(x + 28.0, y, key.name))
            x += needed
        return y + 3.0


def _sample(key: Key, x: float, y: float) -> str:
    parts = []
    if key.band or key.bar:
        box, faint = f'x="{x:.1f}" y="{y - 5:.1f}" width="22" height="10"', "" if key.bar else ' opacity=".22"'
        parts.append(f'<rect {box} fill="{key.colour}"{faint}/>')
    if key.line and not key.bar:
        parts.append(stroke((x, y), (x + 22.0, y), key.colour, 2.0, dashed=key.dashed))
    if key.shape:
        parts.append(marker((x + 11.0, y), key.colour, key.shape))
    return "".join(parts)


def document(inner: str, width: float, height: float, layout: Layout) -> str:
    """Return the whole `<svg>` with its name for screen readers."""
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(layout.get("title", "chart"))}"'
    if not layout.get("standalone"):
        return f'<svg class="chart" {box}>{inner}</svg>'
    css = f"{colours('svg')}svg{{background:var(--card)}}text{{font:{SIZE:.0f}px {FONT};fill:var(--soft)}}"
    space = f'xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg class="chart" {space} {box}><style>{css}</style>{inner}</svg>\n'


def colour(k: int) -> str:
    """Return the colour of series `k`; after the last the first comes again."""
    return COLOURS[k % len(COLOURS)]


def shape(k: int) -> str:
    """Return the marker of series `k`."""
    return SHAPES[k % len(SHAPES)]


def short(name: str) -> str:
    """Return a name that fits beside a category, cut with an ellipsis."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def text_width(words: str) -> float:
    """Estimate the width of a text in a wide font."""
    return SIZE * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.72 if c.isupper() else 0.6 for c in words)


def text(x: float, y: float, words: str, anchor: str = "start", extra: str = "", *, bold: bool = False) -> str:
    """Return a text at a point."""
    style = ' style="fill:var(--ink);font-weight:600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style} {extra}>{escape(words)}</text>'


def stroke(
    begin: tuple[float, float], end: tuple[float, float], colour: str, width: float, *, dashed: bool = False
) -> str:
    """Return a straight line."""
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    ends = f'x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{dash}/>'


def marker(at: tuple[float, float], colour: str, shape: str = "circle", radius: float = 3.5, note: str = "") -> str:
    """Return a marker; `note` appears when the pointer rests on it."""
    x, y, r = *at, radius
    paint = f'fill="{colour}" stroke="var(--card)" stroke-width="1"'
    inner = f"<title>{escape(note)}</title>" if note else ""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" {paint}>{inner}</circle>'
    if shape == "cross":
        lines = f"M{x - r:.1f},{y - r:.1f}L{x + r:.1f},{y + r:.1f}M{x - r:.1f},{y + r:.1f}L{x + r:.1f},{y - r:.1f}"
        return f'<path d="{lines}" stroke="{colour}" stroke-width="2.5" fill="none">{inner}</path>'
    if shape == "ring":
        paint = f'fill="none" stroke="{colour}" stroke-width="2"'
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" {paint}>{inner}</circle>'
    corners = {
        "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        "triangle": [(0.0, -1.2), (1.1, 0.9), (-1.1, 0.9)],
        "diamond": [(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    }[shape]
    points = " ".join(f"{x + dx * r:.1f},{y + dy * r:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" {paint}>{inner}</polygon>'
