"""Few labels: one table per corpus and measure."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

CORPORA = ("Reuters", "OHSUMED-91", "arXiv")
SETTINGS = lines("setting", (
    *(f"{n} per label" for n in (5, 10, 20, 50)), *(f"{n:,} documents" for n in (100, 300, 1000))
))  # fmt: skip
OURS = ("words", "corpus", "minilm", "corpus + minilm")
SYSTEMS = lines("system", (
    *(f"bayesift, {name}{how}" for name in OURS for how in ("", ", together")),
    "bayesift, words, names not read", "bayesift, words, rates of unlabelled",
    *(f"{name}{how}" for name in ("LinearSVC", "LogisticRegression C=10") for how in ("", ", balanced", ", SCutFBR.1")),
))  # fmt: skip
MEASURES = (("macro F1", "macro_f1"), ("micro F1", "micro_f1"), ("mean average precision", "map"))


TABLES = [
    Layout(f"{corpus}: {name}, mean ± sd over draws", SYSTEMS, SETTINGS, Line("", setting=corpus, metric=key), digits=1)
    for corpus in CORPORA
    for name, key in MEASURES
]

LAYOUTS: dict[str, list[Layout]] = {"few-labels": TABLES, "few-labels-minilm": TABLES}
