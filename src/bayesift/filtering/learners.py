"""The learner of one topic: a Gaussian belief about the weights of its terms.

| name                | belief                       | likelihood  |                                              |
|---------------------|------------------------------|-------------|----------------------------------------------|
| flip-perceptron     | full covariance              | Flip(0.1)   | the default, as published (chai2002 4.2)     |
| perceptron          | full covariance              | Probit(0.5) | `learn.BayesianPerceptron`, as in `train`    |
| diagonal-perceptron | one variance per weight      | Probit(0.5) | for topics with tens of thousands of terms   |

Entry 0 is the bias. Full: s = C x, a += g1 s, C += g2 s s^T. Diagonal: mu_j += var_j x_j g1, var_j += (var_j x_j)^2 g2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesift.beliefs import Flip, Probit, likelihood_of
from bayesift.beliefs.covariance import BLOCK
from bayesift.beliefs.full import FullBelief
from bayesift.beliefs.protocol import Belief
from bayesift.beliefs.vector import VectorBelief
from bayesift.errors import BadInput
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.learn.registry import LEARNERS
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]


class TopicBelief(Belief[Any], Protocol):
    """What a profile asks of its learner: a belief over the topic's terms, and its numbers for the index."""

    mean: Floats  # the bias first

    @property
    def table(self) -> Floats:
        """C as (d, d), or the variances as (1, d)."""

    def grow(self, size: int, mean: ArrayLike = 0.0, sd: ArrayLike = 1.0) -> None:
        """Know `size` terms; those that are new have the prior N(mean, sd^2)."""


class FullTopicBelief(FullBelief):
    """N(a, C): the Bayesian online perceptron. Nothing waits outside C once `learn` returns."""

    @property
    def table(self) -> Floats:
        """C."""
        return self.base

    def learn(self, inputs: Any, y: Floats, passes: int = 1, negligible: float = 0.0) -> None:
        """Learn, then fold what waits: a field is asked for far more often than a judgement comes."""
        super().learn(inputs, y, passes, negligible)
        self.fold()

    def state(self) -> Arrays:
        """Return the mean and the lower half of C, which is exactly symmetric."""
        return {"mean": self.mean.copy(), "lower": self.table[_lower(self.mean.size)]}

    def restore(self, state: Arrays) -> Self:
        """Replace the mean and C by those of a state."""
        d = state["mean"].size
        base = np.empty((d, d))
        base[_lower(d)] = state["lower"]
        base.T[_lower(d)] = state["lower"]
        self.mean, self.base = state["mean"].copy(), base
        self.waiting, self.gain, self.n_waiting = np.zeros((BLOCK, d)), np.zeros(BLOCK), 0
        return self


class DiagonalTopicBelief(VectorBelief):
    """Independent Gaussians: as many numbers as terms, so that topics may have tens of thousands of them."""

    @property
    def table(self) -> Floats:
        """The variances, as one row."""
        return self.variance[None, :]


def _lower(d: int) -> NDArray[np.bool_]:
    """Return a mask of the lower half of a (d, d) matrix, the diagonal included."""
    return np.tri(d, dtype=bool)


TOPIC_LEARNERS: dict[str, Callable[[], TopicBelief]] = {
    "flip-perceptron": lambda: FullTopicBelief.prior(Flip(0.1).code),
    "perceptron": lambda: FullTopicBelief.prior(likelihood_of(BayesianPerceptron().likelihood).code),
    "diagonal-perceptron": lambda: DiagonalTopicBelief(Probit(0.5).code),
}


def topic_belief(name: str) -> TopicBelief:
    """Return a new belief of the learner with this name.

    >>> topic_belief("perceptron").mean
    array([0.])
    """
    if name not in TOPIC_LEARNERS:
        names = ", ".join(TOPIC_LEARNERS)
        if name == "gp":  # `gp_profile` has its belief
            raise BadInput("the learner 'gp' is for filters of texts only", remedy=f"learners here are: {names}")
        wrong = f"learner {name!r} is for `train` only" if name in LEARNERS else f"no learner {name!r} for topics"
        raise BadInput(wrong, remedy=f"learners of topics are: {names}, gp")
    return TOPIC_LEARNERS[name]()


@kernel
def field_of(indices: Any, data: Floats, mean: Floats, table: Floats) -> tuple[float, float]:
    """Return m and v of one row over the topic's terms."""
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
