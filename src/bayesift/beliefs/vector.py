"""A Gaussian belief over independent weights of one linear classifier: two numbers per feature.

    mu_j += var_j x_j g1,   var_j += (var_j x_j)^2 g2;   g1, g2 from the likelihood at m = mu.x, v = sum_j var_j x_j^2

x has one constant feature, the bias (entry 0). It is `full` with the covariances dropped after every document.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesift.beliefs.likelihoods import Code, moments
from bayesift.beliefs.protocol import State
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]


class VectorBelief:
    """N(mean, variance) for the bias and each weight, all independent: takes tens of thousands of features."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.mean = np.zeros(1)
        self.variance = np.ones(1)

    @property
    def n_features(self) -> int:
        """The number of features, without the bias."""
        return self.mean.size - 1

    def grow(self, size: int, mean: ArrayLike = 0.0, sd: ArrayLike = 1.0) -> None:
        """Know `size` features; those that are new have the prior N(mean, sd^2)."""
        new = max(size - self.n_features, 0)
        self.mean = np.concatenate([self.mean, np.broadcast_to(np.asarray(mean, np.float64), new)])
        self.variance = np.concatenate([self.variance, np.broadcast_to(np.asarray(sd, np.float64), new) ** 2])

    def learn(self, inputs: Any, y: Floats, passes: int = 1) -> None:
        """Learn the rows in their order, `passes` times."""
        _learn(inputs.indptr, inputs.indices, inputs.data, y, self.code, passes, self.mean, self.variance)

    def field(self, inputs: Any) -> tuple[Floats, Floats]:
        """Return mean and variance of h = w.x for each row."""
        return _field(inputs.indptr, inputs.indices, inputs.data, self.mean, self.variance)

    def state(self) -> State:
        """Return the means, and the variances as a table of one row."""
        return {"mean": self.mean.copy(), "table": self.variance[None, :].copy()}

    def restore(self, state: State) -> Self:
        """Replace means and variances by those of a state."""
        self.mean, self.variance = state["mean"].copy(), state["table"][0].copy()
        return self


@kernel
def _learn(
    indptr: Any, indices: Any, data: Floats, y: Floats, code: Code, passes: int, mean: Floats, variance: Floats
) -> None:
    for _ in range(passes):
        for t in range(y.size):
            m, v = mean[0], variance[0]
            for i in range(indptr[t], indptr[t + 1]):
                j, x = indices[i] + 1, data[i]
                m += x * mean[j]
                v += x * x * variance[j]
            _, g1, g2 = moments(code, y[t], m, v)
            mean[0] += variance[0] * g1
            variance[0] += variance[0] ** 2 * g2
            for i in range(indptr[t], indptr[t + 1]):
                j, x = indices[i] + 1, data[i]
                mean[j] += variance[j] * x * g1
                variance[j] += (variance[j] * x) ** 2 * g2


@kernel
def _field(
    indptr: Any, indices: Any, data: Floats, mean: Floats, variance: Floats
) -> tuple[Floats, Floats]:
    m, v = np.full(indptr.size - 1, mean[0]), np.full(indptr.size - 1, variance[0])
    for t in range(m.size):
        for i in range(indptr[t], indptr[t + 1]):
            j, x = indices[i] + 1, data[i]
            m[t] += x * mean[j]
            v[t] += x * x * variance[j]
    return m, v
