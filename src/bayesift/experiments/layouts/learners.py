"""Every learner by its name beside LinearSVC."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

SYSTEMS = (
    "multilabel", "bomc", "perceptron", "gp", "logistic", "probit", "categoriser", "LinearSVC at 0",
    "LinearSVC + SCutFBR.1",
)  # fmt: skip
FIGURES = (
    Line("micro F1", metric="micro_f1"),
    Line("macro F1", metric="macro_f1"),
    Line("calibration error, %", metric="calibration_error"),
    Line("training, s", metric="seconds", digits=1),
)

LAYOUTS: dict[str, list[Layout]] = {
    "learners": [
        Layout(corpus, lines("system", SYSTEMS), FIGURES, Line("", setting=corpus), "learner")
        for corpus in ("docstrings", "OHSUMED-91", "Reuters R90")
    ],
}
