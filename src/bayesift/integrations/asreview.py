"""ASReview 3: the ranker of a pool and BOMC as classifiers, our vectors as a feature extractor, and a preset of them.

ASReview finds the classes by the entry points in `pyproject.toml` and calls `fit` with the labelled rows of a feature
matrix after every label, then `predict_proba` with the others. Nothing here imports ASReview but `preset`.

`PoolClassifier` is the model of `PoolRanker` on any feature matrix. Its kernel is smoothed over the pool, so it needs
the rows that nobody labelled: the pool is what `fit` and `predict_proba` have seen together. It is kept as long as
both bring rows of it. Rows are recognised by a hash of their entries; equal rows are one record of the pool, which
several labels may observe (precisions add up).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.errors import BadInput
from bayesift.filtering.screening.judged_rows import JudgedRows
from bayesift.filtering.screening.pool_kernel import PoolKernel, shared_terms
from bayesift.filtering.screening.pool_ranker import IRRELEVANT, RELEVANT
from bayesift.filtering.screening.pool_vectors import PoolVectors
from bayesift.filtering.screening.score_calibration import calibrated
from bayesift.integrations.extras import needed
from bayesift.learn.bomc.bomc import BOMC
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

MODEL_METADATA = {
    "classifiers": {
        "bayesift_pool": {"label": "bayesift, Gaussian process over the pool"},
        "bayesift_bomc": {"label": "bayesift, Bayesian online classifier (BOMC)"},
    },
    "feature_extractors": {"bayesift": {"label": "bayesift, words and word pairs"}},
}


def preset() -> Any:
    """Return our counterpart of ELAS u4, as ASReview's `ActiveLearningCycleData`.

    Raises
    ------
    NotFound
        If ASReview is not installed.
    """
    asreview = needed("asreview", "asreview")
    return asreview.ActiveLearningCycleData(
        querier="max", classifier="bayesift_pool", feature_extractor="bayesift", balancer=None
    )


class PoolFeatures(BaseEstimator):  # type: ignore[misc]
    """Words and word pairs of title and abstract, weighted as `PoolRanker` does.

    Terms of one record only add nothing but length: each record has one column for all of its own. Products of rows are
    the same, and the matrix, which ASReview cuts after every label, is half as large.

    Parameters
    ----------
    columns : sequence of str
        The columns of title and abstract.

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame({"title": ["Statins in HIV", None], "abstract": ["A trial", "Asthma"]})
    >>> PoolFeatures().fit_transform(table).shape
    (2, 2)
    """

    name = "bayesift"
    label = MODEL_METADATA["feature_extractors"]["bayesift"]["label"]

    def __init__(self, columns: tuple[str, str] = ("title", "abstract")) -> None:
        self.columns = columns

    def fit_transform(self, X: Any, y: object = None) -> sparse.csr_matrix:
        """Return the vectors of a table of records, which are the pool."""
        shared, own, _ = shared_terms(PoolVectors(self._texts(X)).weights())
        records = np.arange(own.size + 1, dtype=np.int32)
        alone = sparse.csr_matrix((np.sqrt(own).astype(np.float32), records[:-1], records), shape=(own.size, own.size))
        rows = sparse.csr_matrix(sparse.hstack([shared, alone], "csr"))
        rows.eliminate_zeros()
        return rows

    def _texts(self, X: Any) -> list[tuple[str, str]]:
        missing = [name for name in self.columns if name not in X]
        if missing:
            raise BadInput(f"the records have no column {missing[0]!r}", remedy="set the parameter columns")
        parts = [[text if isinstance(text, str) else "" for text in X[name]] for name in self.columns]
        return list(zip(*parts))


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
    label = MODEL_METADATA["classifiers"]["bayesift_pool"]["label"]

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, X: Any, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Learn labelled rows; the weight of a label divides the variance of its noise."""
        self._rows = _unit_rows(X)
        truth, weights = _labels(y, self._rows.shape[0], sample_weight)
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
    label = MODEL_METADATA["classifiers"]["bayesift_bomc"]["label"]

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
        truth, weights = _labels(y, rows.shape[0], sample_weight)
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


def row_keys(rows: sparse.csr_matrix) -> Keys:
    """Return a hash of the entries of each row, in whatever order they are stored."""
    keys: Keys = _hash_rows(rows.indptr, rows.indices, rows.data.astype(np.float32, copy=False).view(np.uint32))
    return keys


@kernel
def _hash_rows(ends: NDArray[np.int32], columns: NDArray[np.int32], bits: NDArray[np.uint32]) -> Keys:
    """Sum a mixed word (splitmix64) of column and value over the entries of each row."""
    keys = np.zeros(ends.size - 1, np.uint64)
    for i in range(keys.size):
        for e in range(ends[i], ends[i + 1]):
            z = (np.uint64(columns[e]) << np.uint64(32)) + np.uint64(bits[e]) + np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            keys[i] += z ^ (z >> np.uint64(31))
    return keys


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


def _labels(y: npt.ArrayLike, n: int, sample_weight: npt.ArrayLike | None) -> tuple[NDArray[np.bool_], Floats]:
    truth = np.asarray(y)
    weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if truth.shape != (n,) or not np.isin(truth, (0, 1)).all():
        raise BadInput(f"labels of shape {truth.shape} for {n} rows", remedy="give one 0 or 1 per row")
    if weights.shape != (n,) or not (weights > 0.0).all():
        raise BadInput("a weight is not positive, or weights are too few", remedy="give one positive number per row")
    return truth.astype(bool), weights
