"""Probabilities of unread records, from their scores and the leave-one-out scores of judged records.

With f_top the best and sd the standard deviation of the unread scores,

    P(relevant | f) = sigmoid(a (f - f_top) / sd + b)

has the largest posterior probability (Platt 1999, with a prior): log a ~ N(SLOPE), b ~ N(OFFSET). Judged records are
no random sample. They were read because their scores were high, and others like them were read as well, so at the same
score a judged record is relevant more often than an unread one; their likelihood is therefore tempered to that of
`EVIDENCE` records, which leaves the slope near its prior. Prior and tempering were chosen where, on three reviews
and two pools of OHSUMED, the sum of the probabilities is near the number of relevant unread records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
SLOPE, OFFSET = (0.6, 0.3), (-1.0, 2.0)  # mean and standard deviation
EVIDENCE = 15.0
STEPS, SMALLEST = 100, 1e-10  # of Newton


def calibrated(left_out: Floats, relevant: BoolArray, scores: Floats, unread: BoolArray) -> Floats:
    """Return the probabilities of all scores.

    Parameters
    ----------
    left_out, relevant : array
        Leave-one-out scores of the judged records, and whether each is relevant.
    scores : array of float
        Scores of all records.
    unread : array of bool
        Whether each of them is unread.

    Examples
    --------
    >>> relevant, unread = np.array([True, False]), np.ones(3, bool)
    >>> calibrated(np.array([0.8, 0.1]), relevant, np.array([0.9, 0.5, 0.1]), unread).round(2)
    array([0.67, 0.19, 0.02])
    """
    around = scores[unread] if unread.any() else scores
    top, sd = (float(around.max()), float(around.std())) if around.size else (0.0, 1.0)
    sd = sd if sd > 1e-9 else 1.0
    x, sign = (left_out - top) / sd, np.where(relevant, 1.0, -1.0)
    weight = min(1.0, EVIDENCE / max(sign.size, 1))
    mean, spread = np.array([SLOPE, OFFSET]).T

    log_slope, offset = _most_probable(x, sign, weight, mean, spread)
    return np.asarray(expit(np.exp(log_slope) * (scores - top) / sd + offset), np.float64)


@kernel
def _most_probable(x: Floats, sign: Floats, weight: float, mean: Floats, spread: Floats) -> Floats:
    """Return log a and b of the largest posterior probability, by Newton steps that are damped where they fail."""
    p, damping = mean.copy(), 0.0
    value, g, h = _loss(p, x, sign, weight, mean, spread)
    for _ in range(STEPS):
        a, b, c = h[0] + damping, h[1], h[2] + damping
        determinant = a * c - b * b
        if a <= 0.0 or determinant <= 0.0:
            damping = max(2.0 * damping, 1e-3)
            continue
        step = np.array([(c * g[0] - b * g[1]) / determinant, (a * g[1] - b * g[0]) / determinant])
        new = p - step
        lower, g_new, h_new = _loss(new, x, sign, weight, mean, spread)
        if not lower <= value:
            if np.abs(step).max() < SMALLEST:
                break
            damping = max(4.0 * damping, 1e-3)
            continue
        p, value, g, h, damping = new, lower, g_new, h_new, damping / 4.0
        if np.abs(step).max() < SMALLEST:
            break
    return p


@kernel
def _loss(
    p: Floats, x: Floats, sign: Floats, weight: float, mean: Floats, spread: Floats
) -> tuple[float, Floats, Floats]:
    """Return the negative log posterior, its gradient and its second derivatives (aa, ab, bb)."""
    slope, total, g, h = np.exp(p[0]), 0.0, (p - mean) / spread**2, np.zeros(3)
    for i in range(x.size):
        t = slope * x[i]
        z = sign[i] * (t + p[1])
        e = np.exp(-abs(z))
        wrong = (e if z > 0.0 else 1.0) / (1.0 + e)  # sigmoid(-z)
        total += np.log1p(e) + max(-z, 0.0)
        pull, curve = -weight * sign[i] * wrong, weight * wrong * (1.0 - wrong)
        g[0] += pull * t
        g[1] += pull
        h[0] += curve * t * t + pull * t
        h[1] += curve * t
        h[2] += curve
    h[0] += 1.0 / spread[0] ** 2
    h[2] += 1.0 / spread[1] ** 2
    apart = (p - mean) / spread
    return weight * total + 0.5 * (apart[0] ** 2 + apart[1] ** 2), g, h
