"""What the names of labels bring to the default classifier, on held-out thirds of training documents.

The other two thirds, or some of them, are learned with the names of labels and with numbers in their place. Labels that
these documents do not have are left out. Names of Reuters and of the docstrings are words; those of OHSUMED-91 are
codes. The test documents are not read.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from bayesift.arrays import label_matrix
from bayesift.classify import TextClassifier
from bayesift.corpora import Document, load_corpus
from bayesift.evaluate.probability import log_evidence
from bayesift.experiments.few_labels import measured
from bayesift.experiments.result import Options, Result, Row
from bayesift.progress import track

DRAWS = range(10)
SIZES = (300, 1000, None)  # documents learned; None: all of two thirds
CORPORA = {  # corpus, split and sizes
    "Reuters R90": ("reuters21578", "r90", SIZES),
    "Reuters 9603": ("reuters21578", "modapte", SIZES[-1:]),
    "docstrings": ("docstrings", None, SIZES),
    "OHSUMED-91": ("ohsumed91", "split20000", SIZES[-1:]),
}
READ, NOT_READ, DIFFERENCE = "names read", "names not read", "difference"
NOTES = [
    f"Means over {len(DRAWS)} draws of the third that is held out; differences with their standard errors. Macro F1 and"
    " mean average precision are over labels with a document on both sides. Log loss: the mean over documents of the"
    " sum over labels.",
]


def table(options: Options) -> Result:
    """Compute F1, mean average precision and log loss with the names of labels and without."""
    start = time.monotonic()
    result = Result("label-names", ", ".join(CORPORA), notes=list(NOTES))
    for corpus, (name, split, sizes) in CORPORA.items():
        documents = load_corpus(name, split=split, data=options.data).split()[0]
        for size in track(sizes, corpus):
            found = [compared(documents, size, seed) for seed in DRAWS]
            result.rows += rows_of(f"{corpus}, {'all' if size is None else f'{size:,}'}", found)
    result.seconds = time.monotonic() - start
    return result


def compared(documents: Sequence[Document], size: int | None, seed: int) -> dict[str, dict[str, float]]:
    """Return the metrics of both ways, for one draw."""
    order = np.random.default_rng(seed).permutation(len(documents)).tolist()
    third = len(order) // 3
    learned, held = ([documents[i] for i in part] for part in (order[third:][:size], order[:third]))
    labels = sorted({label for d in learned for label in d.labels or ()})
    number = {label: c for c, label in enumerate(labels)}
    truth = label_matrix([set(labels).intersection(d.labels or ()) for d in held], labels).toarray() > 0
    found = {}
    for way in (READ, NOT_READ):
        sets = [tuple(label if way == READ else number[label] for label in d.labels or ()) for d in learned]
        p, decided = TextClassifier().fit(learned, sets).decisions(held)
        log_loss = -float(log_evidence(truth, p).sum()) / len(p)
        found[way] = measured(truth, p, decided) | {"log_loss": log_loss}
    return found


def rows_of(setting: str, found: Sequence[dict[str, dict[str, float]]]) -> list[Row]:
    """Return the means of both ways over draws, and the mean of their differences with its standard error."""
    rows = []
    for metric in found[0][READ]:
        read, not_read = (np.array([each[way][metric] for each in found]) for way in (READ, NOT_READ))
        for system, values in ((READ, read), (NOT_READ, not_read), (DIFFERENCE, read - not_read)):
            rows.append(Row(system, setting, metric, None, float(values.mean())))
        error = float((read - not_read).std(ddof=1)) / len(found) ** 0.5
        rows.append(Row(DIFFERENCE, setting, f"{metric} sd", None, error))
    return rows
