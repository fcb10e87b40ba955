"""Logistic or probit regression of many labels on all terms, under a Normal prior whose variance the data choose.

    p(label | x) = sigma(b + beta.x) or Phi(b + beta.x),   beta_j ~ N(0, variance), the same variance for all labels

The variance has the largest log-likelihood of held-out documents, summed over labels, where fields may be multiplied by
a common factor: whoever calibrates the probabilities makes up for it. `SparseLogistic` and `SparseProbit` in `PerLabel`
are the published models: one prior for each label, of any shape, over selected terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, log_ndtr, ndtr
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import as_targets
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.base import LearnsAtOnce, all_rows, known_rows, many_labels
from bayesift.learn.prior_width import held_out
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior
from bayesift.learn.sparse_linear.descent import LOGISTIC, PROBIT, balanced, derivatives
from bayesift.learn.sparse_linear.newton import minimise_many
from bayesift.learn.weights import Weights
from bayesift.threads import in_threads, n_threads

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Link = Literal["logistic", "probit"]
LINKS = {"logistic": LOGISTIC, "probit": PROBIT}
VARIANCES = (1.0, 3.0, 10.0, 30.0, 100.0)
USUAL = 10.0  # the variance where there are too few documents to choose
CHUNK = 48  # labels that are solved at a time: the same for any number of threads
SAMPLED = 32  # labels, common and rare, that choose the variance
SCALES = (0.4, 0.6, 0.8, 1.0)  # of the fields
LOGISTIC_UNIT = 1.7  # a logistic field is about so many times a probit field


class LinearLabels(LearnsAtOnce, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Many labels by regression on all terms: one linear classifier each, all with the same prior.

    Parameters
    ----------
    link : "logistic" or "probit"
        The function from fields to probabilities.
    variances : sequence of float
        The prior variances to choose from; a single one is taken as it is.
    feature_priors : sequence of FeaturePrior, optional
        One prior of the weights per label (see `PriorTerms.to_features`).
    tolerance : float
        The largest violation of an optimality condition that is left. A document's gradient is at most 1.
    seed : int
        Random seed of the choice of held-out documents.
    threads : int, optional
        Threads; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 5
    >>> Y = [[1, 0], [1, 0], [0, 1], [0, 1]] * 5
    >>> LinearLabels("probit").fit(X, Y).predict([[1, 0, 0], [0, 1, 1]])
    array([[1, 0],
           [0, 1]])
    """

    n_features_in_: int
    takes_prior_terms = True

    def __init__(
        self,
        link: Link = "logistic",
        *,
        variances: Sequence[float] = VARIANCES,
        feature_priors: Sequence[FeaturePrior | None] | None = None,
        tolerance: float = 0.3,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.link = link
        self.variances = variances
        self.feature_priors = feature_priors
        self.tolerance = tolerance
        self.seed = seed
        self.threads = threads

    def fit(self, X: Any, Y: Any) -> Self:
        """Choose the variance and learn all labels. Y is (documents, labels) of 0 and 1, dense or sparse."""
        self._check()
        rows = all_rows(self, X)
        labels = as_targets(Y, rows.shape[0]).tocsc()
        self.n_documents_ = rows.shape[0]
        self.variance_ = self._chosen(rows, labels)
        chunks = [np.arange(c, min(c + CHUNK, labels.shape[1])) for c in range(0, labels.shape[1], CHUNK)]
        found = in_threads(lambda which: self._learned(rows, labels, which), chunks, n_threads(self.threads))
        empty = np.zeros((rows.shape[1] + 1, 0), np.float32)
        self.mean_, self.spread_ = (np.hstack([empty, *(pair[i] for pair in found)]) for i in (0, 1))
        return self

    def settled(self) -> LinearLabels:
        """Return an unfitted learner with the variance that was chosen."""
        settled: LinearLabels = clone(self).set_params(variances=(self.variance_,))
        return settled

    def _learned(self, rows: sparse.csr_matrix, labels: sparse.csc_matrix, which: NDArray[Any]) -> tuple[Singles, ...]:
        """Return mean and variance of the weights of some labels, the intercept's last."""
        signs = _signs(labels, which)
        mean, weight, delta = self._mode(rows, signs, which, self.variance_, None)
        beta = mean + delta
        z = rows @ beta[:-1] + beta[-1]
        pairs = zip(z.T.copy(), signs.T.copy())
        h = np.column_stack([derivatives(field, y, LINKS[self.link])[1] for field, y in pairs])
        squared = sparse.csr_matrix((rows.data**2, rows.indices, rows.indptr), shape=rows.shape)
        curvature = np.vstack([squared.T @ h, h.sum(axis=0)]) + weight
        return beta.astype(np.float32), (1.0 / np.maximum(curvature, 1e-12)).astype(np.float32)

    def _mode(
        self, rows: sparse.csr_matrix, signs: Floats, which: NDArray[Any], variance: float, start: Floats | None
    ) -> tuple[Floats, Floats, Floats]:
        """Return the prior's means, the weights of the penalty, and the mode's distance from the means."""
        d = rows.shape[1]
        mean, weight = np.zeros((d + 1, 1)), np.append(np.full(d, 1.0 / variance), 0.0)[:, None]
        offset = None
        if self.feature_priors is not None:
            known = [(self.feature_priors[c] if c < len(self.feature_priors) else None) or NOTHING_KNOWN for c in which]
            pairs = [prior.over(d, sd=variance**0.5) for prior in known]
            mean = np.vstack([np.column_stack([m for m, _ in pairs]), np.zeros((1, which.size))])
            weight = np.vstack([np.column_stack([1.0 / sd**2 for _, sd in pairs]), np.zeros((1, which.size))])
            offset = rows @ mean[:-1]
        if start is None:
            start = np.zeros((d + 1, which.size))
            start[-1] = [balanced(y, LINKS[self.link]) for y in signs.T]
        found = minimise_many(rows, signs, LINKS[self.link], weight, start, offset, tolerance=self.tolerance)
        return mean, weight, found.beta

    def _chosen(self, rows: sparse.csr_matrix, labels: sparse.csc_matrix) -> float:
        """Return the variance that explains held-out documents best."""
        if len(self.variances) == 1 or not labels.shape[1]:
            return float(self.variances[0])
        parts = held_out(rows.shape[0], self.seed)
        if not parts:
            return USUAL
        often = np.argsort(-np.diff(labels.indptr), kind="stable")
        which = often[:: -(-often.size // SAMPLED)]
        signs, total = _signs(labels, which), np.zeros((len(self.variances), len(SCALES)))
        order = np.argsort(self.variances, kind="stable")
        for outside in parts:
            inside, start = ~outside, None
            train, test = rows[inside], rows[outside]
            for i in order.tolist():
                mean, _, start = self._mode(train, signs[inside], which, float(self.variances[i]), start)
                beta = mean + start
                u = signs[outside] * (test @ beta[:-1] + beta[-1])
                total[i] += [_log_likelihood(self.link, scale * u) for scale in SCALES]
        return float(self.variances[int(np.argmax(total.max(axis=1)))])

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.arange(self.mean_.shape[1])

    def predict_field(self, X: Any) -> tuple[Floats, Floats]:
        """Return beta.x + b of each label and its variance, weights taken as independent: (documents, labels) each."""
        rows = self._rows(X)
        squared = sparse.csr_matrix((rows.data**2, rows.indices, rows.indptr), shape=rows.shape)
        return _product(rows, self.mean_), _product(squared, self.spread_)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each label: (documents, labels)."""
        field = _product(self._rows(X), self.mean_)
        return np.asarray(expit(field) if self.link == "logistic" else ndtr(field))

    def margins(self, X: Any) -> Floats:
        """Return the field of each label in units of probit, and in the last column that of an unseen label."""
        field = _product(self._rows(X), self.mean_)
        unseen = balanced(np.full(self.n_documents_, -1.0), LINKS[self.link])
        both = np.column_stack([field, np.full(len(field), unseen)])
        return both / LOGISTIC_UNIT if self.link == "logistic" else both

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels more probable than not: (documents, labels). `bayesift.decide` has better rules."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def weights(self, labels: Sequence[int]) -> Iterator[Weights | None]:
        """Yield the weights of each of these labels; their deviations, by the curvature, are taken as independent."""
        for c in labels:
            mean, sd = self.mean_[:, c].astype(np.float64), np.sqrt(self.spread_[:, c].astype(np.float64))
            yield Weights(mean[:-1], sd[:-1], float(mean[-1]), float(sd[-1]))

    def state(self) -> State:
        """Return all that was learned, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "mean_")
        arrays = {"mean": self.mean_.copy(), "variances": self.spread_.copy()}
        return arrays | {"documents": self.n_documents_, "variance": self.variance_}

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        self.mean_, self.spread_ = state["mean"].copy(), state["variances"].copy()
        self.n_documents_, self.variance_ = int(state["documents"]), float(state["variance"])
        self.n_features_in_ = self.mean_.shape[0] - 1
        return self

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self, "mean_")
        return known_rows(self, X)

    def _check(self) -> None:
        n_threads(self.threads)
        if self.link not in LINKS:
            raise BadInput(f"no link {self.link!r}", remedy="use 'logistic' or 'probit'")
        if not len(self.variances) or not all(0.0 < v < np.inf for v in self.variances):
            raise BadInput(f"variances are {self.variances!r}", remedy="give one or more positive numbers")
        if not self.tolerance > 0.0:
            raise BadInput(f"tolerance is {self.tolerance!r}", remedy="give a positive number, e.g. 0.3")

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())


def _product(rows: sparse.csr_matrix, weights: Singles) -> Floats:
    """Return rows times weights, and the intercepts."""
    return np.asarray(rows.astype(np.float32) @ weights[:-1] + weights[-1], np.float64)


def _signs(labels: sparse.csc_matrix, which: NDArray[Any]) -> Floats:
    return np.where(labels[:, which].toarray() > 0, 1.0, -1.0)


def _log_likelihood(link: str, u: Floats) -> float:
    return float(-np.logaddexp(0.0, -u).sum() if link == "logistic" else log_ndtr(u).sum())
