"""Learning online beside learning all documents at once: F1, calibration and seconds on three corpora.

The training documents come in the order of their dates, without dates in the order of the corpus (OHSUMED-91), or in a
random order (docstrings). Half of them, or all, are learned by `partial_fit`, in batches or one by one; the test
documents are predicted afterwards, without a call of `calibrate`. The peer is scikit-learn's SGDClassifier with the
logarithmic loss, one per label. It has the vectors of a vectorizer that has read all training documents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bayesift.arrays import label_matrix
from bayesift.classify import TextClassifier
from bayesift.classify.evaluation import measure
from bayesift.classify.registry import vectorizer_of
from bayesift.corpora import load_corpus
from bayesift.corpora.document import Document
from bayesift.evaluate import f_measure
from bayesift.evaluate.reliability import reliability
from bayesift.experiments.result import Options, Result, Row
from bayesift.progress import track

SEEDS = range(3)
BATCH = 100
CORPORA = {
    "Reuters": ("reuters21578", "modapte"),
    "OHSUMED-91": ("ohsumed91", "split20000"),
    "docstrings": ("docstrings", None),
}
Documents = Sequence[Document]
Figures = dict[str, float]


def table(options: Options) -> Result:
    """Compute micro and macro F1, ECE and seconds of every way to learn, on three corpora."""
    start = time.monotonic()
    result = Result("online", ", ".join(CORPORA))
    sizes = []
    for name, (corpus, split) in CORPORA.items():
        train, test = load_corpus(corpus, split=split, data=options.data).split()
        train, test = (_frequent(side, train, options.categories) for side in (train, test))
        sizes.append(f"{name} {len(train):,}/{len(test):,}")
        found = [measured(in_time(train, seed), test, seed) for seed in track(SEEDS, name)]
        for system, metrics in found[0].items():
            for metric in metrics:
                values = [each[system][metric] for each in found if system in each]
                middle = np.median(values) if metric == "seconds" else np.mean(values)
                result.rows.append(Row(system, name, metric, None, float(middle)))
                if len(values) > 1 and metric != "seconds":
                    result.rows.append(Row(system, name, f"{metric} sd", None, float(np.std(values, ddof=1))))
    result.notes = [
        f"Training and test documents: {'; '.join(sizes)}. Reuters is in the order of dates, OHSUMED-91 in that of the"
        f" corpus, docstrings in a random one. Means of {len(SEEDS)} seeds; one by one: of one seed. Batches have"
        f" {BATCH} documents. Seconds include reading words.",
        "Up to 16,384 documents are kept and learned again after each 9 % more. SGD: scikit-learn's SGDClassifier with"
        " the logarithmic loss, labels above 1/2; its words and their document frequencies are those of all training"
        " documents, known from the start.",
    ]
    result.seconds = time.monotonic() - start
    return result


def in_time(documents: Documents, seed: int) -> list[Document]:
    """Return documents in the order of their dates, those of one day or year in their order; or in a random order."""
    if any(d.date is None for d in documents):
        return [documents[i] for i in np.random.default_rng(seed).permutation(len(documents))]
    return sorted(documents, key=lambda d: d.date or "")


def measured(train: Documents, test: Documents, seed: int) -> dict[str, Figures]:
    """Return the figures of every system."""
    half = len(train) // 2
    ways: dict[str, Callable[[], Any]] = {
        "fit on all": lambda: TextClassifier(seed=seed).fit(train),
        "fit on the first half": lambda: TextClassifier(seed=seed).fit(train[:half]),
        "half fit, half partial_fit": lambda: streamed(TextClassifier(seed=seed).fit(train[:half]), train[half:]),
        "all partial_fit": lambda: streamed(TextClassifier(seed=seed), train),
    }
    if seed == 0:
        ways["all partial_fit, one by one"] = lambda: streamed(TextClassifier(seed=seed), train, 1)
    found = {}
    for name, learn in ways.items():
        start = time.perf_counter()
        model = learn()
        seconds, answers = time.perf_counter() - start, measure(model, test)
        found[name] = figures(answers.truth, answers.decisions, answers.probabilities, seconds)
    return found | {"SGD, partial_fit": sgd(train, test)}


def streamed(model: TextClassifier, documents: Documents, batch: int = BATCH) -> TextClassifier:
    """Learn documents in their order, a batch at a time."""
    for begin in range(0, len(documents), batch):
        model.partial_fit(documents[begin : begin + batch])
    return model


def sgd(train: Documents, test: Documents) -> Figures:
    """Learn with logistic regression by stochastic gradients, one per label, each document once."""
    from sklearn.linear_model import SGDClassifier

    start = time.perf_counter()
    labels = sorted({label for d in [*train, *test] for label in d.labels or ()})
    vectorizer = vectorizer_of(None, None)
    X = vectorizer.fit_transform(train)
    Y, truth = (label_matrix([d.labels or () for d in side], labels).toarray() for side in (train, test))
    some = np.flatnonzero(Y.any(axis=0))
    models = {c: SGDClassifier(loss="log_loss", alpha=1e-6, random_state=0) for c in some.tolist()}
    for begin in range(0, len(train), BATCH):
        part = slice(begin, begin + BATCH)
        for c, model in models.items():
            model.partial_fit(X[part], Y[part, c], classes=(0, 1))
    seconds, X_test = time.perf_counter() - start, vectorizer.transform(test)
    p = np.zeros(truth.shape)
    for c, model in models.items():
        p[:, c] = model.predict_proba(X_test)[:, 1]
    return figures(truth, p > 0.5, p, seconds)


def figures(truth: Any, decisions: Any, p: Any, seconds: float) -> Figures:
    """Return the metrics of one system in one run."""
    return {
        "micro_f1": 100.0 * f_measure(truth, decisions),
        "macro_f1": 100.0 * f_measure(truth, decisions, "macro"),
        "ece": reliability(truth, p).expected_error,
        "seconds": seconds,
    }


def _frequent(side: Documents, train: Documents, categories: int | None) -> list[Document]:
    """Return documents with the most frequent labels of the training documents only."""
    if categories is None:
        return list(side)
    names = [label for d in train for label in d.labels or ()]
    kept = set(sorted(set(names), key=lambda label: (-names.count(label), label))[:categories])
    return [replace(d, labels=tuple(x for x in d.labels or () if x in kept)) for d in side]
