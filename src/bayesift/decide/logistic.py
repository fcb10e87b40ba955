"""Logistic regression with a few weights: those of greatest posterior density, by Newton's method.

    p = 1 / (1 + exp(-(known + w.x))),   w ~ N(centre, 1 / worth)

A step that would go too far is halved until the density rises: where few outcomes are as expected, whole steps diverge.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesift.arrays import FloatArray

WORTH = 20.0  # usual precision of the prior
STEPS, CLOSE = 30, 1e-6


def logistic_weights(
    x: FloatArray, y: NDArray[np.bool_], centre: FloatArray, known: FloatArray | float = 0.0, worth: float = WORTH
) -> FloatArray:
    """Return the weights w of features x, (features, cases), for outcomes y.

    >>> x = np.array([[2.0, 1.0, -1.0, -2.0] * 100])
    >>> logistic_weights(x, x[0] > 0.0, np.zeros(1)).round(1)
    array([1.8])
    """

    def loss(w: FloatArray) -> float:
        u, away = known + w @ x, w - centre
        return float(np.logaddexp(0.0, u).sum() - u[y].sum() + 0.5 * worth * (away @ away))

    w, now = centre, loss(centre)
    for _ in range(STEPS):
        q = expit(known + w @ x)
        bend = (x * (q * (1.0 - q))) @ x.T + worth * np.eye(len(x))
        step = np.linalg.solve(bend, x @ (y - q) - worth * (w - centre))
        while (then := loss(w + step)) > now and np.abs(step).max() >= CLOSE:
            step = step / 2.0
        w, now = w + step, then
        if np.abs(step).max() < CLOSE:
            break
    return w
