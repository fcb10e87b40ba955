"""Zhang, Graepel & Herbrich 2010: BOMC beside the strongest classical rule, on every corpus here.

The comparator is LIBLINEAR (-s 1, C = 1; LinearSVC) with SCutFBR.1 thresholds of three stratified folds. All systems of
a corpus see the same features. A seed is an order of documents for us, of folds for the comparator, and a draw of
20,000 training documents on the RCV1 sample. Ours is `LabelClassifier()` as it comes, on every corpus.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from bayesift.classify import LabelClassifier
from bayesift.classify.stack import LabelStack
from bayesift.corpora import load_corpus
from bayesift.decide import ExpectedF1, SCutFBR, cross_validated_scores
from bayesift.decide.confidence import confidence_in
from bayesift.evaluate import f_measure, q_score
from bayesift.experiments import reuters
from bayesift.experiments.comparators import svm_scores
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn import BOMC
from bayesift.progress import track
from bayesift.text import TextVectorizer

SEEDS = range(5)
BIGRAMS = {"weight": "ltc", "ngrams": 2, "zones": ("title",), "min_df": 3}
NOTE = "The paper has plots only, so there are no figures of it to compare with."
Sides = tuple[Any, Any, Any, Any]  # X, Y, X_test, Y_test


def f1(options: Options) -> Result:
    """Micro and macro F1, and Q, of ours, of BOMC as published and of the comparator, on five corpora."""
    start = time.monotonic()
    result = Result("zhang2010-f1", "all", notes=[NOTE])
    for corpus, sides in _corpora(options):
        for system, run in SYSTEMS.items():
            found = [run(*sides(seed), seed) for seed in track(SEEDS, f"{corpus}: {system}")]
            for metric in found[0]:
                values = [each[metric] for each in found]
                result.rows.append(Row(system, corpus, metric, None, float(np.mean(values))))
                result.rows.append(Row(system, corpus, f"{metric} sd", None, float(np.std(values, ddof=1))))
    result.notes.append(
        "ours: the default, each document decided on its own by thresholds from training documents (predict). together:"
        " the labels of all test documents at once, best in expectation (decide). Two stages: `LabelStack`, together,"
        " the best configuration. Words + bigrams + title words are those in three documents or more."
    )
    result.seconds = time.monotonic() - start
    return result


def _corpora(options: Options) -> Iterator[tuple[str, Callable[[int], Sides]]]:
    """Each corpus by name, and its sides for a seed."""
    for name, split, settings in (
        ("Reuters 9,603/3,299, words", "modapte", {"weight": "ltc"}),
        ("Reuters 9,603/3,299, words + bigrams + title", "modapte", BIGRAMS),
        ("Reuters 7,770/3,019, words + bigrams + title", "r90", BIGRAMS),
    ):
        task = reuters.load(options, split, **settings)
        yield name, lambda seed, t=task: (t.X, t.Y, t.X_test, t.Y_test)  # type: ignore[misc]
    vectors = load_corpus("rcv1", data=options.data).vectors()

    def drawn(seed: int) -> Sides:
        train, test = vectors.draw(train=20_000, seed=seed)
        return train.X, train.Y.toarray(), test.X, test.Y.toarray()

    yield "RCV1 sample, 20,000", drawn
    train, test = load_corpus("tmc2007", split="competition", data=options.data).vectors().split()
    tmc = normalize(train.X), train.Y.toarray(), normalize(test.X), test.Y.toarray()
    yield "TMC2007", lambda seed: tmc
    corpus = load_corpus("ohsumed91", split="split20000", data=options.data)
    sides = corpus.split()
    vectorizer = TextVectorizer(weight="ltc")
    Y, Y_test = (reuters.indicator([d.labels or () for d in side], corpus.labels) for side in sides)
    ohsumed = vectorizer.fit_transform(sides[0]), Y, vectorizer.transform(sides[1]), Y_test
    yield "OHSUMED-91", lambda seed: ohsumed


def measured(truth: Any, labels: NDArray[Any], p: NDArray[np.float64] | None = None) -> dict[str, float]:
    """The metrics of one run."""
    found = {"micro_f1": 100.0 * f_measure(truth, labels), "macro_f1": 100.0 * f_measure(truth, labels, "macro")}
    if p is not None:
        found["q"] = q_score(truth, labels, confidence_in(labels > 0, p))
    return found


def _ours(X: Any, Y: Any, X_test: Any, Y_test: Any, seed: int) -> dict[str, float]:
    model = LabelClassifier(seed=seed).fit(X, Y)
    return measured(Y_test, model.predict(X_test), model.predict_proba(X_test))


def _together(X: Any, Y: Any, X_test: Any, Y_test: Any, seed: int) -> dict[str, float]:
    model = LabelClassifier(seed=seed).fit(X, Y)
    return measured(Y_test, model.decide(X_test), model.predict_proba(X_test))


def _stacked(X: Any, Y: Any, X_test: Any, Y_test: Any, seed: int) -> dict[str, float]:
    model = LabelStack(seed=seed).fit(X, Y)
    return measured(Y_test, model.decide(X_test), model.predict_proba(X_test))


def _as_published(X: Any, Y: Any, X_test: Any, Y_test: Any, seed: int) -> dict[str, float]:
    p = BOMC.as_published(seed=seed).fit(X, Y).predict_proba(X_test)
    return measured(Y_test, ExpectedF1().decide(p), p)


def _comparator(X: Any, Y: Any, X_test: Any, Y_test: Any, seed: int) -> dict[str, float]:
    held = cross_validated_scores(svm_scores, X, Y, 3, seed)
    rule = SCutFBR().fit(held.scores, Y, held.folds)
    return measured(Y_test, rule.decide(svm_scores(X, Y, X_test)))


SYSTEMS = {
    "ours": _ours,
    "ours, together": _together,
    "ours, two stages, together": _stacked,
    "BOMC as published, ExpectedF1": _as_published,
    "LIBLINEAR, SCutFBR.1": _comparator,
}
