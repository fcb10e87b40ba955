"""How unusual a score is among the documents of the background, on a scale that all topics share.

Of the background a share G(s) has a higher score. Beyond its middle, G falls about exponentially, so that

    -ln G(s) = ln 10 + (s - q) / theta,   q: the score that one in 10 exceeds;  theta = (q - median) / ln 5

is a straight line in s: `place(s)`. It is fitted where a topic with up to a tenth of the stream has hardly a document,
so that the topic's own documents in the background do not hide how unusual they are. A topic with the share pi of the
stream has p(s) = pi (share of its documents above s) / G(s), so log-odds against `place` are about a line that begins
at ln pi: the prior of the topic's calibration (`topic_calibration`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ONE_IN, MIDDLE = 10, 2
USUAL, WORTH = 0.02, 100.0  # q and theta without a background, and how many of its documents this is worth
LEAST = 1e-3  # theta of scores that are all alike


class Tail(NamedTuple):
    """The tail of the background's scores."""

    begins: float  # q
    excess: float  # theta

    def place(self, score: float) -> float:
        """Return -ln of the share of the background above a score."""
        return math.log(ONE_IN) + (score - self.begins) / self.excess


def tails_of(scores: NDArray[Any]) -> list[Tail]:
    """Return the tails of the background's scores, which are ascending: (topics, documents).

    >>> (tail,) = tails_of(np.sort(np.random.default_rng(0).exponential(0.1, (1, 100_000))))
    >>> round(tail.begins, 2), round(tail.excess, 2), round(tail.place(1.0), 1)
    (0.23, 0.1, 10.0)
    """
    n = scores.shape[1]
    if not n:
        return [Tail(USUAL, USUAL)] * len(scores)
    begins, middle = (_quantile(scores, 1.0 - 1.0 / one_in) for one_in in (ONE_IN, MIDDLE))
    excess = np.maximum((begins - middle) / math.log(ONE_IN / MIDDLE), LEAST)
    known = n / (n + WORTH)
    parts = known * begins + (1.0 - known) * USUAL, known * excess + (1.0 - known) * USUAL
    return [Tail(*pair) for pair in zip(*(part.tolist() for part in parts))]


def _quantile(ascending: NDArray[Any], share: float) -> Floats:
    """Return the quantile of each row, linear between two scores."""
    place = share * (ascending.shape[1] - 1)
    low = int(place)
    high = min(low + 1, ascending.shape[1] - 1)
    a, b = (ascending[:, k].astype(np.float64) for k in (low, high))
    return np.asarray(a + (b - a) * (place - low))
