"""Cross-validation of a `TextClassifier`: each document is answered by a model that has not learned it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.arrays import label_matrix
from bayesift.classify.completion import Completion
from bayesift.classify.evaluation import Measured, widened
from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.input_labels import new_labels
from bayesift.classify.inputs import labelled
from bayesift.classify.text_classifier import TextClassifier
from bayesift.decide.folds import stratified_folds
from bayesift.errors import BadInput
from bayesift.progress import track


def cross_validate(model: TextClassifier, X: Any, y: Any = None, *, folds: int = 5, seed: int = 0) -> Measured:
    """Return out-of-fold answers for all documents, in folds that share out the documents of each label.

    >>> texts, labels = ["wheat exports", "oil fell", "corn and wheat", "crude oil"] * 5, [("grain",), ("oil",)] * 10
    >>> round(cross_validate(TextClassifier(), texts, labels, folds=2).report().summary["micro F1"], 2)
    1.0
    """
    documents, sets, kind, _ = labelled(X, y)
    completed = Completion(Hierarchy.of(model.hierarchy))
    completed.hierarchy.check_kind(kind)
    sets = [completed(own) for own in sets]
    completed.notice(3)
    labels = new_labels(sets, (), "sets", None)
    check_size(len(documents), len(labels), folds)
    targets: Any = [own[0] for own in sets] if kind == "one" else sets
    truth = label_matrix(sets, labels)
    fold = stratified_folds(truth, folds, seed)
    p, decisions = np.zeros(truth.shape), np.zeros(truth.shape, bool)
    confidence = np.zeros(len(documents))
    for k in track(range(folds), "folds"):
        train, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        fitted = fit_without(clone(model), _take(documents, train), _take(targets, train), k + 1, folds)
        answers = fitted.predictions(_take(documents, held))
        learned = fitted.classes_.tolist()
        p[held], decisions[held] = widened(answers.probabilities, answers.decisions, learned, labels)
        confidence[held] = answers.confidence
    return Measured(documents, labels, truth, p, decisions, confidence, folds=fold)


def by_fold(measured: Measured) -> list[Measured]:
    """Return the answers of each fold."""
    assert measured.folds is not None
    parts = [np.flatnonzero(measured.folds == k) for k in range(int(measured.folds.max()) + 1)]
    return [
        replace(
            measured,
            documents=_take(measured.documents, rows),
            truth=measured.truth[rows],
            probabilities=measured.probabilities[rows],
            decisions=measured.decisions[rows],
            confidence=measured.confidence[rows],
            folds=None,
        )
        for rows in parts
    ]


def check_size(documents: int, labels: int, folds: int) -> None:
    """Raise unless so many documents can be shared out."""
    if documents < 2:
        raise BadInput(
            f"cross-validation needs 2 labelled documents or more, not {documents}", remedy="give more documents"
        )
    if not labels:
        raise BadInput("no document has a label", remedy="give some documents a label")
    if not 2 <= folds <= documents:
        raise BadInput(
            f"{folds} folds of {documents} documents", remedy=f"give a number of folds from 2 to {documents}"
        )


def fit_without(model: TextClassifier, documents: Any, y: Any, k: int, folds: int) -> TextClassifier:
    """Fit on the documents outside fold k; raise with the fold's number if they are too few."""
    try:
        return model.fit(documents, y)
    except BadInput as error:
        raise BadInput(
            f"without the documents of fold {k} of {folds} there is too little to learn from ({error})",
            remedy="give more documents of each label, or use more folds",
        ) from error


def _take(values: Sequence[Any], rows: NDArray[np.int64]) -> list[Any]:
    return [values[i] for i in rows.tolist()]
