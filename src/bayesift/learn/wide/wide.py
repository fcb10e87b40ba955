"""`WideLabels`: BOMC with independent labels (zhang2010) for thousands of labels and more, each with few documents.

A label has weights for the terms of its own documents only, learns its positives, the documents most like them
(`negatives`) and a sample that all labels share, and is scored where an indexed term is evidence for it (`index`). With
`sample=None` every document is learned, and with one pass the weights are those of `BOMC(compact=True)`.

Where negatives are left out, the margin of positives is that of the label's share of all documents, and terms that are
not a label's own have the weights of the background, which learned every document as a negative. What is left of the
choice of negatives is calibrated on held-out documents, where nothing is left out (`classify.wide`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import as_targets, check_room
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.base import LearnsAtOnce, all_rows, known_rows, many_labels
from bayesift.learn.bomc.belief import Settings
from bayesift.learn.weights import Weights
from bayesift.learn.wide.belief import SparseBelief
from bayesift.learn.wide.fitting import Order, Prior, learn_labels
from bayesift.threads import n_threads

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
TINY, EPSILON = np.finfo(np.float64).tiny, np.finfo(np.float64).epsneg


class WideLabels(LearnsAtOnce, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A Gaussian belief about the weights of very many labels, of the terms that occur with each of them.

    Parameters
    ----------
    noise : float
        beta, the standard deviation of the noise.
    prior_variance, bias_variance : float
        Variance of the weights and of the bias before any document.
    sample : int or None
        How many documents, drawn once, all labels learn beside their own; all documents if there are no more. None is
        all documents.
    similar : int
        How many documents, those most like its positives, a label learns beside a sample; a frequent label learns five
        per positive.
    candidates : int
        How many labels are scored for each document at most.
    passes : int
        How often documents are learned: in a random order, in the opposite one, in another one, and so on. Posteriors
        are averaged.
    seed : int or None
        Random seed of the orders; None keeps the documents in their order.
    threads : int, optional
        Threads; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 5, [[1, 0], [1, 0], [0, 1], [0, 1]] * 5
    >>> WideLabels().fit(X, Y).predict([[1, 0, 0], [0, 1, 0]])
    array([[1, 0],
           [0, 1]])
    """

    n_features_in_: int
    takes_prior_terms = False

    def __init__(
        self,
        *,
        noise: float = 0.25,
        prior_variance: float = 0.1,
        bias_variance: float = 1.0,
        sample: int | None = 20_000,
        similar: int = 300,
        candidates: int = 100,
        passes: int = 2,
        seed: int | None = 0,
        threads: int | None = None,
    ) -> None:
        self.noise = noise
        self.prior_variance = prior_variance
        self.bias_variance = bias_variance
        self.sample = sample
        self.similar = similar
        self.candidates = candidates
        self.passes = passes
        self.seed = seed
        self.threads = threads

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from scratch. Y is (documents, labels) of 0 and 1, dense or sparse."""
        self._check()
        found = all_rows(self, X)
        rows, labels = _single(found), as_targets(Y, found.shape[0])
        prior = Prior(self.prior_variance, self.bias_variance, Settings(noise=self.noise).kernel_arguments()[0])
        rng, orders = np.random.default_rng(self.seed), []
        documents, n = np.arange(rows.shape[0]), rows.shape[0]
        for k in range(self.passes):
            if self.seed is not None:
                documents = documents[::-1].copy() if k % 2 else rng.permutation(n)
            orders.append(Order.learned(rows, documents, prior))
        sample = None
        if self.sample is not None and self.sample < n:
            sample = np.sort(rng.permutation(n)[: self.sample]).astype(np.int32)
        threads = n_threads(self.threads)
        own, bias = learn_labels(rows, labels, orders, prior, sample, self.similar, threads)
        unseen = np.asarray(np.mean([(o.mean, o.variance) for o in orders], axis=0, dtype=np.float32))
        self.belief_ = SparseBelief.of(own, bias, unseen, np.mean([order.bias for order in orders], axis=0))
        return self

    def scored(self, X: Any) -> sparse.csr_matrix:
        """Return the margins of each document's candidates: sparse, (documents, labels), 0 stored where it is 0."""
        rows = self._rows(X)
        begins, labels = self.belief_.index.candidates(rows.indptr, rows.indices, rows.data, self.candidates)
        margins = _margin(*self.belief_.field(rows, begins, labels), self.noise)
        return sparse.csr_matrix((margins, labels, begins), shape=(rows.shape[0], self.belief_.n_labels))

    def margins(self, X: Any) -> Singles:
        """Return the margins of all labels, and of a label that no document has: (documents, labels + 1)."""
        rows = self._rows(X)
        m, v = self.belief_.unseen_field(rows)
        return np.column_stack([self.decision_function(rows), _margin(m, v, self.noise)])

    def decision_function(self, X: Any) -> Singles:
        """Return the margin of every label, m / sqrt(v + beta^2): (documents, labels)."""
        return _margin(*self.predict_field(X), self.noise)

    def predict_field(self, X: Any) -> tuple[Singles, Singles]:
        """Return mean and variance of w_c.x - b of every label: two arrays (documents, labels)."""
        rows = self._rows(X)
        n, labels = rows.shape[0], self.belief_.n_labels
        check_room(n, labels)
        every = np.tile(np.arange(labels, dtype=np.int32), n)
        m, v = self.belief_.field(rows, np.arange(n + 1) * labels, every)
        return m.reshape(n, labels), v.reshape(n, labels)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of every label: (documents, labels). `scored` has those of candidates."""
        return np.clip(ndtr(self.decision_function(X).astype(np.float64)), TINY, 1.0 - EPSILON)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels more probable than not: (documents, labels)."""
        return np.asarray(self.predict_proba(X) > 0.5, np.int64)

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.arange(self.belief_.n_labels)

    def weights(self, labels: Sequence[int]) -> Iterator[Weights]:
        """Yield the weights of each of these labels; terms that are not its own have the background's."""
        for c in labels:
            mean, variance = self.belief_.of_label(c)
            bias, bias_sd = float(self.belief_.bias[0, c]), float(self.belief_.bias[1, c]) ** 0.5
            yield Weights(mean, np.sqrt(variance), -bias, bias_sd)

    def state(self) -> State:
        """Return all that was learned, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "belief_")
        return self.belief_.state()

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        self.belief_ = SparseBelief.restored(state)
        self.n_features_in_ = self.belief_.n_features
        return self

    def _rows(self, X: Any) -> sparse.csr_matrix:
        check_is_fitted(self, "belief_")
        return _single(known_rows(self, X))

    def _check(self) -> None:
        n_threads(self.threads)
        for name in ("noise", "prior_variance", "bias_variance"):
            if not 0.0 < getattr(self, name) < 1e9:
                raise BadInput(f"{name} is {getattr(self, name)!r}", remedy="give a positive number")
        for name in ("candidates", "passes", "sample", "similar"):
            value = getattr(self, name)
            if not (isinstance(value, int | np.integer) and value >= 1) and not (name == "sample" and value is None):
                raise BadInput(f"{name} is {value!r}", remedy="give a whole number from 1 on")

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())


def _margin(m: Singles, v: Singles, noise: float) -> Singles:
    return np.asarray(m / np.sqrt(v + np.float32(noise**2)), np.float32)


def _single(rows: Any) -> sparse.csr_matrix:
    """Return rows in single precision, the terms of each rising."""
    found = sparse.csr_matrix(rows, dtype=np.float32)
    if not found.has_sorted_indices:
        found = found.copy()
        found.sort_indices()
    return found
