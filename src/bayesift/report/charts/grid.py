"""Heat maps, and several charts beside one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Unpack

from bayesift.report.charts.axis import Axis, number
from bayesift.report.charts.frame import Frame, Layout, colour, document, marker, text, text_width
from bayesift.report.charts.xy import Point

FAINTEST, STRONGEST = 0.03, 0.97
CRISP = 'shape-rendering="crispEdges"'
SCALE = 14.0  # the width of the scale at the right


def heat_map(
    x: Sequence[float], y: Sequence[float], values: Sequence[Sequence[float]], *, points: Sequence[Point] = (),
    scale_label: str = "", **layout: Unpack[Layout],
) -> str:  # fmt: skip
    """Return a surface as SVG: `values[j][i]` shades the cell at `x[i]`, `y[j]`, the highest the strongest.

    `points` are marked and named at the bottom; the scale at the right shows the range of the values.
    """
    half_x, half_y = (0.5 * (v[-1] - v[0]) / max(len(v) - 1, 1) or 0.5 for v in (x, y))
    low, high = min(map(min, values)), max(map(max, values))
    ends = [number(high), number(low)]
    room = SCALE + 14.0 + max(map(text_width, ends))
    across, up = (Axis.over((), (v[0] - half, v[-1] + half)) for v, half in ((x, half_x), (y, half_y)))
    frame = Frame(across, up, layout, right=room)
    parts = []
    for b, row in zip(y, values):
        for a, value in zip(x, row):
            corners = frame.at(a - half_x, b - half_y), frame.at(a + half_x, b + half_y)
            (left, bottom), (right, top) = ((round(u), round(v)) for u, v in corners)  # whole pixels leave no seams
            share = FAINTEST + (STRONGEST - FAINTEST) * ((value - low) / (high - low) if high > low else 0.5)
            note = f"<title>{number(a)}, {number(b)}: {value:.4f}</title>"
            box = f'x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"'
            parts.append(f'<rect {box} {CRISP} fill="{colour(0)}" fill-opacity="{share:.3f}">{note}</rect>')
    beside = _scale(frame, ends, scale_label)
    for point in points:
        at = frame.at(point.x, point.y)
        beside.append(marker(at, colour(point.colour), point.shape, 7.0, point.note))
        if point.named:
            beside.append(_halo(at[0] - 12.0, at[1] + 4.0, point.note))
    return frame.svg(parts, beside)


def side_by_side(charts: Sequence[str], columns: int, *, title: str = "", standalone: bool = False) -> str:
    """Return charts of one size as one SVG, in rows of `columns`; `show_title=True` gives each its own title."""
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', charts[0])
    assert found is not None
    width, height = int(found[1]), int(found[2])
    top = 24 if title and standalone else 0
    parts = [text(columns * width / 2.0, 18.0, title, "middle", bold=True)] if top else []
    for k, chart in enumerate(charts):
        place = f'x="{(k % columns) * width}" y="{top + (k // columns) * height}" width="{width}" height="{height}"'
        parts.append(chart.replace('<svg class="chart"', f"<svg {place}", 1))
    rows = -(-len(charts) // columns)
    layout: Layout = {"title": title, "standalone": standalone}
    return document("".join(parts), columns * width, top + rows * height, layout)


def _scale(frame: Frame, ends: Sequence[str], label: str) -> list[str]:
    left, steps = frame.right + 10.0, 24
    height = (frame.bottom - frame.top) / steps
    parts = []
    for k in range(steps):
        share = FAINTEST + (STRONGEST - FAINTEST) * (1.0 - k / (steps - 1))
        box = f'x="{left:.1f}" y="{frame.top + k * height:.2f}" width="{SCALE:.0f}" height="{height:.2f}"'
        parts.append(f'<rect {box} {CRISP} fill="{colour(0)}" fill-opacity="{share:.3f}"/>')
    for words, y in zip(ends, (frame.top + 10.0, frame.bottom)):
        parts.append(text(left + SCALE + 4.0, y, words))
    return [*parts, text(left + SCALE / 2.0, frame.bottom + 17.0, label, "middle")]


def _halo(x: float, y: float, words: str) -> str:
    """Return a text that can be read on any shade."""
    rim = 'style="fill:var(--ink);paint-order:stroke;stroke:var(--card);stroke-width:4px"'
    return text(x, y, words, "end", rim)
