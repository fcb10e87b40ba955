"""Gaussian beliefs in natural parameters, where Bayes' rule is addition.

    precision = 1 / variance,   shift = mean / variance

A product of beliefs adds both, a quotient subtracts both (the cavity of expectation propagation). Entries are
independent; an improper belief has precision 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesift.errors import BadInput

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gaussian:
    """Independent Gaussians, one an entry.

    >>> belief = Gaussian.of(mean=1.0, variance=4.0) * Gaussian.of(mean=3.0, variance=4.0)
    >>> float(belief.mean), float(belief.variance)
    (2.0, 2.0)
    >>> cavity = belief / Gaussian.of(3.0, 4.0)
    >>> float(cavity.mean), float(cavity.variance)
    (1.0, 4.0)
    """

    precision: Floats
    shift: Floats

    @classmethod
    def of(cls, mean: ArrayLike, variance: ArrayLike) -> Gaussian:
        """The belief with these moments."""
        v = np.asarray(variance, np.float64)
        if not (v > 0).all():
            raise BadInput(f"a variance is {v.min()}", remedy="variances are positive")
        return cls(1.0 / v, np.asarray(mean, np.float64) / v)

    @property
    def variance(self) -> Floats:
        """1 / precision."""
        return np.asarray(1.0 / self.precision)

    @property
    def mean(self) -> Floats:
        """shift / precision."""
        return np.asarray(self.shift / self.precision)

    def __mul__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.precision + other.precision, self.shift + other.shift)

    def __truediv__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.precision - other.precision, self.shift - other.shift)

    def information_over(self, prior: Gaussian) -> float:
        """The Kullback-Leibler distance from `prior` to this belief, in bits.

        >>> Gaussian.of([0.0], [0.25]).information_over(Gaussian.of([0.0], [1.0]))
        0.458...
        """
        ratio = prior.precision / self.precision
        nats = 0.5 * (ratio - 1.0 - np.log(ratio) + prior.precision * (self.mean - prior.mean) ** 2)
        return float(np.sum(nats) / np.log(2.0))


def merge(prior: Gaussian, posteriors: Iterable[Gaussian]) -> Gaussian:
    """What several learners, each starting from `prior` on data of its own, know together: prior + sum of gains.

    >>> prior = Gaussian.of(0.0, 1.0)
    >>> merged = merge(prior, [Gaussian.of(1.0, 0.5), Gaussian.of(1.0, 0.5)])
    >>> float(merged.precision), float(merged.shift)
    (3.0, 4.0)
    """
    merged: Any = prior
    for posterior in posteriors:
        merged = merged * (posterior / prior)
    return Gaussian(merged.precision, merged.shift)
