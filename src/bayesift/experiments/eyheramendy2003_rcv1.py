"""Eyheramendy et al. 2003, tables 7 and 8: sparse and dense models on RCV1.

The paper has 23,149 training and 781,265 test documents. Here a sample is drawn with a seed into 20,000 and the rest:
compare the figures with those of the linear SVM on the same split (LinearSVC, all terms, threshold 0), not with the
paper's. The sample's vectors have unit length and the paper does not state the length of its own; the shorter they are,
the more a prior of given width shrinks. The sparse models have the published width, and the width of highest evidence.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bayesift.corpora import load_corpus
from bayesift.corpora.document import Vectors
from bayesift.decide import MinError
from bayesift.evaluate import f_measure
from bayesift.experiments.eyheramendy2003 import known_warnings, shown
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn import PerLabel, SparseLogistic, SparseProbit
from bayesift.learn.priors import Jeffreys, Laplace, Normal, Shape
from bayesift.progress import track

TRAINING, SEED = 20_000, 0
TOLERANCE = 1e-3  # of the gradient; 1e-6 gives the same figures to 0.1
WIDTHS = [Laplace(gamma) for gamma in (10.0, 1.0, 0.1)]
Pair = tuple[float, float]


@dataclass(frozen=True)
class Model:
    """One column of a table; without a prior, Laplace's with the width of highest evidence."""

    link: str
    prior: Shape | None
    terms: int

    def __str__(self) -> str:
        return f"{shown(self.prior) if self.prior else 'Laplace by evidence'}, {self.terms:,} terms"


TABLE8: dict[Model, Pair | None] = {  # macro and micro F1
    Model("probit", Jeffreys(), 300): (39.4, 72.5),
    Model("probit", Laplace(25.0), 300): (47.7, 74.4),
    Model("probit", Normal(0.001), 300): (45.3, 74.9),
    Model("logistic", Laplace(25.0), 300): (48.0, 75.5),
    Model("logistic", Laplace(25.0), 3000): (53.0, 78.9),
    Model("logistic", Normal(0.01), 3000): (51.8, 79.7),
}
CHOSEN: dict[Model, Pair | None] = {  # not in the paper
    Model("probit", None, 300): None,
    Model("logistic", None, 300): None,
    Model("logistic", None, 3000): None,
}
TABLE7 = [*list(TABLE8)[:2], list(TABLE8)[4]]
OTHERS: dict[str, Pair] = {"SVM": (61.9, 81.6), "kNN": (56.0, 76.5), "Rocchio": (50.4, 69.3)}  # Lewis et al. 2003


def table7(options: Options) -> Result:
    """Compare three sparse models with other classifiers."""
    models = [*TABLE7, Model("probit", None, 300), Model("logistic", None, 3000)]
    return _table("eyheramendy2003-table7", models, OTHERS, options)


def table8(options: Options) -> Result:
    """Compare sparse and dense models, and the linear SVM on the same split."""
    return _table("eyheramendy2003-table8", [*TABLE8, *CHOSEN], {"SVM": OTHERS["SVM"]}, options)


def _table(name: str, models: Iterable[Model], others: dict[str, Pair], options: Options) -> Result:
    start = time.monotonic()
    train, test = _split(options)
    size = f"{len(train):,}/{len(test):,}, {len(train.labels)} categories"
    result = Result(name, f"rcv1 sample (seed {SEED}, {size})")
    for system, paper in others.items():
        _add(result, system, "all terms", paper, _svm(options) if system == "SVM" else None)
    for model in track(list(models), name):
        _add(result, model.link.capitalize(), str(model), (TABLE8 | CHOSEN)[model], _fitted(options, model))
    result.notes = ["The paper's figures are of the whole corpus. Compare ours with the SVM on the same split."]
    result.seconds = time.monotonic() - start
    return result


def _add(result: Result, system: str, setting: str, paper: Pair | None, ours: Pair | None) -> None:
    for metric, published, found in zip(("macro_f1", "micro_f1"), paper or (None, None), ours or (None, None)):
        result.rows.append(Row(system, setting, metric, published, found))


@cache
def _split(options: Options) -> tuple[Vectors, Vectors]:
    """Return the two sides; with `options.categories`, only the most frequent categories."""
    train, test = load_corpus("rcv1", data=options.data).vectors().draw(train=TRAINING, seed=SEED)
    frequency = np.asarray(train.Y.sum(axis=0)).ravel()
    kept = np.sort(np.argsort(-frequency, kind="stable")[: options.categories])
    labels = [train.labels[c] for c in kept]
    first, second = (Vectors(side.X, side.Y[:, kept], labels, side.ids) for side in (train, test))
    return first, second


@cache
def _fitted(options: Options, model: Model) -> Pair:
    train, test = _split(options)
    kind = SparseProbit if model.link == "probit" else SparseLogistic
    if model.prior is None:
        learner = kind(choose="evidence", grid=WIDTHS, tolerance=TOLERANCE)
    else:
        learner = kind(model.prior, tolerance=TOLERANCE)
    with known_warnings():
        labels = PerLabel(learner, method="pearson", min_statistic=0.0, max_terms=model.terms).fit(train.X, train.Y)
    rule = MinError().fit(labels.predict_proba(train.X), train.Y)
    return _f1(test, rule.decide(labels.predict_proba(test.X)))


@cache
def _svm(options: Options) -> Pair:
    from sklearn.svm import LinearSVC

    train, test = _split(options)
    columns = track(list(train.Y.toarray().T), "SVM")
    machines = [LinearSVC(random_state=0).fit(train.X, y) for y in columns]
    return _f1(test, np.column_stack([machine.decision_function(test.X) > 0 for machine in machines]))


def _f1(test: Vectors, decided: Any) -> Pair:
    return 100.0 * f_measure(test.Y, decided, "macro"), 100.0 * f_measure(test.Y, decided, "micro")
