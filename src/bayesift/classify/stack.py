"""Stacking: a second classifier takes the probabilities of all labels by the first one as features.

    x' = (scale p_1, ..., scale p_C, x)     p by models that had not learned the document

A topic often comes with its parent or its neighbours, which one-vs-rest learners cannot use. Small p are left out, so
that x' stays sparse. It takes twice the time; where labels have little to do with each other it gains nothing.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import FloatArray
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.decide.rule import Rule
from bayesift.errors import BadInput
from bayesift.learn.base import all_rows, known_rows, many_labels

SMALL = 0.02


class LabelStack(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Two `LabelClassifier`s, the second of which also sees the first one's probabilities.

    scale: how much a probability weighs beside the words. rounds, seed: as in `LabelClassifier`.

    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 10, [[1, 0], [1, 0], [0, 1], [0, 1]] * 10
    >>> LabelStack().fit(X, Y).predict([[1, 0, 0], [0, 1, 0]])
    array([[1, 0],
           [0, 1]])
    """

    def __init__(self, scale: float = 0.5, rounds: int = 2, seed: int = 0) -> None:
        self.scale = scale
        self.rounds = rounds
        self.seed = seed

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from scratch. Y is (documents, labels) of 0 and 1, dense or sparse."""
        if not 0.0 < self.scale < np.inf:
            raise BadInput(f"scale is {self.scale!r}", remedy="give a positive number, e.g. 0.5")
        rows = all_rows(self, X)
        self.first_ = LabelClassifier(rounds=self.rounds, seed=self.seed)
        p = self.first_.fit_prequential(rows, Y)
        self.second_ = LabelClassifier(rounds=self.rounds, seed=self.seed + 1)
        self.second_.fit(self._beside(p, rows), Y)
        return self

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return self.second_.classes_

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the calibrated probability of each label: (documents, labels)."""
        seen = self._seen(X)
        return self.second_.predict_proba(seen)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels above their thresholds; one document gets the same as among many."""
        seen = self._seen(X)
        return self.second_.predict(seen)

    def decide(self, X: Any, rule: Rule | None = None) -> NDArray[np.int64]:
        """Return the labels of all these documents together, best in expectation, or by another rule."""
        return self.second_.decide(self._seen(X), rule)

    def confidence(self, X: Any) -> FloatArray:
        """Return the confidence in the labels that `predict` gives to each document: (documents,)."""
        return self.second_.confidence(self._seen(X))

    def _seen(self, X: Any) -> sparse.csr_matrix:
        check_is_fitted(self, "second_")
        rows = known_rows(self, X)
        return self._beside(self.first_.predict_proba(rows), rows)

    def _beside(self, p: FloatArray, rows: sparse.csr_matrix) -> sparse.csr_matrix:
        labels = sparse.csr_matrix(np.where(p > SMALL, self.scale * p, 0.0))
        return sparse.csr_matrix(sparse.hstack([labels, rows]))

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())
