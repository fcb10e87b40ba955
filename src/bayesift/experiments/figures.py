"""The figures of the papers as SVG files, drawn from stored results: `FIGURES` maps an experiment to its drawing."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from bayesift.experiments.result import Curve, Result
from bayesift.report.charts import Point, Series, box_plot, heat_map, lines, side_by_side

WIDTH, HEIGHT = 640.0, 400.0
PANEL = 300.0  # the width of one of several plots


def theta(result: Result) -> str:
    """Draw chai2002's figure 1."""
    return _lines([_series(curve) for curve in result.curves], "documents retrieved", "θ, bits", "Gain threshold θ")


def terms(result: Result) -> str:
    """Draw chai2002's figure 2."""
    series = [_series(curve) for curve in result.curves]
    return _lines(series, "relevant documents judged", "terms, mean over topics", "Terms as documents are judged")


def boxes(result: Result) -> str:
    """Draw eyheramendy2003's figure 2: the paper's boxes, and ours below them."""
    found: dict[str, list[float]] = {}
    for row in result.rows:
        for name, value in ((row.system, row.paper), (f"{row.system}, ours", row.ours)):
            if value is not None:
                found.setdefault(name, []).append(cast(float, value))
    colours = {name: int(name.endswith(", ours")) for name in found}
    return box_plot(
        found, colours=colours, x_label="F1, %", title="F1 of ten Reuters topics", width=WIDTH, standalone=True
    )


def few_examples(result: Result) -> str:
    """Draw macro F1 against the number of relevant examples, with a description (solid) and without (dashed)."""
    counts = (1, 2, 4, 8, 16)
    series = []
    for colour, system in enumerate(dict.fromkeys(row.system for row in result.rows)):
        for setting in ("description", "no description"):
            y = [_ours(result, system, f"{setting}, {n} relevant", "macro_f1") for n in counts]
            dashed = setting == "no description"
            series.append(Series(f"{system}; {setting}", counts, y, markers=True, dashed=dashed, colour=colour))
    return _lines(series, "relevant examples", "macro F1, %", "Learning from few examples", log=True, ticks=counts)


def surface(result: Result) -> str:
    """Draw goutte2007's figure 3: Q over a and b."""
    points = []
    for setting, shape, colour in (("maximum", "cross", 1), ("at the chosen (a, b)", "ring", 1)):
        a, b = (_ours(result, "categoriser", setting, metric) for metric in ("a", "b"))
        points.append(Point(a, b, setting, colour, shape))
    return heat_map(
        result.curves[0].x, [float(curve.name) for curve in result.curves], [curve.y for curve in result.curves],
        points=points, scale_label="Q", x_label="threshold a", y_label="confidence b at the threshold",
        title="Q on TMC2007 (cross: maximum; ring: chosen by folds)", width=WIDTH, height=HEIGHT, standalone=True,
    )  # fmt: skip


def thresholds(result: Result) -> str:
    """Draw zhang2010's figure 4: expected F1 (solid) and true F1 (dashed) against the threshold, one plot per label."""
    charts = []
    for panel in dict.fromkeys(curve.panel for curve in result.curves):
        curves = [curve for curve in result.curves if curve.panel == panel]
        series = [Series(curve.name, curve.x, curve.y, dashed=curve.name == "true") for curve in curves]
        charts.append(lines(
            series, x_label="threshold", y_label="F1", title=panel, show_title=True, width=PANEL, height=PANEL * 0.8
        ))
    return side_by_side(charts, 3, title="Expected and true F1", standalone=True)  # fmt: skip


def against_documents(y_label: str, title: str, log: bool = False) -> Callable[[Result], str]:
    """Return a drawing of means with their deviations against the number of training documents."""

    def draw(result: Result) -> str:
        means = [row for row in result.rows if not row.metric.endswith(" sd")]
        sizes = {row.setting: int(row.setting.split()[0].replace(",", "")) for row in means}
        series = []
        for system in dict.fromkeys(row.system for row in means):
            metric = means[0].metric
            y, error = ([_ours(result, system, s, m) for s in sizes] for m in (metric, f"{metric} sd"))
            series.append(Series(system, list(sizes.values()), y, error=error, markers=True))
        ticks = tuple(sizes.values())
        return _lines(series, "training documents", y_label, title, log=True, y_log=log, ticks=ticks)

    return draw


FIGURES: dict[str, Callable[[Result], str]] = {
    "chai2002-figure1": theta,
    "chai2002-figure2": terms,
    "eyheramendy2003-figure2": boxes,
    "eyheramendy2003-few": few_examples,
    "goutte2007-figure3": surface,
    "zhang2010-figure4": thresholds,
    "zhang2010-figure5": against_documents("macro F1, %", "Macro F1, RCV1 sample"),
    "zhang2010-figure6": against_documents("coupled minus independent, %", "Relative difference of macro F1"),
    "zhang2010-figure7": against_documents("seconds", "Seconds of training, one thread", log=True),
}


def _lines(
    series: list[Series], x_label: str, y_label: str, title: str, *,
    log: bool = False, y_log: bool = False, ticks: tuple[float, ...] | None = None,
) -> str:  # fmt: skip
    return lines(
        series, x_log=log, y_log=y_log, x_ticks=ticks, x_label=x_label, y_label=y_label, title=title, width=WIDTH,
        height=HEIGHT, standalone=True,
    )  # fmt: skip


def _series(curve: Curve) -> Series:
    return Series(curve.name, curve.x, curve.y)


def _ours(result: Result, system: str, setting: str, metric: str) -> float:
    row = result.find(system, setting, metric)
    return float("nan") if row is None or row.ours is None else float(row.ours)
