"""The picture of a reliability report: curve and histograms of all decisions, and small curves of single labels."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bayesift.evaluate.reliability_report import LabelReliability, ReliabilityReport

SHOWN = 12  # labels with most positives
ACROSS = 4
BLUE, ORANGE, GREY = "#2b6cb0", "#c05621", "#a0aec0"


def draw(report: ReliabilityReport, out: IO[bytes]) -> None:
    """Write the picture as PNG; the same report gives the same bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    some = [row for row in report.rows if row.positives]
    shown = sorted(some, key=lambda row: -row.positives)[:SHOWN] if len(report.rows) > 1 else []
    lines = -(-len(shown) // ACROSS)
    figure = Figure(figsize=(10, 4.2 + 2.3 * lines), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(f"{report.name}: {report.documents:,} documents, {len(report.rows)} labels", fontsize=13)
    above, *below = figure.subfigures(
        2 if shown else 1, 1, height_ratios=[4, 2.3 * lines] if shown else [1], squeeze=False
    )
    _overall(above[0], report)
    if shown:
        _labels(below[0][0], shown, lines)
    figure.savefig(out, format="png", metadata={"Software": None})


def _overall(part: Any, report: ReliabilityReport) -> None:
    both = part.subplots(1, 2, width_ratios=[1, 1.25])
    all_ = report.overall
    _curve(both[0], all_, 24)
    both[0].set_title(f"all decisions: ECE {all_.expected_error:.3f}, Brier {all_.brier:.3f}", fontsize=10)
    both[0].set_xlabel("probability said")
    both[0].set_ylabel("share that came true")
    edges = np.linspace(0, 1, report.bins + 1)
    half = np.linspace(0.5, 1, len(all_.confidence_histogram) + 1)
    both[1].stairs(all_.histogram, edges, fill=True, color=BLUE, alpha=0.75, label="probability p")
    both[1].stairs(all_.confidence_histogram, half, color=ORANGE, linewidth=2, label="confidence max(p, 1 − p)")
    both[1].axvline(all_.mean_confidence, color=ORANGE, linestyle=":", label="mean confidence")
    both[1].axvline(all_.accuracy, color="black", linestyle="--", linewidth=1, label="decisions that are right")
    both[1].set_yscale("log")
    both[1].set_ylim(bottom=0.8)  # a single decision is seen
    both[1].set_xlim(0, 1)
    both[1].set_xlabel("probability or confidence")
    both[1].set_ylabel("decisions")
    both[1].set_title("how often each is said", fontsize=10)
    both[1].legend(fontsize=8, frameon=True, framealpha=0.9, loc="upper center")
    _plain(both[1])


def _labels(part: Any, shown: list[LabelReliability], lines: int) -> None:
    panels = part.subplots(lines, min(ACROSS, len(shown)), sharex=True, sharey=True, squeeze=False).ravel()
    for panel, row in zip(panels, shown):
        _curve(panel, row, 10)
        panel.set_title(f"{_short(row.label)}  ({row.positives:,}; ECE {row.expected_error:.3f})", fontsize=8)
        panel.tick_params(labelsize=7)
    for panel in panels[len(shown) :]:
        panel.set_visible(False)


def _curve(panel: Any, row: LabelReliability, size: float) -> None:
    """Draw the curve, with one standard deviation of chance either way; a point's area grows with its decisions."""
    p, true, n = (
        np.array([getattr(b, name) for b in row.curve]) for name in ("mean_probability", "fraction_true", "count")
    )
    chance = np.sqrt(p * (1 - p) / n)
    panel.plot([0, 1], [0, 1], color=GREY, linewidth=1, zorder=1)
    panel.fill_between(p, p - chance, p + chance, color=GREY, alpha=0.35, linewidth=0, zorder=1)
    panel.plot(p, true, color=BLUE, linewidth=1.4, zorder=2)
    panel.scatter(p, true, s=size * (0.4 + np.log10(n)), color=BLUE, zorder=3)
    panel.set_xlim(-0.02, 1.02)
    panel.set_ylim(-0.02, 1.02)
    panel.set_xticks([0, 0.5, 1])
    panel.set_yticks([0, 0.5, 1])
    panel.set_aspect("equal")
    _plain(panel)


def _plain(panel: Any) -> None:
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(color="#e2e8f0", linewidth=0.6)
    panel.set_axisbelow(True)


def _short(label: str) -> str:
    text = label.replace("$", r"\$")  # no formulas
    return text if len(text) <= 18 else text[:17] + "…"
