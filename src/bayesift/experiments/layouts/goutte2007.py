"""Table 1 and figure 3 of goutte2007, Q, and the combination. The corpus has fewer words than the paper's: no slack."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

MICRO, MACRO = Line("micro F1", metric="micro_f1"), Line("macro F1", metric="macro_f1")
CONFIDENCE = (
    *(Line(metric, metric=metric, digits=3) for metric in ("cross-validated Q", "test Q", "difference")),
    Line("mislabelled, %", metric="mislabelled %"),
    *(Line(name, metric=name, digits=3) for name in ("a", "b")),
    Line("EM steps", metric="EM steps", digits=0),
)

LAYOUTS: dict[str, list[Layout]] = {
    "goutte2007-table1": [
        Layout(
            "Table 1, %", lines("setting", (*(f"C{c}" for c in range(1, 23)), "micro average", "macro average")),
            lines("metric", ("precision", "recall", "f1")), Line("", system="categoriser"), "category",
        )
    ],
    "goutte2007-q": [
        Layout(
            "Q, mislabelled labels and the layer's settings", lines("setting", ("published (a, b)",)), CONFIDENCE,
            Line("", system="categoriser"), "confidence layer",
            beyond=lines("setting", ("one threshold per category", "isotonic calibration", "beta calibration")),
        )
    ],
    "goutte2007-combination": [
        Layout(
            "Q and F1 of the combination (not in the paper)",
            lines("setting", ("labels above 1/2", "labels by ExpectedF1")), (*CONFIDENCE[:2], MICRO, MACRO),
            Line("", system="combination"),
        )
    ],
    "goutte2007-figure3": [
        Layout(
            "Test Q over a grid of a and b", lines("setting", ("maximum", "minimum", "at the chosen (a, b)")),
            lines("metric", ("test Q", "a", "b")), Line("", system="categoriser"), digits=3,
        )
    ],
}  # fmt: skip
