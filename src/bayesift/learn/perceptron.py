"""The Bayesian online perceptron (chai2002 3.1, A): one linear classifier, with a full Gaussian belief about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs import Likelihood, likelihood_of
from bayesift.beliefs.full import FullBelief
from bayesift.learn.binary import BinaryLearner
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior
from bayesift.learn.weights import Weights

Floats = NDArray[np.float64]


class BayesianPerceptron(BinaryLearner):
    """A belief N(a, C) over the weights, learned one document at a time.

    Parameters
    ----------
    likelihood : str or bayesift.beliefs.Likelihood
        "probit" (noise 0.5), "logit", "flip", or a likelihood with a setting of its own.
    passes : int
        How often `fit` goes over the documents.
    feature_prior : FeaturePrior, optional
        Prior of single features' weights (see `bayesift.learn.priors.PriorTerms`); the others are N(0, 1).
    negligible : float
        A document that would lower the variance of its own field by a smaller share than this is not learned. 0 learns
        every document, as published.

    Examples
    --------
    >>> model = BayesianPerceptron(passes=1).fit([[1, 0], [0, 1], [1, 1]], [1, 0, 1])
    >>> model.predict([[2, 0], [0, 2]])
    array([1, 0])
    >>> model = model.partial_fit([[0, 0, 1]], [1])  # a feature that is new
    >>> model.predict([[0, 0, 1]])
    array([1])
    """

    belief_: FullBelief

    def __init__(
        self,
        likelihood: str | Likelihood = "probit",
        passes: int = 3,
        feature_prior: FeaturePrior | None = None,
        negligible: float = 0.0,
    ) -> None:
        self.likelihood = likelihood
        self.passes = passes
        self.feature_prior = feature_prior
        self.negligible = negligible

    def _start(self, n_features: int) -> None:
        self.belief_ = FullBelief.prior(likelihood_of(self.likelihood).code)

    def _learn(self, rows: sparse.csr_matrix, signs: Floats, passes: int) -> None:
        mean, sd = (self.feature_prior or NOTHING_KNOWN).over(rows.shape[1], sd=1.0)
        new = slice(self.belief_.n_features, None)
        self.belief_.grow(rows.shape[1], mean[new], sd[new])
        self.belief_.code = likelihood_of(self.likelihood).code
        self.belief_.learn(rows, signs, passes, self.negligible)

    def field(self, rows: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return mean and variance of h = w.x of each checked row."""
        return self.belief_.field(rows)

    def weights(self) -> Weights:
        """Return the weights with their full covariance."""
        C = self.belief_.covariance()
        sd = np.sqrt(np.maximum(np.diag(C), 0.0))
        features = np.arange(self.belief_.n_features)
        return Weights(self.coef_[0], sd[1:], self.intercept_, float(sd[0]), (features, C))

    @property
    def intercept_(self) -> float:
        """The mean of the bias."""
        return float(self.belief_.mean[0])

    @property
    def coef_(self) -> Floats:
        """The mean of each feature's weight: (1, features)."""
        return self.belief_.mean[None, 1:]

    @property
    def coef_sd_(self) -> Floats:
        """The standard deviation of each feature's weight: (1, features)."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.belief_.covariance())[None, 1:], 0.0)))
