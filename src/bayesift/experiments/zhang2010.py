"""Zhang, Graepel & Herbrich 2010: bayesift and BOMC beside the strongest classical rule, on every corpus here.

The comparator is LIBLINEAR (-s 1, C = 1; LinearSVC), at 0 and with SCutFBR.1 thresholds of three stratified folds. All
systems of a corpus have the same features. A seed is an order of documents for ours, of folds for the comparator, and a
draw of 20,000 training documents on the RCV1 sample. bayesift is `LabelClassifier()` with its defaults on every corpus,
and with the names of labels where these are words (Reuters), as `TextClassifier` gives them.
Seconds are those of training, to the last threshold: vectors and predictions are not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from bayesift.arrays import label_matrix
from bayesift.classify import LabelClassifier
from bayesift.classify.stack import LabelStack
from bayesift.corpora import load_corpus
from bayesift.decide import ExpectedF1, SCutFBR, cross_validated_scores
from bayesift.decide.confidence import confidence_in
from bayesift.evaluate import f_measure, q_score
from bayesift.experiments import reuters
from bayesift.experiments.comparators import svm, svm_scores
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn import BOMC
from bayesift.progress import track
from bayesift.text import TextVectorizer

SEEDS = range(5)
BIGRAMS = {"weight": "ltc", "ngrams": 2, "zones": ("title",), "min_df": 3}
NOTES = [
    "The paper has plots only, so there are no figures of it to compare with.",
    "predict decides each document on its own, with thresholds from the training documents. together: the labels of"
    " all test documents are decided at once, so that F1 is highest in expectation. LabelStack: two stages, the most"
    " accurate configuration. Bigrams and title words are those in three documents or more.",
    "predict also reads the names of labels, as `TextClassifier` does. Those of Reuters are words, the other corpora"
    " have codes or numbers. A row of its own has Reuters without them; LabelStack, BOMC and LIBLINEAR do not read"
    " them.",
    "Seconds: median over the seeds of training with two threads, thresholds and their folds included.",
]
Sides = tuple[Any, Any, Any, Any, Any]  # X, Y, X_test, Y_test, names of labels
Metrics = dict[str, dict[str, float]]  # of each system


def f1(options: Options) -> Result:
    """Compute micro and macro F1, Q and seconds of training of every system, on five corpora."""
    start = time.monotonic()
    result = Result("zhang2010-f1", "all", notes=list(NOTES))
    for corpus, sides in _corpora(options):
        found = [_run(*sides(seed), seed) for seed in track(SEEDS, corpus)]
        for system, metrics in found[0].items():
            for metric in metrics:
                values = [each[system][metric] for each in found]
                if metric == "seconds":  # the first run may compile, so not the mean
                    result.rows.append(Row(system, corpus, metric, None, float(np.median(values))))
                    continue
                result.rows.append(Row(system, corpus, metric, None, float(np.mean(values))))
                result.rows.append(Row(system, corpus, f"{metric} sd", None, float(np.std(values, ddof=1))))
    result.seconds = time.monotonic() - start
    return result


def _run(X: Any, Y: Any, X_test: Any, Y_test: Any, names: Any, seed: int) -> Metrics:
    """Return the metrics of every system: one model may be several systems, which decide in different ways."""
    return {name: found for model in MODELS for name, found in model(X, Y, X_test, Y_test, names, seed).items()}


def _corpora(options: Options) -> Iterator[tuple[str, Callable[[int], Sides]]]:
    """Yield the name of each corpus and its sides for a seed."""
    for name, split, settings in (
        ("Reuters 9,603/3,299, words", "modapte", {"weight": "ltc"}),
        ("Reuters 9,603/3,299, words + bigrams + title", "modapte", BIGRAMS),
        ("Reuters R90 7,770/3,019, words", "r90", {"weight": "ltc"}),
        ("Reuters R90 7,770/3,019, words + bigrams + title", "r90", BIGRAMS),
    ):
        task = reuters.load(options, split, **settings)
        yield name, lambda seed, t=task: (t.X, t.Y, t.X_test, t.Y_test, t.names)  # type: ignore[misc]
    vectors = load_corpus("rcv1", data=options.data).vectors()

    def drawn(seed: int) -> Sides:
        train, test = vectors.draw(train=20_000, seed=seed)
        return train.X, train.Y.toarray(), test.X, test.Y.toarray(), None

    yield "RCV1 sample, 20,000", drawn
    train, test = load_corpus("tmc2007", split="competition", data=options.data).vectors().split()
    tmc = normalize(train.X), train.Y.toarray(), normalize(test.X), test.Y.toarray(), None
    yield "TMC2007", lambda seed: tmc
    corpus = load_corpus("ohsumed91", split="split20000", data=options.data)
    sides = corpus.split()
    vectorizer = TextVectorizer(weight="ltc")
    Y, Y_test = (label_matrix([d.labels or () for d in side], corpus.labels).toarray() for side in sides)
    ohsumed = vectorizer.fit_transform(sides[0]), Y, vectorizer.transform(sides[1]), Y_test, None
    yield "OHSUMED-91", lambda seed: ohsumed


def measured(
    seconds: float, truth: Any, labels: NDArray[Any], p: NDArray[np.float64] | None = None
) -> dict[str, float]:
    """Return the metrics of one system in one run."""
    found = {"micro_f1": 100.0 * f_measure(truth, labels), "macro_f1": 100.0 * f_measure(truth, labels, "macro")}
    if p is not None:
        found["q"] = q_score(truth, labels, confidence_in(labels > 0, p))
    return found | {"seconds": seconds}


def default(X: Any, Y: Any, X_test: Any, Y_test: Any, names: Any, seed: int) -> Metrics:
    """Train `LabelClassifier` once; decide document by document, which is the default, and all together.

    Where names are words, train it once more without them.
    """

    def fitted(**given: Any) -> tuple[LabelClassifier, float]:
        start = time.perf_counter()
        model = LabelClassifier(seed=seed, **given).fit(X, Y)
        return model, time.perf_counter() - start

    model, seconds = fitted(names=names)
    p = model.predict_proba(X_test)
    found = {
        "bayesift predict": measured(seconds, Y_test, model.predict(X_test), p),
        "bayesift predict(together=True)": measured(seconds, Y_test, model.decide(X_test), p),
    }
    if names is not None:
        model, seconds = fitted()
        without = measured(seconds, Y_test, model.predict(X_test), model.predict_proba(X_test))
        found["bayesift predict, names not read"] = without
    return found


def stacked(X: Any, Y: Any, X_test: Any, Y_test: Any, names: Any, seed: int) -> Metrics:
    """Train `LabelStack` and decide all test documents together."""
    start = time.perf_counter()
    model = LabelStack(seed=seed).fit(X, Y)
    seconds, p = time.perf_counter() - start, model.predict_proba(X_test)
    return {"bayesift LabelStack, together": measured(seconds, Y_test, model.decide(X_test), p)}


def as_published(X: Any, Y: Any, X_test: Any, Y_test: Any, names: Any, seed: int) -> Metrics:
    """Train BOMC with the paper's settings."""
    start = time.perf_counter()
    model = BOMC.as_published(seed=seed).fit(X, Y)
    seconds, p = time.perf_counter() - start, model.predict_proba(X_test)
    return {"BOMC as published, ExpectedF1": measured(seconds, Y_test, ExpectedF1().decide(p), p)}


def comparator(X: Any, Y: Any, X_test: Any, Y_test: Any, names: Any, seed: int) -> Metrics:
    """Train LIBLINEAR; decide at 0, and with thresholds from three folds, whose seconds count too."""
    start = time.perf_counter()
    model = svm().fit(X, Y)
    plain = time.perf_counter() - start
    held = cross_validated_scores(svm_scores, X, Y, 3, seed)
    rule = SCutFBR().fit(held.scores, Y, held.folds)
    seconds, margins = time.perf_counter() - start, model.decision_function(X_test)
    return {
        "LIBLINEAR at 0": measured(plain, Y_test, margins > 0),
        "LIBLINEAR + SCutFBR.1": measured(seconds, Y_test, rule.decide(margins)),
    }


MODELS = (default, stacked, as_published, comparator)
