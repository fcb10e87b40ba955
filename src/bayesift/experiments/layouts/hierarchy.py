"""Labels that imply others: one table per corpus."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

WAYS = ("no hierarchy", "ancestors added", "labels dropped", "consistent", "consistent, found")
SYSTEMS = lines("system", tuple(f"{learner}, {way}" for learner in ("default", "best") for way in WAYS))
FIGURES = (
    Line("micro F1", metric="micro_f1"),
    Line("macro F1", metric="macro_f1"),
    Line("exact match, %", metric="exact_match", digits=1),
    Line("contradictions, %", metric="contradictions", digits=1),
)

LAYOUTS: dict[str, list[Layout]] = {
    "hierarchy": [
        Layout(corpus, SYSTEMS, FIGURES, Line("", setting=corpus), "system")
        for corpus in ("RCV1 sample", "docstrings", "arXiv")
    ]
}
