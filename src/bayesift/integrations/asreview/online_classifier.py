"""BOMC as a classifier of reviews, which learns new labels without those before."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.errors import BadInput
from bayesift.filtering.screening.score_calibration import calibrated
from bayesift.integrations.asreview.labelled_rows import checked_labels, row_keys
from bayesift.learn.bomc.bomc import BOMC
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]


class OnlineClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """BOMC, which learns only the new rows as long as labels are added and none of the earlier ones changed.

    A review has far more irrelevant records than relevant ones, and those that are read resemble the relevant ones: if
    all counted the same, the words that they share would soon speak against a record. So an irrelevant record weighs
    min(1, `irrelevant` R / I), R and I being the relevant and the irrelevant labels so far, itself included.

    Parameters
    ----------
    noise, margin, prior_variance, bias_variance : float
        As in `BOMC`, chosen for reviews: the noise is larger than there, since labels are few and come in no random
        order, and the bias is almost fixed, so that it does not learn what words should.
    irrelevant : float
        The weight of irrelevant records, as above.

    Examples
    --------
    >>> X = sparse.csr_matrix([[1.0, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1]])
    >>> model = OnlineClassifier().fit(X[:2], [1, 0])
    >>> model.fit(X[:3], [1, 0, 1]).predict_proba(X[2:])[:, 1].round(2)
    array([0.99, 0.05])
    """

    model_: BOMC
    name = "bayesift_bomc"
    label = "bayesift, Bayesian online classifier (BOMC)"

    def __init__(
        self, noise: float = 1.0, margin: float = 1.0, prior_variance: float = 1.0, bias_variance: float = 0.01,
        irrelevant: float = 0.2,
    ) -> None:  # fmt: skip
        self.noise = noise
        self.margin = margin
        self.prior_variance = prior_variance
        self.bias_variance = bias_variance
        self.irrelevant = irrelevant

    def fit(self, X: Any, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Learn labelled rows in their order; a weight, relative to the largest, is the power of the likelihood."""
        rows = sparse.csr_matrix(X, dtype=np.float32)
        truth, weights = checked_labels(y, rows.shape[0], sample_weight)
        weights = weights / weights.max()
        now = row_keys(rows), truth, weights
        known = self._common(now) if hasattr(self, "model_") and rows.shape[1] == self.model_.n_features_in_ else 0
        if not known:
            self.model_ = BOMC(
                noise=self.noise, margin=self.margin, prior_variance=self.prior_variance,
                bias_variance=self.bias_variance, seed=None, threads=1,
            )  # fmt: skip
            self._ahead = np.zeros(0)  # the margin that each row had before it was learned
        shares = weights * self._balance(truth)
        ends = np.append(known + 1 + np.flatnonzero(np.diff(shares[known:])), rows.shape[0])
        for begin, end in zip(np.append(known, ends[:-1]), ends):  # runs of equal weights
            part = np.asarray(truth[begin:end, None], np.int64)
            order = np.arange(end - begin)
            margins = self.model_.learn_prequential(rows[begin:end], part, order, share=float(shares[begin]))
            self._ahead = np.append(self._ahead, margins[:, 0].astype(np.float64))
        self._learned = now
        self.classes_ = np.array([0, 1])
        return self

    def _balance(self, truth: NDArray[np.bool_]) -> Floats:
        """Return the weight of each record, which depends on those before it only."""
        relevant = np.maximum(np.cumsum(truth), 1)
        return np.where(truth, 1.0, np.minimum(1.0, self.irrelevant * relevant / np.maximum(np.cumsum(~truth), 1)))

    def decision_function(self, X: Any) -> Floats:
        """Return the margin of each row, as `BOMC.decision_function` does, without its checks of a matrix."""
        check_is_fitted(self, "model_")
        rows, belief = sparse.csr_matrix(X), self.model_
        if rows.shape[1] != belief.n_features_in_:
            remedy = f"give {belief.n_features_in_} columns, as in fit"
            raise BadInput(f"the rows have {rows.shape[1]} columns", remedy=remedy)
        mean, variance = (np.ascontiguousarray(of[:, 0]) for of in (belief.mean_, belief.variance_))
        about = float(belief.bias_mean_[0]), float(belief.bias_variance_[0]) + self.noise**2
        found: Floats = _margins(rows.indptr, rows.indices, rows.data, mean, variance, *about)
        return found

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of 0 and of 1 of each row, calibrated on the labelled rows as they came."""
        margins = self.decision_function(X)
        known = np.arange(self._ahead.size + margins.size) < self._ahead.size
        p = calibrated(self._ahead, self._learned[1], np.concatenate([self._ahead, margins]), known)[~known]
        return np.column_stack([1.0 - p, p])

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return 1 where that is more probable than not."""
        return np.asarray(self.predict_proba(X)[:, 1] > 0.5, np.int64)

    def _common(self, now: tuple[NDArray[Any], ...]) -> int:
        """Return how many rows were learned if all of them come first again, with the same labels, else 0."""
        n = self._learned[0].size
        same = n <= now[0].size and all((old == new[:n]).all() for old, new in zip(self._learned, now))
        return n if same else 0


@kernel
def _margins(
    ends: NDArray[np.int32], columns: NDArray[np.int32], values: Any, mean: NDArray[np.float32],
    variance: NDArray[np.float32], bias: float, more: float,
) -> Floats:  # fmt: skip
    """Return (x.mean - bias) / sqrt(x^2.variance + more) of each row."""
    out = np.empty(ends.size - 1)
    for i in range(out.size):
        m, q = -bias, more
        for e in range(ends[i], ends[i + 1]):
            x = np.float64(values[e])
            m += x * mean[columns[e]]
            q += x * x * variance[columns[e]]
        out[i] = m / np.sqrt(q)
    return out
