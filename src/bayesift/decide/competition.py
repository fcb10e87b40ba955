"""How the labels of one document compete: a label is less probable where another label is already sure.

    logit p'_c = logit p_c + a + b ln(1 - min(q_c, SURE)),   q_c = the highest p among the other labels of the document

The calibrated p_c looks at one label alone. Most documents of most corpora have few labels, so a sure label leaves less
room for the others: b > 0. Where labels come together, b is near 0 or below. The two numbers are common to all labels,
and are fitted by Newton's method to documents that were not learned from, with a, b ~ N(0, 1 / WORTH) beforehand.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from bayesift.arrays import BoolArray, FloatArray

WORTH = 50.0  # the precision of the prior of a and b
LEAST = -6.0  # log-odds below which a label has no say in the fit
STEPS = 20


def shift(p: FloatArray, competition: tuple[float, ...]) -> FloatArray:
    """Return logit p' - logit p for competition (a, b): (documents, labels)."""
    from bayesift.beliefs.other_labels import room  # here, since beliefs load numba

    a, b = competition
    return np.asarray(a + b * room(p))


def fit_competition(log_odds: FloatArray, truth: BoolArray) -> tuple[float, float]:
    """Return (a, b) of documents that were not learned from; (0, 0) where there is one label."""
    from bayesift.beliefs.other_labels import room  # here, since beliefs load numba

    if log_odds.shape[1] < 2:
        return 0.0, 0.0
    seen = log_odds > LEAST
    z, y = log_odds[seen], truth[seen].astype(np.float64)
    X, w = np.stack([np.ones(z.size), room(expit(log_odds))[seen]]), np.zeros(2)
    for _ in range(STEPS):
        q = expit(z + w @ X)
        step = np.linalg.solve((X * (q * (1.0 - q))) @ X.T + WORTH * np.eye(2), X @ (y - q) - WORTH * w)
        w = w + step
        if np.abs(step).max() < 1e-6:
            break
    return float(w[0]), float(w[1])
