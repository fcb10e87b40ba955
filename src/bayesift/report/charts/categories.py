"""Charts of categories, listed from top to bottom: grouped bars and box plots; and histograms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Unpack

import numpy as np

from bayesift.report.charts.axis import Axis, number
from bayesift.report.charts.frame import Frame, Key, Layout, colour, stroke

ROW_HEIGHT = 30.0
AROUND = 80.0  # the height of everything but the rows
UNIT = Axis(0.0, 1.0)


def bars(
    names: Sequence[str], groups: Mapping[str, Sequence[float]], *, x_range: tuple[float, float] | None = None,
    **layout: Unpack[Layout],
) -> str:  # fmt: skip
    """Return horizontal bars as SVG: for each name one bar per group, `groups[group][k]` for `names[k]`.

    >>> drawn = bars(["wheat", "oil"], {"paper": [0.9, 0.8], "ours": [0.91, 0.79]}, x_label="F1")
    >>> drawn.count("<rect class=")
    4
    """
    values = [v for group in groups.values() for v in group]
    axis = Axis.over([0.0, *values], x_range, whole=True)
    legend = [Key(name, colour(k), bar=True) for k, name in enumerate(groups)]
    frame = Frame(axis, UNIT, _sized(layout, len(names), max(len(groups), 1)), legend, names)
    if not values:
        return frame.empty()
    parts = []
    for row in range(len(names)):
        top, height = frame.row(row)
        thick = 0.72 * height / len(groups)
        for k, (group, shown) in enumerate(groups.items()):
            if not math.isfinite(shown[row]):
                continue
            zero, end = (frame.at(v, 0.0)[0] for v in (max(axis.low, min(0.0, axis.high)), shown[row]))
            box = _box(min(zero, end), top + 0.14 * height + k * thick, abs(end - zero), thick * 0.92)
            note = f"<title>{escape(names[row])}, {escape(group)}: {number(shown[row])}</title>"
            parts.append(f'<rect class="bar" {box} fill="{colour(k)}">{note}</rect>')
    return frame.svg(parts)


def box_plot(
    boxes: Mapping[str, Sequence[float]], *, x_range: tuple[float, float] | None = None,
    colours: Mapping[str, int] | None = None, **layout: Unpack[Layout],
) -> str:  # fmt: skip
    """Return box plots as SVG, one row per name.

    A box is drawn from five numbers: minimum, lower quartile, median, upper quartile, maximum (`five_numbers`).
    `colours` gives the number of a box's colour; by default all are the first colour.

    >>> box_plot({"ours": five_numbers([0.1, 0.5, 0.7, 0.9])}).count("<rect class=")
    1
    """
    axis = Axis.over([v for box in boxes.values() for v in box], x_range, whole=True)
    frame = Frame(axis, UNIT, _sized(layout, len(boxes), 1), names=list(boxes))
    if not boxes:
        return frame.empty()
    parts = []
    for row, (name, box) in enumerate(boxes.items()):
        top, height = frame.row(row)
        middle, paint = top + height / 2.0, colour((colours or {}).get(name, 0))
        low, first, median, third, high = (frame.at(v, 0.0)[0] for v in box)
        rim, tall = 0.3 * height, 0.6 * height
        note = f"<title>{escape(name)}: {', '.join(map(number, box))}</title>"
        area = _box(first, middle - rim, third - first, tall)
        parts += [
            stroke((low, middle), (first, middle), paint, 1.5),
            stroke((third, middle), (high, middle), paint, 1.5),
            *(stroke((end, middle - rim / 2.0), (end, middle + rim / 2.0), paint, 1.5) for end in (low, high)),
            f'<rect class="box" {area} fill="{paint}" fill-opacity=".2" stroke="{paint}">{note}</rect>',
            stroke((median, middle - rim), (median, middle + rim), paint, 3.0),
        ]
    return frame.svg(parts)


def five_numbers(values: Sequence[float]) -> list[float]:
    """Return minimum, lower quartile, median, upper quartile and maximum."""
    return [float(v) for v in np.percentile(values, [0, 25, 50, 75, 100])]


def histogram(
    values: Sequence[float], *, bins: int = 20, x_range: tuple[float, float] | None = None, **layout: Unpack[Layout]
) -> str:
    """Return a histogram as SVG: how many values fall into each of equally wide bins.

    >>> histogram([0.1, 0.2, 0.9], bins=2).count("<rect class=")
    2
    """
    known = [v for v in values if math.isfinite(v)]
    counts, edges = np.histogram(known, bins, x_range) if known else (np.zeros(0, int), np.zeros(1))
    axis = Axis.over(edges.tolist() if known else [], x_range)
    texts: Layout = {"y_label": "count", **layout}
    frame = Frame(axis, Axis.over([0.0, *counts.tolist()], whole=True), texts)
    if not known:
        return frame.empty()
    parts = []
    for count, low, high in zip(counts.tolist(), edges.tolist(), edges[1:].tolist()):
        (left, top), (right, bottom) = frame.at(low, count), frame.at(high, 0.0)
        note = f"<title>{number(low)} to {number(high)}: {count:,}</title>"
        area = _box(left + 0.5, top, max(right - left - 1.0, 0.5), bottom - top)
        parts.append(f'<rect class="bar" {area} fill="{colour(0)}">{note}</rect>')
    return frame.svg(parts)


def _sized(layout: Layout, rows: int, groups: int) -> Layout:
    """Return the layout with a height for so many rows, if it has none."""
    thick = max(ROW_HEIGHT, 15.0 * groups)
    return {"height": AROUND + thick * max(rows, 1), **layout}


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
