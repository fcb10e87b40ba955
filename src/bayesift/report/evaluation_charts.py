"""The charts of an evaluation page: calibration, thresholds and the learning curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from bayesift.display import Markup
from bayesift.evaluate import Counts, f_measure, f_measures, reliability
from bayesift.evaluate.labels import Average
from bayesift.report.charts import Point, Series, lines, reliability_curve
from bayesift.report.learning import LearningCurve
from bayesift.report.page import figure, figures

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
SHIFTS = np.linspace(-4.0, 4.0, 33)  # of all thresholds, in log-odds
TINY = 1e-6


def evaluation_charts(
    p: Floats, predicted: Bools, truth: Bools, thresholds: Floats, curve: LearningCurve | None
) -> Markup:
    """Return the charts of an evaluation: reliability, thresholds, and the learning curve if there is one."""
    found = reliability(truth, p)
    points = Series("all decisions", found.mean_probability.tolist(), found.fraction_true.tolist(), markers=True)
    charts = [
        figure(
            "Reliability",
            reliability_curve([points], title="Reliability"),
            "Decisions grouped by probability: the fraction that is true. On the dashed line the two are equal.",
        ),
        _threshold_chart(p, predicted, truth, thresholds),
    ]
    if curve is not None and len(curve.documents) > 1:
        values = {"micro F1": curve.micro, "macro F1": curve.macro}
        series = [Series(name, curve.documents, value, markers=True) for name, value in values.items()]
        caption = "The same settings with fewer training documents. Where the curve still rises, more documents help."
        drawn = lines(series, x_label="training documents", y_label="F1", y_range=(0.0, 1.0), title="Learning curve")
        charts.append(figure("Learning curve", drawn, caption))
    else:
        caption = "Not computed: it needs the training documents. Draw it with: bayesift evaluate … --training DATA"
        charts.append(figure("Learning curve", "", caption))
    return figures(charts)


def _threshold_chart(p: Floats, predicted: Bools, truth: Bools, thresholds: Floats) -> str:
    """Return the chart of F1 as all thresholds move together; 0 is the rule's own choice."""
    counts = shifted_counts(p, truth, thresholds)
    series = [
        Series("micro F1", SHIFTS.tolist(), [float(f_measures(c.pooled())[0]) for c in counts]),
        Series("macro F1", SHIFTS.tolist(), [float(f_measures(c).mean()) for c in counts]),
    ]
    averages: tuple[Average, ...] = ("micro", "macro")
    points = [
        Point(0.0, f_measure(truth, predicted, average), f"chosen: {average} F1", k)
        for k, average in enumerate(averages)
    ]
    caption = "All thresholds shifted together, in log-odds: more labels on the left, fewer on the right. Dots: chosen."
    x_label = "shift of the thresholds"
    drawn = lines(series, x_label=x_label, y_label="F1", y_range=(0.0, 1.0), points=points, title="Thresholds")
    return figure("Thresholds", drawn, caption)


def shifted_counts(p: Floats, truth: Bools, thresholds: Floats) -> list[Counts]:
    """Return the counts of all labels for each shift of the thresholds."""
    documents, labels = p.shape
    full = np.full(p.shape, 0.5)  # labels that were never learned come last
    full[:, : thresholds.shape[-1]] = thresholds
    beyond = logit(np.clip(p, TINY, 1 - TINY)) - logit(np.clip(full, TINY, 1 - TINY))
    cell = np.searchsorted(SHIFTS, beyond) + (SHIFTS.size + 1) * np.arange(labels)  # predicted for so many shifts
    size = labels * (SHIFTS.size + 1)

    def at_least(cells: NDArray[np.int64]) -> NDArray[np.int64]:
        found = np.bincount(cells, minlength=size).reshape(labels, -1)
        return np.asarray(found[:, :0:-1].cumsum(axis=1)[:, ::-1].T)  # (shifts, labels)

    tp, predicted, support = at_least(cell[truth]), at_least(cell.ravel()), truth.sum(axis=0)
    return [
        Counts(t, n - t, support - t, documents - support - n + t) for t, n in zip(tp, predicted)
    ]
