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

OF_PRESENT = (
    Line("macro F1*", metric="macro_f1_present"),
    Line("labels absent", metric="absent", digits=1),
)
SOME_ABSENT = ("RCV1 sample", "docstrings")  # corpora with labels that no test document has
IN_QUARTERS = "TMC2007"
OF_QUARTERS = (
    Line("labels per document", system="best, predict", metric="labels", digits=2),
    Line("default, micro F1", system="default, predict", metric="micro_f1"),
    Line("best, micro F1", system="best, predict", metric="micro_f1"),
    Line("best, macro F1", system="best, predict", metric="macro_f1"),
    Line("best, Q", system="best, predict", metric="q", digits=3),
    Line("best, rule 0.5, Q", system="best, rule 0.5", metric="q", digits=3),
    Line("best, ECE, %", system="best, predict", metric="ece"),
)


def _figures(part: str) -> tuple[Line, ...]:
    return (*FIGURES[:2], *OF_PRESENT, *FIGURES[2:]) if part in SOME_ABSENT else FIGURES


def _quarters(part: str) -> list[Layout]:
    """Return the table of the quarters of the test documents, where the experiment measures them."""
    if part != IN_QUARTERS:
        return []
    rows = tuple(Line(str(k), setting=f"{part}, quarter {k}") for k in range(1, 5))
    caption = f"{part}: quarters of the test documents, in the order of the corpus"
    return [Layout(caption, rows, OF_QUARTERS, Line(""), "quarter")]


LAYOUTS: dict[str, list[Layout]] = {
    "best": [
        layout
        for part in parts_of("best")
        for layout in (
            Layout(part, lines("system", SYSTEMS), _figures(part), Line("", setting=part), "system"),
            *_quarters(part),
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
