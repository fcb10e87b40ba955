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
from scipy.optimize import minimize
from scipy.special import expit

Floats = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
SLOPE, OFFSET = (0.6, 0.3), (-1.0, 2.0)  # mean and standard deviation
EVIDENCE = 15.0


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

    def loss(p: Floats) -> tuple[float, Floats]:
        z = sign * (np.exp(p[0]) * x + p[1])
        pull = -weight * sign * expit(-z)
        gradient = np.array([np.exp(p[0]) * float(pull @ x), pull.sum()]) + (p - mean) / spread**2
        return weight * float(np.logaddexp(0.0, -z).sum()) + 0.5 * float((((p - mean) / spread) ** 2).sum()), gradient

    log_slope, offset = minimize(loss, mean, jac=True, method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-8}).x
    return np.asarray(expit(np.exp(log_slope) * (scores - top) / sd + offset), np.float64)
