"""Learning online beside learning all documents at once."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

SYSTEMS = (
    "fit on all", "half fit, half partial_fit", "all partial_fit", "all partial_fit, one by one",
    "fit on the first half", "SGD, partial_fit",
)  # fmt: skip
METRICS = (
    Line("micro F1", metric="micro_f1"),
    Line("macro F1", metric="macro_f1"),
    Line("ECE", metric="ece", digits=4),
    Line("seconds", metric="seconds", digits=1),
)

LAYOUTS: dict[str, list[Layout]] = {
    "online": [
        Layout(corpus, lines("system", SYSTEMS), METRICS, Line("", setting=corpus), corner="learned")
        for corpus in ("Reuters", "OHSUMED-91", "docstrings")
    ],
}
