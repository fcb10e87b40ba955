"""The Bayesian online perceptron (chai2002 3.1, A): one linear classifier, with a full Gaussian belief about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs import Likelihood, likelihood_of
from bayesift.beliefs.full import WeightBelief
from bayesift.learn.binary import BinaryLearner
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior

Floats = NDArray[np.float64]


class BayesianPerceptron(BinaryLearner):
    """A belief N(a, C) over the weights, learned one document at a time.

    likelihood: "probit" (noise 0.5, the default), "logit", "flip", or a `bayesift.beliefs.Likelihood`.
    passes: how often `fit` goes over the documents.
    feature_prior: prior of single features' weights (see `bayesift.learn.priors.PriorTerms`); the others are N(0, 1).

    >>> model = BayesianPerceptron(passes=1).fit([[1, 0], [0, 1], [1, 1]], [1, 0, 1])
    >>> model.predict([[2, 0], [0, 2]])
    array([1, 0])
    >>> model = model.partial_fit([[0, 0, 1]], [1])  # a feature that is new
    >>> model.predict([[0, 0, 1]])
    array([1])
    """

    belief_: WeightBelief

    def __init__(
        self, likelihood: str | Likelihood = "probit", passes: int = 3, feature_prior: FeaturePrior | None = None
    ) -> None:
        self.likelihood = likelihood
        self.passes = passes
        self.feature_prior = feature_prior

    def _start(self, n_features: int) -> None:
        self.belief_ = WeightBelief.prior()

    def _learn(self, rows: sparse.csr_matrix, signs: Floats, passes: int) -> None:
        self.belief_.grow(*(self.feature_prior or NOTHING_KNOWN).over(rows.shape[1], sd=1.0))
        self.belief_.learn(rows, signs, likelihood_of(self.likelihood).code, passes)

    def field(self, rows: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Mean and variance of h = w.x of each checked row."""
        return self.belief_.field(rows)

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
