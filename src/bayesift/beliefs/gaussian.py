"""Gaussian beliefs in natural parameters, where Bayes' rule is addition.

    precision = 1 / variance,   shift = mean / variance

A product of beliefs adds both, a quotient subtracts both (the cavity of expectation propagation). Entries are
independent; an improper belief has precision 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesift.errors import BadInput

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Gaussian:
    """Independent Gaussians, one per entry.

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
        """Return the belief with these moments."""
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
