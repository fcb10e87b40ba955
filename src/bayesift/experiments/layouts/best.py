"""The learner best beside the default, and its parts."""

from __future__ import annotations

from bayesift.experiments import parts_of
from bayesift.experiments.layout import Layout, Line, lines

SYSTEMS = (
    "default, predict", "default, together", "default, rule 0.5", "best, predict", "best, together", "best, rule 0.5",
    "LinearSVC + SCutFBR.1",
)  # fmt: skip
ABLATION = (
    "BOMC, one prior variance", "BOMC, learned halfway", "default classifier, same vectors", "plain", "learned",
    "characters", "nearest", "shared", "learned + nearest", "all but characters", "all, terms not scaled",
    "all, names of labels not read", "all",
)  # fmt: skip
FIGURES = (
    Line("micro F1", metric="micro_f1"),
    Line("macro F1", metric="macro_f1"),
    Line("Q", metric="q", digits=3),
    Line("ECE, %", metric="ece"),
    Line("ECE@5, %", metric="ece_top"),
    Line("log loss", metric="log_loss", digits=3),
    Line("training, s", metric="seconds", digits=1),
)

LAYOUTS: dict[str, list[Layout]] = {
    "best": [
        layout
        for part in parts_of("best")
        for layout in (
            Layout(part, lines("system", SYSTEMS), FIGURES, Line("", setting=part), "system"),
            Layout(
                f"{part}: members, on held-out training documents",
                lines("system", ABLATION),
                FIGURES[:-1],
                Line("", setting=f"{part}, members"),
                "members",
            ),
        )
    ]
}
