"""The weights of one label of a linear learner, with their uncertainty: what a learner's `weights` returns.

The field of a label is h = prior + sum_j x_j w_j, with w_j ~ N(mean_j, sd_j^2). BOMC's weights are independent, and
those of the sparse models are taken as independent; the perceptron has their full covariance. Where documents have a
dense vector beside their words its weights are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """Weights of one label: mean and deviation of each feature's weight, and of the prior, the field of no words."""

    mean: Floats
    sd: Floats
    prior: float
    prior_sd: float
    covariance: tuple[NDArray[np.intp], Floats] | None = None  # features, and C of the prior and them; else independent
    dense: tuple[Floats, Floats] | None = None  # mean and deviation of the weights of a dense vector

    def variance(self, columns: NDArray[Any], values: Floats, *, prior: bool = False) -> float:
        """Return the variance of what these features, and the prior if asked for, add to the field together."""
        if self.covariance is None:
            return float(((values * self.sd[columns]) ** 2).sum() + (self.prior_sd**2 if prior else 0.0))
        terms, C = self.covariance
        dense = np.zeros(self.mean.size)
        dense[columns] = values
        x = np.concatenate([[float(prior)], dense[terms]])
        return max(float(x @ C @ x), 0.0)

    def spread(self, columns: NDArray[np.intp], n_features: int) -> Weights:
        """Return the same weights, as those of these columns among `n_features`; the other columns have none."""
        mean, sd = np.zeros((2, n_features))
        mean[columns], sd[columns] = self.mean, self.sd
        covariance = None if self.covariance is None else (columns[self.covariance[0]], self.covariance[1])
        return Weights(mean, sd, self.prior, self.prior_sd, covariance)
