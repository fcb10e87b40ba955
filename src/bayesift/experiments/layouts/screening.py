"""Screening of the SYNERGY reviews beside ASReview."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

REVIEWS = ("Donners_2021", "Jeyaraman_2020", "Meijboom_2021", "Nelson_2002", "Oud_2018")
MEANS = ("mean", "mean of the reviews settings were chosen on", "mean of the others")
MEASURES = (("loss", 4), ("ATD", 4), ("WSS@95", 3), ("WSS@100", 3), ("recall@10%", 3))
METRICS = tuple(Line(metric, metric=metric, digits=digits) for metric, digits in MEASURES)

LAYOUTS: dict[str, list[Layout]] = {
    "screening-synergy": [
        *(
            Layout(caption, lines("setting", (*REVIEWS, *MEANS)), METRICS, Line("", system=system), corner="review")
            for caption, system in (("Ours (`PoolRanker`)", "PoolRanker"), ("ASReview's ELAS u4", "ELAS u4"))
        ),
        Layout("Ours / ELAS u4", lines("setting", ("mean",)), METRICS, Line("", system="ratio"), corner="review"),
    ],
}
