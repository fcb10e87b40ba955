"""The home page of a review: how far both lists have come, what is left, and how far reviewers agree."""

from __future__ import annotations

import math
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from bayesift.filtering.screening.records import LISTS
from bayesift.filtering.screening.review import Review
from bayesift.report.charts import Series, lines
from bayesift.service.forms import Reader
from bayesift.service.rendering import render
from bayesift.service.screening import views
from bayesift.service.screening.desk import NAMES, TheDesk

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)
POINTS = 300  # of the curve


@router.get("/")
def progress(request: Request, desk: TheDesk, person: Reader) -> Response:
    """Show how far the review has come."""
    review = desk.review
    shown: dict[str, Any] = {
        "lists": [views.progress_view(review.progress(list, person.name)) for list in LISTS],
        "settings": review.settings, "records": len(review), "duplicates": review.count_duplicates(),
        "agreement": agreement_view(review), "chart": found_chart(review, person.name),
    }  # fmt: skip
    return render(request, "screening/progress.html", person, **shown)


def agreement_view(review: Review) -> list[dict[str, Any]]:
    """Return how far each two reviewers agree, by list."""
    found = []
    for list in LISTS:
        for pair in review.agreement(list):
            low, high = pair.interval
            kappa = "not defined" if math.isnan(pair.kappa) else f"{pair.kappa:.2f} ({low:.2f} to {high:.2f})"
            who = f"{pair.first} and {pair.second}"
            found.append(
                {"list": NAMES[list], "pair": who, "records": pair.records, "agree": pair.agree, "kappa": kappa}
            )
    return found


def found_chart(review: Review, who: str) -> Markup | None:
    """Return the relevant records found along the reading of titles and abstracts, or None before there is a curve."""
    relevant = review.reading(who).relevant
    if relevant.size < 2:
        return None
    found = relevant.cumsum()
    places = sorted({*range(0, relevant.size, max(1, relevant.size // POINTS)), relevant.size - 1})
    x, y = [0.0, *(float(k + 1) for k in places)], [0.0, *(float(found[k]) for k in places)]
    drawn = lines(
        [Series("found", x, y)], x_label="records read", y_label="relevant records found",
        y_range=(0.0, max(1.0, 1.05 * y[-1])),
    )  # fmt: skip
    return Markup(drawn)
