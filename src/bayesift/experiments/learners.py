"""Every learner by its name but best, as `TextClassifier(name)` gives it, beside LinearSVC on the same words.

LinearSVC (C = 1) has the vectors of the default classifier. It decides at 0, and with SCutFBR.1 thresholds of three
stratified folds. The Gaussian process, whose time grows fastest, learns from the first documents only.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bayesift.arrays import label_matrix
from bayesift.classify import TextClassifier
from bayesift.classify.evaluation import measure
from bayesift.corpora import Document, load_corpus
from bayesift.decide import SCutFBR, cross_validated_scores
from bayesift.evaluate import f_measure
from bayesift.experiments.comparators import svm, svm_scores
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn.registry import LEARNERS
from bayesift.progress import track
from bayesift.text import TextVectorizer

FIRST = 2000  # training documents of the Gaussian process
COMPARED = [name for name in LEARNERS if name not in ("best", "wide")]  # which have experiments of their own
CORPORA = {
    "docstrings": ("docstrings", None),
    "OHSUMED-91": ("ohsumed91", None),
    "Reuters R90": ("reuters21578", "r90"),
}
NOTES = [
    "Each learner is called by its name alone: `TextClassifier(name).fit(documents)`, then `predict`. Seconds are those"
    " of training, with text to vectors, folds, calibration and thresholds; LinearSVC's begin at the same texts.",
    f"gp learns from the first {FIRST:,} training documents. LinearSVC gives no probabilities, so it has no calibration"
    " error.",
]
Metrics = dict[str, float]


def table(options: Options) -> Result:
    """Compute micro and macro F1, calibration error and seconds of every learner on three corpora."""
    start = time.monotonic()
    result = Result("learners", ", ".join(CORPORA), notes=list(NOTES))
    for corpus, (name, split) in CORPORA.items():
        train, test = load_corpus(name, split=split, data=options.data).split()
        train, test = _frequent(train, test, options.categories)
        for system, metrics in track(systems(train, test), corpus, total=len(COMPARED) + 2):
            result.rows += [Row(system, corpus, metric, None, value) for metric, value in metrics.items()]
    result.seconds = time.monotonic() - start
    return result


def systems(train: Sequence[Document], test: Sequence[Document]) -> Iterator[tuple[str, Metrics]]:
    """Yield the metrics of every learner, and of LinearSVC with both ways to decide."""
    for name in COMPARED:
        yield name, _by_name(name, train[:FIRST] if name == "gp" else train, test)
    start = time.perf_counter()
    labels = sorted({label for d in [*train, *test] for label in d.labels or ()})
    vectorizer = TextVectorizer(zones=["title"], weight="ltc")
    X, Y = vectorizer.fit_transform(train), _targets(train, labels)
    model = svm().fit(X, Y)
    plain = time.perf_counter() - start
    held = cross_validated_scores(svm_scores, X, Y, 3, 0)
    rule = SCutFBR().fit(held.scores, Y, held.folds)
    seconds = time.perf_counter() - start
    margins, truth = model.decision_function(vectorizer.transform(test)), _targets(test, labels)
    yield "LinearSVC at 0", _f1(truth, margins > 0) | {"seconds": plain}
    yield "LinearSVC + SCutFBR.1", _f1(truth, rule.decide(margins)) | {"seconds": seconds}


def _by_name(name: str, train: Sequence[Document], test: Sequence[Document]) -> Metrics:
    start = time.perf_counter()
    model = TextClassifier(name).fit(train)
    seconds = time.perf_counter() - start
    summary = measure(model, test).report().summary
    found = {"micro_f1": 100.0 * summary["micro F1"], "macro_f1": 100.0 * summary["macro F1"]}
    return found | {"calibration_error": 100.0 * summary["calibration error"], "seconds": seconds}


def _f1(truth: Any, decisions: Any) -> Metrics:
    return {f"{kind}_f1": 100.0 * f_measure(truth, decisions, kind) for kind in ("micro", "macro")}


def _targets(documents: Sequence[Document], labels: Sequence[str]) -> Any:
    return label_matrix([d.labels or () for d in documents], labels).toarray()


def _frequent(
    train: Sequence[Document], test: Sequence[Document], categories: int | None
) -> tuple[list[Document], list[Document]]:
    """Return the documents with the most frequent categories only, or with all if None."""
    if categories is None:
        return list(train), list(test)
    often = Counter(label for d in train for label in d.labels or ()).most_common(categories)
    kept = {label for label, _ in often}

    def only(side: Sequence[Document]) -> list[Document]:
        return [msgspec.structs.replace(d, labels=tuple(c for c in d.labels or () if c in kept)) for d in side]

    return only(train), only(test)
