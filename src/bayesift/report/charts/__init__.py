"""Charts as SVG text: one module for all pages and figures, no library, colours for light and dark.

Each function returns an `<svg>`. Within a page its colours are the page's; `standalone=True` makes a file of its own.
`x_label`, `y_label`, `title`, `width` and `height` are options of every chart.

>>> curve = Series("micro F1", [100, 1000, 10000], [0.61, 0.74, 0.83], error=[0.02, 0.01, 0.01], markers=True)
>>> svg = lines([curve], x_log=True, x_label="training documents", y_label="F1", standalone=True)
>>> "prefers-color-scheme:dark" in svg
True
"""

from bayesift.report.charts.categories import bars, box_plot, five_numbers, histogram
from bayesift.report.charts.grid import heat_map, side_by_side
from bayesift.report.charts.xy import Point, Series, lines, reliability_curve, scatter

__all__ = [
    "Point",
    "Series",
    "bars",
    "box_plot",
    "five_numbers",
    "heat_map",
    "histogram",
    "lines",
    "reliability_curve",
    "scatter",
    "side_by_side",
]
