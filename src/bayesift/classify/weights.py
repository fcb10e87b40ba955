"""The weights of a fitted learner's labels with their uncertainty, where the learner is linear.

A field of a label is h = prior + sum_j x_j w_j, with w_j ~ N(mean_j, sd_j^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.learn import BayesianPerceptron, MultiLabel, PerLabel, SparseLogistic, SparseProbit

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """Of one label: mean and deviation of each feature's weight, and of the prior, which is what no word adds to."""

    mean: Floats
    sd: Floats
    prior: float
    prior_sd: float

    def certainty(self) -> Floats:
        """How probable it is that each weight has the sign of its mean."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore", invalid="ignore"):
            found = ndtr(np.abs(self.mean) / self.sd)
        return np.asarray(np.where(self.mean == 0.0, 0.5, found))


def weights_of(learner: Any, label: int) -> Weights | None:
    """The weights of a label, or None where the learner has none."""
    if isinstance(learner, MultiLabel):
        mean, variance = (a[:, label].astype(np.float64) for a in (learner.mean_, learner.variance_))
        bias, bias_variance = float(learner.bias_mean_[label]), float(learner.bias_variance_[label])
        return Weights(mean, np.sqrt(variance), -bias, bias_variance**0.5)  # the bias is subtracted
    if not isinstance(learner, PerLabel):
        return None
    one, terms = learner.learners_[label], learner.terms_[label]
    if not isinstance(one, BayesianPerceptron | SparseLogistic | SparseProbit):
        return None
    mean, sd = np.zeros((2, learner.n_features_in_))
    mean[terms], sd[terms] = one.coef_[0], one.coef_sd_[0]
    if isinstance(one, BayesianPerceptron):
        return Weights(mean, sd, one.intercept_, float(one.belief_.covariance()[0, 0] ** 0.5))
    return Weights(mean, sd, one.intercept_, float(one.belief_.intercept_sd))
