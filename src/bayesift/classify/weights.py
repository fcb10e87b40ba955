"""The weights of a fitted learner's labels with their uncertainty, where the learner is linear.

The field of a label is h = prior + sum_j x_j w_j, with w_j ~ N(mean_j, sd_j^2). BOMC's weights are independent, and
those of the sparse models are taken as independent; the perceptron has their full covariance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.learn import BOMC, BayesianPerceptron, PerLabel, SparseLogistic, SparseProbit

Floats = NDArray[np.float64]
BLOCK = 64  # labels whose weights are copied at a time: columns lie side by side in memory


@dataclass(frozen=True)
class Weights:
    """Weights of one label: mean and deviation of each feature's weight, and of the prior, the field of no words."""

    mean: Floats
    sd: Floats
    prior: float
    prior_sd: float
    covariance: tuple[NDArray[np.intp], Floats] | None = None  # features, and C of the prior and them; else independent

    def variance(self, columns: NDArray[Any], values: Floats, *, prior: bool = False) -> float:
        """Return the variance of what these features, and the prior if asked for, add to the field together."""
        if self.covariance is None:
            return float(((values * self.sd[columns]) ** 2).sum() + (self.prior_sd**2 if prior else 0.0))
        terms, C = self.covariance
        dense = np.zeros(self.mean.size)
        dense[columns] = values
        x = np.concatenate([[float(prior)], dense[terms]])
        return max(float(x @ C @ x), 0.0)


def weights_of(learner: Any, labels: Sequence[int]) -> Iterator[Weights | None]:
    """Yield the weights of each of these labels, or None where the learner has none."""
    if isinstance(learner, BOMC):
        for begin in range(0, len(labels), BLOCK):
            block = list(labels[begin : begin + BLOCK])
            mean, variance = (a[:, block].T.astype(np.float64, order="C") for a in (learner.mean_, learner.variance_))
            for i, c in enumerate(block):
                bias, bias_sd = float(learner.bias_mean_[c]), float(learner.bias_variance_[c]) ** 0.5
                yield Weights(mean[i], np.sqrt(variance[i]), -bias, bias_sd)  # the bias is subtracted
    else:
        yield from (_of_label(learner, c) for c in labels)


def _of_label(learner: Any, c: int) -> Weights | None:
    if not isinstance(learner, PerLabel):
        return None
    one, terms = learner.learners_[c], learner.terms_[c]
    if not isinstance(one, BayesianPerceptron | SparseLogistic | SparseProbit):
        return None
    mean, sd = np.zeros((2, learner.n_features_in_))
    mean[terms] = one.coef_[0]
    if isinstance(one, BayesianPerceptron):
        C = one.belief_.covariance()
        deviations = np.sqrt(np.maximum(np.diag(C), 0.0))
        sd[terms] = deviations[1:]
        return Weights(mean, sd, one.intercept_, float(deviations[0]), (terms, C))
    sd[terms] = one.coef_sd_[0]
    return Weights(mean, sd, one.intercept_, float(one.belief_.intercept_sd))
