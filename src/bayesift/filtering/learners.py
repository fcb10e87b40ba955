"""The learner of one topic: a Gaussian belief about the weights of its terms, behind one small interface.

| name                | belief                       | likelihood  |                                              |
|---------------------|------------------------------|-------------|----------------------------------------------|
| flip-perceptron     | full covariance              | Flip(0.1)   | the default, as published (chai2002 4.2)     |
| perceptron          | full covariance              | Probit(0.5) | `learn.BayesianPerceptron`, as in `train`    |
| diagonal-perceptron | one variance for each weight | Probit(0.5) | takes tens of thousands of terms for a topic |

Entry 0 is the bias. Full: s = C x, a += g1 s, C += g2 s s^T. Diagonal: mu_j += var_j x_j g1, var_j += (var_j x_j)^2 g2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs import Flip, Likelihood, Probit, likelihood_of
from bayesift.beliefs.covariance import BLOCK, fold
from bayesift.beliefs.full import WeightBelief
from bayesift.beliefs.likelihoods import Code, moments
from bayesift.errors import BadInput
from bayesift.filtering.rows import Batch
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


class TopicBelief(Protocol):
    """What a profile asks of its learner."""

    code: Code

    @property
    def mean(self) -> Floats:
        """The means, the bias first."""

    @property
    def table(self) -> Floats:
        """C as (d, d), or the variances as (1, d)."""

    def grow(self, mean: Floats, sd: Floats) -> None:
        """Add terms with their priors N(mean, sd^2)."""

    def learn(self, rows: Batch, signs: Floats, passes: int = 1) -> None:
        """Learn rows over the topic's own terms, in their order."""

    def arrays(self) -> Arrays:
        """All that was learned, as arrays of its own."""

    def restore(self, arrays: Arrays) -> None:
        """Take over what `arrays` gave."""


class FullBelief:
    """N(a, C): the Bayesian online perceptron. Nothing waits outside C once `learn` returns."""

    def __init__(self, likelihood: Likelihood) -> None:
        self.code = likelihood.code
        self._belief = WeightBelief.prior()

    @property
    def mean(self) -> Floats:
        """a, the bias first."""
        return self._belief.mean

    @property
    def table(self) -> Floats:
        """C."""
        return self._belief.base

    def grow(self, mean: Floats, sd: Floats) -> None:
        """Add terms, uncorrelated with those that are there."""
        filler = np.zeros(self._belief.n_features)
        self._belief.grow(np.concatenate([filler, mean]), np.concatenate([filler, sd]))

    def learn(self, rows: Batch, signs: Floats, passes: int = 1) -> None:
        """Learn, then fold what waits: a field is asked for far more often than a judgement comes."""
        self._belief.learn(cast(sparse.csr_matrix, rows), signs, self.code, passes)
        fold(self._belief.base, self._belief.waiting, self._belief.gain, self._belief.n_waiting)
        self._belief.n_waiting = 0

    def arrays(self) -> Arrays:
        """The mean and the lower half of C, which is exactly symmetric."""
        return {"mean": self.mean.copy(), "lower": self.table[_lower(self.mean.size)]}

    def restore(self, arrays: Arrays) -> None:
        """Take over the mean and C."""
        d = arrays["mean"].size
        base, waiting, gain = np.empty((d, d)), np.zeros((BLOCK, d)), np.zeros(BLOCK)
        base[_lower(d)] = arrays["lower"]
        base.T[_lower(d)] = arrays["lower"]
        self._belief = WeightBelief(arrays["mean"].copy(), base, waiting, gain)


def _lower(d: int) -> NDArray[np.bool_]:
    """Where the lower half of a (d, d) matrix is, the diagonal included."""
    return np.tri(d, dtype=bool)


class DiagonalBelief:
    """Independent Gaussians: as many numbers as terms, so that topics may have tens of thousands of them."""

    def __init__(self, likelihood: Likelihood) -> None:
        self.code = likelihood.code
        self.mean = np.zeros(1)
        self._variance = np.ones(1)

    @property
    def table(self) -> Floats:
        """The variances, as one row."""
        return self._variance[None, :]

    def grow(self, mean: Floats, sd: Floats) -> None:
        """Add terms."""
        self.mean = np.concatenate([self.mean, mean])
        self._variance = np.concatenate([self._variance, sd**2])

    def learn(self, rows: Batch, signs: Floats, passes: int = 1) -> None:
        """Learn the rows in their order."""
        _learn_diagonal(rows.indptr, rows.indices, rows.data, signs, self.code, passes, self.mean, self._variance)

    def arrays(self) -> Arrays:
        """The means and the variances."""
        return {"mean": self.mean.copy(), "table": self.table.copy()}

    def restore(self, arrays: Arrays) -> None:
        """Take over means and variances."""
        self.mean, self._variance = arrays["mean"].copy(), arrays["table"][0].copy()


TOPIC_LEARNERS: dict[str, Callable[[], TopicBelief]] = {
    "flip-perceptron": lambda: FullBelief(Flip(0.1)),
    "perceptron": lambda: FullBelief(likelihood_of(BayesianPerceptron().likelihood)),
    "diagonal-perceptron": lambda: DiagonalBelief(Probit(0.5)),
}


def topic_belief(name: str) -> TopicBelief:
    """Return a new belief of the learner with this name.

    >>> topic_belief("perceptron").mean
    array([0.])
    """
    if name not in TOPIC_LEARNERS:
        names = ", ".join(TOPIC_LEARNERS)
        raise BadInput(f"no learner {name!r} for topics of a stream", remedy=f"learners of topics are: {names}")
    return TOPIC_LEARNERS[name]()


@kernel
def _learn_diagonal(
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
def field_of(indices: Any, data: Floats, mean: Floats, table: Floats) -> tuple[float, float]:
    """m and v of one row over the topic's terms."""
    m, v = mean[0], table[0, 0]
    diagonal = table.shape[0] == 1
    for i in range(indices.size):
        f, x = indices[i] + 1, data[i]
        m += x * mean[f]
        if diagonal:
            v += x * x * table[0, f]
        else:
            row = table[f]
            part = 2.0 * row[0] + x * row[f]
            for j in range(i):
                part += 2.0 * data[j] * row[indices[j] + 1]
            v += x * part
    return m, max(v, 0.0)
