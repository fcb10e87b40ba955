"""The one-pass probabilistic categoriser (goutte2007): profiles of categories by counting, documents folded in by EM.

    P(w|c) = count of w in the documents of c / length of c     (eq. 3; a document with several labels counts in each)
    P(c|d) <- P(c|d) sum_w n(w,d)/|d| P(w|c) / sum_c' P(c'|d) P(w|c')     (eq. 5, from a uniform start)

Counts are kept as whole multiples of `UNIT`, so that adding, forgetting and merging are exact, in any order. Words that
were never learned are left out; a document with no known word has the categories' own shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import as_targets
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.base import known_rows, log_odds, many_labels, more_rows, note_features
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
UNIT = 2.0**-24  # weights are rounded to multiples of this
LARGEST = 1e9  # weight of a word in a document; sums of multiples of `UNIT` have 64 bits


class Categoriser(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Profiles P(w|c) learned in one pass; P(c|d) of a new document by a few steps of EM.

    Parameters
    ----------
    steps : int
        The largest number of EM steps.
    tolerance : float
        A document is done when a step raises its log-likelihood per word by less.
    annealing : tuple of float
        Inverse temperatures, each with `steps` steps of EM, before the last one at 1; empty is plain EM.
    temperature : float
        P(c|d)^(1/temperature), normalised, is what is returned.

    Examples
    --------
    >>> X, Y = [[3, 0, 1], [0, 2, 1], [1, 1, 0]], [[1, 0], [0, 1], [1, 1]]
    >>> model = Categoriser(steps=200).fit(X, Y)
    >>> model.predict_proba([[2, 0, 0], [1, 1, 0]]).round(2)
    array([[1.  , 0.  ],
           [0.48, 0.52]])
    >>> model.forget(X, Y).n_documents_
    0
    """

    online = True  # whether it can learn more documents later
    prequential = False
    takes_counts = True
    n_features_in_: int
    takes_prior_terms = False  # profiles are counts: they have no prior

    def __init__(
        self, steps: int = 5, tolerance: float = 1e-6, annealing: tuple[float, ...] = (), temperature: float = 1.0
    ) -> None:
        self.steps = steps
        self.tolerance = tolerance
        self.annealing = annealing
        self.temperature = temperature

    def fit(self, X: Any, Y: Any) -> Self:
        """Count from scratch. Y is (documents, labels) of 0 and 1, dense or sparse."""
        self._clear()
        return self.partial_fit(X, Y)

    def partial_fit(self, X: Any, Y: Any) -> Self:
        """Count more documents; words and labels may be new."""
        if not hasattr(self, "counts_"):
            self._clear()
        return self._add(X, Y, 1)

    def check_documents(self, rows: Any, labels: sparse.csr_matrix) -> None:
        """Raise if checked rows and targets cannot be learned; nothing changes."""
        _counts(rows)

    def forget(self, X: Any, Y: Any) -> Self:
        """Take documents back that were learned: the counts are as if they had never been."""
        check_is_fitted(self, "counts_")
        return self._add(X, Y, -1)

    def merge(self, other: Categoriser) -> Self:
        """Add what another model learned from documents of its own."""
        check_is_fitted(self, "counts_")
        check_is_fitted(other, "counts_")
        self._grow(*other.counts_.shape)
        d, c = other.counts_.shape
        self.counts_[:d, :c] += other.counts_
        self.documents_[:c] += other.documents_
        self.n_documents_ += other.n_documents_
        return self

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.arange(self.counts_.shape[1])

    def predict_proba(self, X: Any) -> Floats:
        """Return P(c|d): (documents, labels), each row with sum 1."""
        p = self._fold_in(X)
        if self.temperature != 1.0:
            p = p ** (1.0 / self.temperature)
            p /= p.sum(axis=1, keepdims=True)
        return p

    def margins(self, X: Any) -> Floats:
        """Return the log-odds of each label and, in the last column, of a label that no document has had so far."""
        known = self.predict_proba(X) if self.counts_.any() else np.zeros((X.shape[0], self.counts_.shape[1]))
        return log_odds(np.pad(known, ((0, 0), (0, 1))))

    def weights(self, labels: Sequence[int]) -> Iterator[None]:
        """Yield None for each of these labels: profiles are not weights of a linear field."""
        yield from (None for _ in labels)

    def rehearse(self, X: Any, Y: Any, labels: NDArray[np.int64]) -> None:
        """Do nothing: counts do not depend on the order of documents."""

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the most probable label of each document: (documents, labels); `bayesift.decide` chooses several."""
        p = self.predict_proba(X)
        return np.asarray(p == p.max(axis=1, keepdims=True), np.int64)

    def knows(self, X: Any) -> NDArray[np.bool_]:
        """Return whether a document has any known word; if not, its probabilities are the categories' shares."""
        rows = self._rows(X)
        return np.asarray(rows @ (self.counts_.sum(axis=1) > 0).astype(float) > 0)

    def profiles(self) -> Floats:
        """Return P(w|c): (words, labels); a category without words has a profile of zeros."""
        length = self.counts_.sum(axis=0)
        return np.asarray(np.divide(self.counts_, length, out=np.zeros(self.counts_.shape), where=length > 0))

    def state(self) -> State:
        """Return all that was learned, as arrays and numbers, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "counts_")
        return {
            "counts": self.counts_.copy(),
            "documents": self.documents_.copy(),
            "n_documents": self.n_documents_,
        }

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        self.counts_, self.documents_ = state["counts"].copy(), state["documents"].copy()
        self.n_documents_, self.n_features_in_ = state["n_documents"], self.counts_.shape[0]
        return self

    def _clear(self) -> None:
        self.counts_ = np.zeros((0, 0), np.int64)  # (words, labels), in units
        self.documents_ = np.zeros(0, np.int64)  # of each label
        self.n_documents_ = 0

    def _grow(self, words: int, labels: int) -> None:
        d, c = self.counts_.shape
        self.counts_ = np.pad(self.counts_, ((0, max(0, words - d)), (0, max(0, labels - c))))
        self.documents_ = np.pad(self.documents_, (0, max(0, labels - c)))
        self.n_features_in_ = self.counts_.shape[0]

    def _add(self, X: Any, Y: Any, sign: int) -> Self:
        rows = more_rows(self, X, first=self.counts_.shape[0] == 0, min_documents=0)
        labels, rows = as_targets(Y, rows.shape[0]), _counts(rows)
        words, units = rows.shape[1], np.rint(rows.data / UNIT).astype(np.int64)
        if sign < 0 and (words > self.counts_.shape[0] or labels.shape[1] > self.counts_.shape[1]):
            raise BadInput("documents to forget have words or labels never learned", remedy="give what was learned")
        self._grow(words, labels.shape[1])
        note_features(self, X, self.n_features_in_)
        _count(rows.indptr, rows.indices, units, labels.indptr, labels.indices, sign, self.counts_)
        self.documents_[: labels.shape[1]] += sign * np.asarray(labels.astype(np.int64).sum(axis=0)).ravel()
        self.n_documents_ += sign * rows.shape[0]
        if sign < 0 and (self.n_documents_ < 0 or self.counts_.min(initial=0) < 0):
            self._add(X, Y, 1)
            raise BadInput("documents to forget were not all learned", remedy="give what was learned; nothing changed")
        return self

    def _rows(self, X: Any) -> sparse.csr_matrix:
        check_is_fitted(self, "counts_")
        return _counts(known_rows(self, X))

    def _fold_in(self, X: Any) -> Floats:
        rows = self._rows(X)
        if not self.counts_.any():
            raise BadInput("no words were learned", remedy="fit on documents with words and labels first")
        if not (isinstance(self.steps, int | np.integer) and self.steps >= 1 and self.temperature > 0):
            raise BadInput(f"steps is {self.steps!r}, temperature {self.temperature!r}", remedy="give positive numbers")
        shares = self.documents_ / max(self.documents_.sum(), 1)
        betas = np.array([*self.annealing, 1.0])
        p: Floats = _fold_in(
            rows.indptr, rows.indices, rows.data, self.profiles(), shares, betas, int(self.steps), float(self.tolerance)
        )
        return p

    def __sklearn_tags__(self) -> Any:
        tags = many_labels(super().__sklearn_tags__())
        tags.input_tags.positive_only = True
        return tags


def _counts(rows: Any) -> sparse.csr_matrix:
    counts = sparse.csr_matrix(rows)
    if counts.nnz and counts.data.min() < 0:
        raise BadInput("Negative values in data passed to Categoriser", remedy="give counts: weight='raw' or 'binary'")
    if counts.nnz and counts.data.max() > LARGEST:
        raise BadInput(f"a document has a weight of {counts.data.max():.3g}", remedy=f"give counts up to {LARGEST:.0g}")
    return counts


@kernel
def _count(
    indptr: Any, indices: Any, units: Longs, label_ptr: Any, label_indices: Any, sign: int, counts: Longs
) -> None:
    for t in range(indptr.size - 1):
        for i in range(indptr[t], indptr[t + 1]):
            row = counts[indices[i]]
            for k in range(label_ptr[t], label_ptr[t + 1]):
                row[label_indices[k]] += sign * units[i]


@kernel(fastmath={"contract"})
def _fold_in(
    indptr: Any, indices: Any, data: Floats, profile: Floats, shares: Floats, betas: Floats, steps: int,
    tolerance: float,
) -> Floats:  # fmt: skip
    n, labels = indptr.size - 1, profile.shape[1]
    result = np.empty((n, labels))
    new, part = np.empty(labels), np.empty(labels)
    some = np.zeros(labels, np.bool_)
    for w in range(profile.shape[0]):
        for c in range(labels):
            some[c] |= profile[w, c] > 0.0
    for t in range(n):
        p = result[t]
        length = 0.0
        for i in range(indptr[t], indptr[t + 1]):
            if profile[indices[i]].max() > 0.0:
                length += data[i]
        if length == 0.0:
            p[:] = shares
            continue
        p[:] = some / some.sum()
        for beta in betas:
            before = -np.inf
            for _ in range(steps):
                new[:] = 0.0
                value = 0.0
                for i in range(indptr[t], indptr[t + 1]):
                    row = profile[indices[i]]
                    plain, total = 0.0, 0.0
                    for c in range(labels):
                        joint = p[c] * row[c]
                        plain += joint
                        part[c] = joint if beta == 1.0 else joint**beta
                        total += part[c]
                    if total > 0.0:
                        share = data[i] / length
                        value += share * np.log(plain)
                        for c in range(labels):
                            new[c] += share * part[c] / total
                p[:] = new / new.sum()
                if value - before < tolerance:
                    break
                before = value
    return result
