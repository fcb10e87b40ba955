"""Names of labels: one table of all corpora and sizes."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line

SETTINGS = (
    "Reuters R90, 300", "Reuters R90, 1,000", "Reuters R90, all", "Reuters 9603, all",
    "docstrings, 300", "docstrings, 1,000", "docstrings, all", "OHSUMED-91, all",
)  # fmt: skip
SYSTEMS = ("names read", "names not read", "difference")
FIGURES = (
    Line("micro F1", metric="micro_f1"),
    Line("macro F1", metric="macro_f1"),
    Line("mean average precision", metric="map"),
    Line("log loss", metric="log_loss", digits=3),
)

LAYOUTS: dict[str, list[Layout]] = {
    "label-names": [
        Layout(
            "On held-out training documents",
            tuple(Line(f"{setting}: {system}", system, setting) for setting in SETTINGS for system in SYSTEMS),
            FIGURES,
            corner="corpus, documents learned",
        )
    ]
}
