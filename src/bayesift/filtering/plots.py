"""The plots of a simulated run or of a screened pool, as SVG text to stand within a page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bayesift.filtering.screening.pool import Screening
from bayesift.filtering.simulate.simulation import Moment, Trace, growth_curve
from bayesift.filtering.strategies import Strategy

COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#4a5568")
STYLE = {
    "svg.hashsalt": "bayesift", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
}  # fmt: skip
Draw = Callable[[Any], None]


def stream_plots(traces: Sequence[Trace], strategy: Strategy) -> list[tuple[str, str]]:
    """(caption, SVG) for each plot of one or more runs over the same stream."""

    def over_time(what: Callable[[Moment], float], y: str, style: str = "-", label: str = "") -> Draw:
        def draw(axes: Any) -> None:
            for colour, trace in zip(COLOURS, traces):
                at = [m.documents for m in trace.moments]
                axes.plot(at, [what(m) for m in trace.moments], style, color=colour, label=f"{trace.strategy}{label}")
            axes.set(xlabel="documents of the stream", ylabel=y)

        return draw

    def both(first: Draw, second: Draw) -> Draw:
        def draw(axes: Any) -> None:
            first(axes)
            second(axes)

        return draw

    def precision(m: Moment) -> float:
        return 100.0 * m.relevant_shown / max(m.delivered + m.asked, 1)

    def recall(m: Moment) -> float:
        return 100.0 * m.relevant_shown / max(m.relevant_met, 1)

    def utility(m: Moment) -> float:
        return 3.0 * m.relevant_shown - m.delivered - m.asked

    def growth(axes: Any) -> None:
        for colour, trace in zip(COLOURS, traces):
            axes.plot(*growth_curve(trace.growth), color=colour, label=trace.strategy)
        axes.set(xlabel="relevant documents judged", ylabel="terms, mean over topics")

    def theta(axes: Any) -> None:
        n = np.arange(2 * strategy.target + 1)
        axes.plot(n, [strategy.theta(int(k)) for k in n], color=COLOURS[0])
        axes.set(xlabel="documents shown to a topic", ylabel="theta, bits")

    def cost(m: Moment) -> float:
        return 1000.0 * m.seconds

    per = max(1, traces[0].moments[0].documents) if traces and traces[0].moments else 1
    return [
        ("Precision of what was shown, so far", _svg(over_time(precision, "precision, %"))),
        ("Recall among the relevant documents met, so far", _svg(over_time(recall, "recall, %"))),
        ("Documents delivered (solid) and asked about (dashed)", _svg(both(
            over_time(lambda m: m.delivered, "documents", label=", delivered"),
            over_time(lambda m: m.asked, "documents", "--", ", asked"),
        ))),
        ("Utility: 2 for a relevant document shown, -1 for another", _svg(over_time(utility, "utility, all topics"))),
        ("Terms known as relevant documents are judged (chai2002, figure 2)", _svg(growth)),
        ("theta: the gain from which a document is asked about (chai2002, figure 1)", _svg(theta)),
        ("Cost, judgements included", _svg(over_time(lambda m: cost(m) / per, "milliseconds a document"))),
    ]  # fmt: skip


def pool_plots(screening: Screening) -> list[tuple[str, str]]:
    """(caption, SVG) of a screened pool: recall, and what is thought to be unseen along the way."""
    n = screening.relevant.size
    read = np.arange(1, n + 1)
    places = np.unique(np.linspace(max(1, n // 50), n, 40).astype(int))
    estimates = [screening.remaining(int(k)) for k in places]
    found = np.cumsum(screening.relevant)

    def recall(axes: Any) -> None:
        axes.plot(read, 100.0 * screening.recall, color=COLOURS[0], label="most promising first")
        axes.plot([0, n], [0, 100], "--", color=COLOURS[5], label="by chance")
        axes.axhline(95, color=COLOURS[1], linewidth=0.8, label="95 %")
        axes.set(xlabel="documents read", ylabel="recall, %")

    def unread(axes: Any) -> None:
        low, high = [e.low for e in estimates], [e.high for e in estimates]
        axes.fill_between(places, low, high, color=COLOURS[0], alpha=0.2, label="interval of 95 %", linewidth=0)
        axes.plot(places, [e.mean for e in estimates], color=COLOURS[0], label="estimate")
        axes.plot(read, found[-1] - found, "--", color=COLOURS[1], label="truth")
        axes.set(xlabel="documents read", ylabel="relevant and unread", ylim=(0, max(3.0, 2.5 * found[-1])))

    return [("Recall", _svg(recall)), ("Relevant documents still unread", _svg(unread))]


def _svg(draw: Draw) -> str:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5.2, 3.1), layout="constrained")
        axes = figure.subplots()
        draw(axes)
        if len(axes.get_legend_handles_labels()[0]) > 1:
            axes.legend(frameon=False, fontsize=8)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return re.sub(r' (width|height)="[^"]*pt"', "", text[text.index("<svg") :], count=2)
