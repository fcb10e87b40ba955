"""Probabilities from scores with few labels: Platt's line with a prior (Platt 1999; MacKay 1992, the Laplace method).

    logit p(s) = a s + b,   (a, b) ~ N(prior, diag(sd^2))

The labels move the line from the prior by Newton's method, each with its weight; the inverse of the second derivative
at the maximum is what is left open of (a, b).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

Floats = NDArray[np.float64]
STEPS = 25
LEAST_SLOPE = 0.05  # a higher score never means a lower probability


class Line(NamedTuple):
    """logit p = slope s + offset, and the covariance of (slope, offset)."""

    slope: float
    offset: float
    covariance: Floats

    def logit(self, s: float) -> float:
        """Return the log-odds at a score."""
        return self.slope * s + self.offset

    @property
    def entries(self) -> tuple[float, float, float]:
        """The variance of the slope, the covariance, and the variance of the offset."""
        (a, both), (_, b) = self.covariance.tolist()
        return a, both, b


def fit_line(
    scores: ArrayLike, labels: ArrayLike, weights: ArrayLike, prior: tuple[float, float], sd: tuple[float, float]
) -> Line:
    """Fit the line to scores with labels (0 or 1) and weights.

    >>> line = fit_line([4.0, 5.0, 2.0], [1, 1, 0], [1.0, 1.0, 1.0], prior=(1.0, -5.0), sd=(0.3, 1.0))
    >>> round(line.slope, 2), round(line.offset, 2)
    (1.21, -4.51)
    """
    s, y, w = (np.asarray(values, np.float64) for values in (scores, labels, weights))
    inputs, mean = np.stack([s, np.ones(s.size)]), np.array(prior)
    precision = np.diag(np.array(sd) ** -2.0)
    line = mean.copy()
    for _ in range(STEPS):
        p = expit(line @ inputs)
        gradient = inputs @ (w * (y - p)) - precision @ (line - mean)
        curvature = (inputs * (w * p * (1.0 - p))) @ inputs.T + precision
        step = np.linalg.solve(curvature, gradient)
        line = line + step / max(1.0, float(np.abs(step).max()))  # a step of at most 1
        if np.abs(step).max() < 1e-10:
            break
    return Line(max(float(line[0]), LEAST_SLOPE), float(line[1]), np.asarray(np.linalg.inv(curvature), np.float64))
