"""Line charts as SVG, drawn by hand: a few kilobytes, colours of the page, no library in the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 340.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 10.0, 10.0, 38.0
Place = Callable[[float, float], tuple[float, float]]  # from values to the drawing
COLOURS = ("var(--a)", "var(--b)", "var(--c)")


@dataclass(frozen=True)
class Line:
    """A named curve; `dots` marks its points."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    dots: bool = False


@dataclass(frozen=True)
class Mark:
    """A chosen point."""

    x: float
    y: float
    text: str


def line_chart(
    title: str, caption: str, lines: Sequence[Line], x_label: str, *,
    x_range: tuple[float, float] | None = None, y_range: tuple[float, float] = (0.0, 1.0),
    marks: Sequence[Mark] = (), diagonal: bool = False,
) -> str:  # fmt: skip
    """A figure with its title and caption."""
    xs = [x for line in lines for x in line.x] or [0.0, 1.0]
    low, high = x_range or (min(xs), max(xs))
    high = high if high > low else low + 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        share = (y - y_range[0]) / (y_range[1] - y_range[0])
        across = (x - low) / (high - low)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [_grid(at, low, high, y_range, x_label)]
    if diagonal:
        parts.append(_stroke(at(low, y_range[0]), at(high, y_range[1]), 'stroke="var(--soft)" stroke-dasharray="4 4"'))
    for line, colour in zip(lines, COLOURS):
        points = [at(x, y) for x, y in zip(line.x, line.y)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if line.dots:
            parts += [_dot(p, colour, 3, f"{line.name}: {x:.4g}, {y:.3f}") for p, x, y in zip(points, line.x, line.y)]
    for mark, colour in zip(marks, COLOURS):
        parts.append(_dot(at(mark.x, mark.y), colour, 5.5, mark.text))
    box = f'viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{escape(title)}"'
    drawing = f"<svg {box}>{''.join(parts)}</svg>"
    legend = " &nbsp; ".join(
        f'<span style="color:{colour}">&#9632;</span> {escape(line.name)}' for line, colour in zip(lines, COLOURS)
    )
    legend = f"<small>{legend}</small>" if len(lines) > 1 else ""
    return f"<figure><h3>{escape(title)}</h3>{legend}{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def _grid(at: Place, low: float, high: float, y_range: tuple[float, float], x_label: str) -> str:
    parts = []
    for k in range(5):
        y = y_range[0] + (y_range[1] - y_range[0]) * k / 4
        height = at(low, y)[1]
        parts.append(_stroke(at(low, y), at(high, y), 'stroke="var(--line)"'))
        parts.append(f'<text x="{LEFT - 6:.0f}" y="{height + 4:.1f}" text-anchor="end">{y:.2g}</text>')
    for k in range(5):
        value = low + (high - low) * k / 4
        x, bottom = at(value, y_range[0])
        anchor = "end" if k == 4 else "middle"
        text = f"{value:,.0f}" if high - low > 20 else f"{value:.2g}"
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16:.1f}" text-anchor="{anchor}">{text}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 6:.0f}" text-anchor="middle">{escape(x_label)}</text>')
    return "".join(parts)


def _stroke(begin: tuple[float, float], end: tuple[float, float], style: str) -> str:
    return f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" {style}/>'


def _dot(point: tuple[float, float], colour: str, radius: float, title: str) -> str:
    x, y = point
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" stroke="var(--card)" stroke-width="1.5">'
        f"<title>{escape(title)}</title></circle>"
    )
