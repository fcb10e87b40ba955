"""Screening of the SYNERGY reviews beside ASReview."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

REVIEWS = ("Donners_2021", "Jeyaraman_2020", "Meijboom_2021", "Nelson_2002", "Oud_2018", "mean")
RANKERS = tuple(
    Line(f"{system}: {metric}", system=system, metric=metric, digits=digits)
    for system in ("GP-1, ltc", "SVM, tf-idf")
    for metric, digits in (("ATD, %", 1), ("WSS@95", 2))
)

LAYOUTS: dict[str, list[Layout]] = {
    "screening-synergy": [
        Layout("ELAS u4 as published / measured here", lines("setting", REVIEWS), RANKERS, corner="review"),
        Layout(
            "Intervals of 95 % for the relevant records that are not yet read",
            (Line("10, 20, 30, 50 % read", setting="10, 20, 30, 50 % read"),),
            (Line("contain the truth, %", metric="intervals of 95 % that hold, %", digits=1),), Line("", "unseen"),
        ),
    ],
}  # fmt: skip
