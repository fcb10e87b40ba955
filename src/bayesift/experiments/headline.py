"""The table at the head of the results and in the README: corpora by systems, from the stored results of zhang2010-f1
and of best.

`PUBLISHED` holds the only figures that are not measured here, each with its source.
"""

from __future__ import annotations

from bayesift.display.tables import Table
from bayesift.experiments.layouts.zhang2010 import CORPORA
from bayesift.experiments.result import Result

EXPERIMENT = "zhang2010-f1"
SYSTEMS = {  # stored name: heading
    "bayesift predict": "bayesift `predict`",
    "bayesift predict(together=True)": "bayesift `predict(together=True)`",
    "LIBLINEAR at 0": "LIBLINEAR at 0",
    "LIBLINEAR + SCutFBR.1": "LIBLINEAR + SCutFBR.1",
}
BEST = {  # corpus of the table: corpus of the experiment `best`
    "Reuters 9,603/3,299, words + bigrams + title": "Reuters 9603",
    "Reuters R90 7,770/3,019, words + bigrams + title": "Reuters R90",
    "RCV1 sample, 20,000": "RCV1 sample",
    "TMC2007": "TMC2007",
    "OHSUMED-91": "OHSUMED-91",
}
PUBLISHED = {  # Adhikari, Ram, Tang and Lin 2019, DocBERT, arXiv:1904.08398: micro F1 on Reuters R90
    "BERT-base": {"Reuters R90 7,770/3,019, words + bigrams + title": 89.0},
    "BERT-large": {"Reuters R90 7,770/3,019, words + bigrams + title": 90.7},
}
READING = (
    "Micro / macro F1 in percent (means of five seeds) and seconds of training (median). `predict` is the default: it"
    " decides each document on its own, with thresholds learned from the training documents. `predict(together=True)`"
    " decides all test documents at once. LIBLINEAR is trained on the same features in the same run, without thresholds"
    " (at 0) and with thresholds from three folds (SCutFBR.1); its seconds include the folds. The learner `best` has"
    " its own terms (see below)."
)
SOURCE = (
    "BERT: micro F1 as published by Adhikari, Ram, Tang and Lin 2019"
    " ([DocBERT, arXiv:1904.08398](https://arxiv.org/abs/1904.08398)), not measured here."
)


def headline(result: Result, best: Result) -> str:
    """Return the table as Markdown, with the source of the published figures below it."""
    first, *others = SYSTEMS.values()
    header = ["corpus", first, 'learner `"best"`', *others, *(f"{name} (published)" for name in PUBLISHED)]
    rows = []
    for corpus in CORPORA:
        first, *others = (_cell(result, system, corpus) for system in SYSTEMS)
        ensemble = _cell(best, "best, predict", BEST[corpus]) if corpus in BEST else ""
        published = [f"{figures[corpus]:.1f} / –" if corpus in figures else "" for figures in PUBLISHED.values()]
        rows.append([corpus, first, ensemble, *others, *published])
    return f"{Table('', header, rows).markdown()}\n\n{SOURCE}"


def _cell(result: Result, system: str, corpus: str) -> str:
    found = [result.find(system, corpus, metric) for metric in ("micro_f1", "macro_f1", "seconds")]
    micro, macro, seconds = (row.ours if row is not None else None for row in found)
    if micro is None:
        return "–"
    return f"{micro:.2f} / {macro:.2f}" + (f", {seconds:.1f} s" if seconds is not None else "")
