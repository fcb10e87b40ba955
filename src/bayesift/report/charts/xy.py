"""Charts of y against x: lines with markers, error bars and bands, scatter plots, reliability curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from bayesift.report.charts.axis import Axis, number
from bayesift.report.charts.frame import Frame, Key, Layout, colour, marker, shape, stroke, text, text_width

Range = tuple[float, float]


@dataclass(frozen=True)
class Series:
    """A named curve.

    Parameters
    ----------
    name : the name in the legend.
    x, y : the points; a y that is not finite leaves a gap.
    error : length of the error bar of each point, up and down.
    low, high : the limits of a band around the curve.
    markers : whether to mark the points.
    dashed : whether to dash the line.
    line : whether to join the points.
    colour : the number of the colour, counted from 0; by default the number of the series.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    error: Sequence[float] | None = None
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    markers: bool = False
    dashed: bool = False
    line: bool = True
    colour: int | None = None


@dataclass(frozen=True)
class Point:
    """A single point to show above the curves; `note` appears when the pointer rests on it.

    `shape` is circle, square, triangle, diamond, cross or ring; `named` also writes the note beside the point.
    """

    x: float
    y: float
    note: str
    colour: int = 0
    shape: str = "circle"
    named: bool = False


def lines(
    series: Sequence[Series], *, x_log: bool = False, y_log: bool = False, x_range: Range | None = None,
    y_range: Range | None = None, x_ticks: Sequence[float] | None = None, y_ticks: Sequence[float] | None = None,
    points: Sequence[Point] = (), diagonal: bool = False, **layout: Unpack[Layout],
) -> str:  # fmt: skip
    """Return a line chart as SVG.

    Parameters
    ----------
    series : the curves.
    x_log, y_log : whether an axis is logarithmic; points that are not above 0 are left out.
    x_range, y_range : the limits of the axes; by default those of the data.
    x_ticks, y_ticks : where to put ticks; by default at round numbers.
    points : single points above the curves.
    diagonal : whether to draw a dashed line from the lower left to the upper right corner.
    layout : title, x_label, y_label, width, height, standalone.

    >>> drawn = lines([Series("F1", [10, 100, 1000], [0.2, 0.4, 0.5], markers=True)], x_log=True, x_label="documents")
    >>> drawn.startswith('<svg class="chart"'), drawn.count("<circle")
    (True, 3)
    """
    xs = [*(x for s in series for x in s.x), *(p.x for p in points)]
    x_axis = Axis.over(xs, x_range, log=x_log, ticks=x_ticks)
    y_axis = Axis.over([*_heights(series), *(p.y for p in points)], y_range, log=y_log, ticks=y_ticks, whole=True)
    frame = Frame(x_axis, y_axis, layout, [_key(s, k) for k, s in enumerate(series)])
    if not xs:
        return frame.empty()
    parts = []
    if diagonal:
        parts.append(stroke((frame.left, frame.bottom), (frame.right, frame.top), "var(--soft)", 1.0, dashed=True))
    parts += [_band(frame, s, _colour(s, k)) for k, s in enumerate(series)]
    for k, s in enumerate(series):
        parts += _curve(frame, s, _colour(s, k), shape(k))
    beside = [part for point in points for part in _point(frame, point)]
    return frame.svg(parts, beside)


def scatter(series: Sequence[Series], *, diagonal: bool = False, **options: object) -> str:
    """Return a scatter plot: `lines` without the lines."""
    dots = [Series(s.name, s.x, s.y, s.error, markers=True, line=False, colour=s.colour) for s in series]
    return lines(dots, diagonal=diagonal, **options)  # type: ignore[arg-type]


def reliability_curve(series: Sequence[Series], **layout: Unpack[Layout]) -> str:
    """Return the observed fraction against the predicted probability, with the diagonal of perfect calibration."""
    texts: Layout = {"x_label": "predicted probability", "y_label": "fraction true", **layout}
    return lines(series, x_range=(0.0, 1.0), y_range=(0.0, 1.0), diagonal=True, **texts)


def _heights(series: Sequence[Series]) -> list[float]:
    found = [y for s in series for y in (*s.y, *(s.low or ()), *(s.high or ()))]
    return found + [y + sign * e for s in series if s.error for y, e in zip(s.y, s.error) for sign in (-1.0, 1.0)]


def _colour(s: Series, k: int) -> str:
    return colour(k if s.colour is None else s.colour)


def _key(s: Series, k: int) -> Key:
    mark = shape(k) if s.markers else ""
    return Key(s.name, _colour(s, k), s.dashed, line=s.line, shape=mark, band=s.low is not None)


def _visible(frame: Frame, x: float, y: float) -> bool:
    return math.isfinite(x) and math.isfinite(y) and (x > 0.0 or not frame.x.log) and (y > 0.0 or not frame.y.log)


def _band(frame: Frame, s: Series, paint: str) -> str:
    if s.low is None or s.high is None:
        return ""
    edges = [(x, a, b) for x, a, b in zip(s.x, s.low, s.high) if _visible(frame, x, a) and _visible(frame, x, b)]
    corners = [frame.at(x, b) for x, _, b in edges] + [frame.at(x, a) for x, a, _ in reversed(edges)]
    return f'<polygon points="{_path(corners)}" fill="{paint}" opacity=".18"/>'


def _curve(frame: Frame, s: Series, paint: str, form: str) -> list[str]:
    parts: list[str] = []
    marks: list[str] = []
    run: list[tuple[float, float]] = []
    dash = ' stroke-dasharray="5 4"' if s.dashed else ""
    for k, (x, y) in enumerate(zip(s.x, s.y)):
        if not _visible(frame, x, y):
            parts.append(_polyline(run, paint, dash) if s.line else "")
            run = []
            continue
        at = frame.at(x, y)
        run.append(at)
        if s.error is not None:
            parts.append(_whisker(frame, x, y, s.error[k], paint))
        if s.markers:
            spread = f" ± {number(s.error[k])}" if s.error is not None else ""
            marks.append(marker(at, paint, form, note=f"{s.name}: {number(x)}, {number(y)}{spread}"))
    parts.append(_polyline(run, paint, dash) if s.line else "")
    return parts + marks


def _polyline(run: Sequence[tuple[float, float]], paint: str, dash: str) -> str:
    if not run:
        return ""
    style = f'fill="none" stroke="{paint}" stroke-width="2" stroke-linejoin="round"{dash}'
    return f'<polyline points="{_path(run)}" {style}/>'


def _whisker(frame: Frame, x: float, y: float, error: float, paint: str) -> str:
    bottom = y - error if y - error > 0.0 or not frame.y.log else frame.y.low
    (across, low), (_, high) = frame.at(x, bottom), frame.at(x, y + error)
    ends = [stroke((across - 4.0, h), (across + 4.0, h), paint, 1.2) for h in (low, high)]
    return "".join([stroke((across, low), (across, high), paint, 1.2), *ends])


def _point(frame: Frame, point: Point) -> list[str]:
    at = frame.at(point.x, point.y)
    parts = [marker(at, colour(point.colour), point.shape, 6.0, point.note)]
    if point.named:
        fits = at[0] + 10.0 + text_width(point.note) < frame.width
        place, anchor = (at[0] + 10.0, "start") if fits else (at[0] - 10.0, "end")
        parts.append(text(place, at[1] + 4.0, point.note, anchor))
    return parts


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
