"""The model of `PoolRanker` on any feature matrix.

Its kernel is smoothed over the pool, so it needs the rows that nobody labelled: the pool is what `fit` and
`predict_proba` have seen together. It is kept as long as both bring rows of it. Equal rows are one record of the pool,
which several labels may observe (precisions add up).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.filtering.screening.judged_rows import JudgedRows
from bayesift.filtering.screening.pool_kernel import PoolKernel, shared_terms
from bayesift.filtering.screening.pool_ranker import IRRELEVANT, RELEVANT
from bayesift.filtering.screening.score_calibration import calibrated
from bayesift.integrations.asreview.labelled_rows import Keys, checked_labels, row_keys
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]


class PoolClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian-process regression with a kernel that is smoothed over the pool, on any feature matrix.

    Parameters
    ----------
    seed : int
        Random seed of the pool's directions.

    Examples
    --------
    >>> X = sparse.csr_matrix([[1.0, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]])
    >>> model = PoolClassifier().fit(X[:2], [1, 0])
    >>> model.decision_function(X[2:]).argmax()
    np.int64(0)
    """

    name = "bayesift_pool"
    label = "bayesift, Gaussian process over the pool"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, X: Any, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Learn labelled rows; the weight of a label divides the variance of its noise."""
        self._rows = _unit_rows(X)
        truth, weights = checked_labels(y, self._rows.shape[0], sample_weight)
        self._labelled = row_keys(self._rows)
        keys, place = np.unique(self._labelled, return_inverse=True)
        precision = weights / np.where(truth, RELEVANT, IRRELEVANT)
        total = np.bincount(place, precision, keys.size)
        self._noise = 1.0 / total
        self._targets = np.bincount(place, precision * np.where(truth, 1.0, -1.0), keys.size) / total
        self._labelled = keys
        self.classes_ = np.array([0, 1])
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return the posterior mean of each row."""
        place, _, _, fields = self._solve(X)
        return fields[place]

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of 0 and of 1 of each row, calibrated on the labelled rows."""
        place, alpha, system, fields = self._solve(X)
        left_out = self._targets - alpha / system.inverse_diagonal()
        unread = np.ones(fields.size, bool)
        unread[self._places(self._labelled)] = False
        p = calibrated(left_out, self._targets > 0.0, fields, unread)[place]
        return np.column_stack([1.0 - p, p])

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return 1 where that is more probable than not."""
        return np.asarray(self.predict_proba(X)[:, 1] > 0.5, np.int64)

    def _solve(self, X: Any) -> tuple[NDArray[np.intp], Floats, JudgedRows, Floats]:
        """Return the places of rows in the pool, alpha and system of the labelled ones, and the fields of all."""
        check_is_fitted(self, "classes_")
        rows = _unit_rows(X)
        keys = row_keys(rows)
        if not (hasattr(self, "_pool") and self._known(keys) and self._known(self._labelled)):
            self._start(sparse.csr_matrix(sparse.vstack([self._rows, rows], "csr")))
        judged = self._places(self._labelled)
        system = JudgedRows(self._pool, judged, self._noise, np.flatnonzero(self._targets > 0.0))
        alpha = system.solve(self._targets)
        return self._places(keys), alpha, system, self._pool.fields(judged, alpha)

    def _start(self, rows: sparse.csr_matrix) -> None:
        """Make the kernel of a pool; it does not depend on which of its rows are labelled."""
        self._keys, first = np.unique(row_keys(rows), return_index=True)
        self._pool = PoolKernel(shared_terms(rows[first]), 0, self.seed)

    def _places(self, keys: Keys) -> NDArray[np.intp]:
        return np.minimum(np.searchsorted(self._keys, keys), self._keys.size - 1)

    def _known(self, keys: Keys) -> bool:
        return bool((self._keys[self._places(keys)] == keys).all())


def _unit_rows(X: Any) -> sparse.csr_matrix:
    """Return rows of length 1, or 0, in single precision; rows that are so already stay as they are."""
    rows = sparse.csr_matrix(X, dtype=np.float32)
    length = _lengths(rows.indptr, rows.data)
    length[(length == 0.0) | (np.abs(length - 1.0) < 1e-6)] = 1.0
    if (length == 1.0).all():
        return rows
    data = (rows.data / np.repeat(length, np.diff(rows.indptr))).astype(np.float32)
    return sparse.csr_matrix((data, rows.indices, rows.indptr), shape=rows.shape)


@kernel
def _lengths(ends: NDArray[np.int32], values: NDArray[np.float32]) -> Floats:
    """Return the length of each row."""
    out = np.zeros(ends.size - 1)
    for i in range(out.size):
        total = 0.0
        for e in range(ends[i], ends[i + 1]):
            total += np.float64(values[e]) * np.float64(values[e])
        out[i] = np.sqrt(total)
    return out
