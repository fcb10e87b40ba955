"""Our plug-in of ASReview beside ELAS u4."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines
from bayesift.experiments.layouts.screening import REVIEWS

SYSTEMS = lines("system", ("ELAS u4", "bayesift", "tfidf + bayesift_pool", "tfidf + bayesift_bomc"))
SETTINGS = lines("setting", (*REVIEWS, "mean"))

LAYOUTS: dict[str, list[Layout]] = {
    "integrations-asreview": [
        Layout("Loss", SETTINGS, SYSTEMS, Line("", metric="loss"), corner="review", digits=4),
        Layout("Records per second", SETTINGS, SYSTEMS, Line("", metric="speed"), corner="review", digits=0),
    ],
}
