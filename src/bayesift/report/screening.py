"""The page of a screened pool: recall along the reading, and how many relevant documents remain unread."""

from __future__ import annotations

import numpy as np

from bayesift.display import cards
from bayesift.filtering.screening.pool import Screening
from bayesift.report.charts import Series, lines
from bayesift.report.page import Page, figure, figures

POINTS = 40  # places along the reading at which the rest is estimated


def screening_page(title: str, subtitle: str, screening: Screening, stop: int) -> Page:
    """Return the page of a screened pool; the estimate is that after `stop` documents."""
    n, found = screening.relevant.size, int(screening.relevant[:stop].sum())
    estimate = screening.remaining(stop)
    page = Page(title, subtitle)
    page.sections.append(
        cards(
            [
                ("average time to discovery", f"{100 * screening.atd:.1f} %"),
                ("work saved at 95 % recall", f"{screening.wss:.2f}"),
                (f"found after {stop:,} of {n:,} documents", f"{found} of {int(screening.relevant.sum())}"),
                ("estimated unread and relevant then", f"{estimate.mean:.1f}"),
                ("95 % interval of that", f"{estimate.low} to {estimate.high}"),
            ]
        )
    )
    charts = figures([_recall(screening), _unread(screening)])
    page.add("Along the reading", "Documents are read in order of their expected relevance.", charts)
    return page


def _recall(screening: Screening) -> str:
    n = screening.relevant.size
    curve = np.concatenate([[0.0], 100.0 * screening.recall])
    series = [
        Series("most promising first", range(n + 1), curve.tolist()),
        Series("random order", [0, n], [0.0, 100.0], dashed=True, colour=7),
        Series("95 %", [0, n], [95.0, 95.0], dashed=True, colour=1),
    ]
    drawn = lines(series, x_label="documents read", y_label="recall, %", y_range=(0.0, 100.0), title="Recall")
    return figure("Recall", drawn, "Relevant documents found.")


def _unread(screening: Screening) -> str:
    n, found = screening.relevant.size, np.cumsum(screening.relevant)
    places = np.unique(np.linspace(max(1, n // 50), n, POINTS).astype(int))
    estimates = [screening.remaining(int(k)) for k in places]
    low, high = [float(e.low) for e in estimates], [float(e.high) for e in estimates]
    series = [
        Series("estimate, 95 % interval", places.tolist(), [e.mean for e in estimates], low=low, high=high),
        Series("truth", range(1, n + 1), (found[-1] - found).tolist(), dashed=True),
    ]
    top = max(3.0, 2.5 * float(found[-1]))
    name = "Relevant documents still unread"
    drawn = lines(series, x_label="documents read", y_label="unread, relevant", y_range=(0.0, top), title=name)
    return figure(name, drawn, "The estimate at each point uses only the documents read so far.")
