"""Thousands of labels: one table per corpus."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

FIGURES = (
    Line("P@1", metric="p1"),
    Line("P@3", metric="p3"),
    Line("P@5", metric="p5"),
    Line("micro F1", metric="micro_f1"),
    Line("macro F1", metric="macro_f1"),
    Line("training, s", metric="seconds", digits=1),
    Line("prediction, ms per document", metric="predict_ms", digits=2),
    Line("memory, MB", metric="memory", digits=0),
    Line("labels skipped", metric="skipped", digits=0),
    Line("missed among them, expected", metric="missed"),
    Line("missed among them", metric="truly_missed"),
)
SYSTEMS = ("wide", "one-vs-rest LinearSVC", "napkinXC label tree")

LAYOUTS: dict[str, list[Layout]] = {
    "wide-labels": [
        Layout(corpus, lines("system", SYSTEMS), FIGURES, Line("", setting=corpus), "system")
        for corpus in ("OHSUMED-91 titles",)
    ],
}
