"""How much more, or less, probable the documents of a topic are at present than its line says.

The relevant documents of a topic come in bursts, and Platt's line (`topic_calibration`) is fitted to all answers, of
bursts and of the time between. The last answers say whether there is a burst now. With z_i the log-odds of document i
by the line, at its leave-one-out score, and y_i its answer,

    P(y_i = 1) = sigmoid(z_i + b_i),   b_1 ~ N(0, S^2),   b_{i+1} = r b_i + N(0, (1 - r^2) S^2),   r = exp(-1/K)

b is an autoregressive process over the answers with mean 0 and deviation S. What is known of it stays normal, N(b, v):
an answer moves it by one step of Newton's method from the mean, the extended Kalman filter (Fahrmeir 1992). With
p = sigmoid(z_i + b) and h = p (1 - p),

    b <- b + v (y_i - p) / (1 + v h),   v <- v / (1 + v h),

and before the next one b <- r b, v <- S^2 + r^2 (v - S^2). Relevant documents of which little was expected raise the
shift b, irrelevant ones of which much was expected lower it, and without answers it is 0.

The shift follows from the judged documents alone, in the order of their answers: there is nothing to save, and a
withdrawn answer leaves no trace.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
SD, MEMORY = 1.0, 10.0  # S, and K, the answers after which the share 1/e of a shift is left
LAST = 50  # answers that are looked at


class LastAnswers(NamedTuple):
    """The documents of a topic that were judged last: leave-one-out scores, and answers, 1 for relevant."""

    scores: Floats
    relevant: Floats

    @classmethod
    def of(cls, scores: Floats, relevant: Sequence[bool]) -> LastAnswers:
        """Return the last of these."""
        return cls(np.array(scores[-LAST:], np.float64), np.array(relevant[-LAST:], np.float64))


NO_ANSWERS = LastAnswers(np.empty(0), np.empty(0))


@kernel
def local_shift(logits: Floats, relevant: Floats) -> float:
    """Return the shift b of the next document's log-odds, after documents with these log-odds and answers.

    >>> hits, misses = np.ones(3), np.zeros(3)
    >>> round(local_shift(np.zeros(3), hits), 2), round(local_shift(np.zeros(3), misses), 2)
    (0.74, -0.74)
    """
    stationary, r = SD**2, math.exp(-1.0 / MEMORY)
    b, v = 0.0, stationary
    for i in range(logits.size):
        p = 1.0 / (1.0 + math.exp(-max(min(logits[i] + b, 500.0), -500.0)))
        scale = v / (1.0 + v * p * (1.0 - p))
        b = r * (b + scale * (relevant[i] - p))
        v = stationary + r * r * (scale - stationary)
    return b
