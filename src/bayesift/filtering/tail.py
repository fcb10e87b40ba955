"""How unusual a score is among the documents of the background, on a scale that all topics share.

Of the background a share G(s) has a higher score. Beyond its middle, G falls about exponentially, so that

    -ln G(s) = ln 10 + (s - q) / theta,   q: the score that one in 10 exceeds;  theta = (q - median) / ln 5

is a straight line in s: `place(s)`. It is fitted where a topic with up to a tenth of the stream has hardly a document,
so that the topic's own documents in the background do not hide how unusual they are. A topic with the share pi of the
stream has p(s) = pi (share of its documents above s) / G(s), so log-odds against `place` are about a line that begins
at ln pi: the prior of the topic's calibration (`gp_profile`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ONE_IN, MIDDLE = 10, 2
USUAL, WORTH = 0.03, 100.0  # q and theta without a background, and how many of its documents this is worth
LEAST = 1e-3  # theta of scores that are all alike


class Tail(NamedTuple):
    """The tail of the background's scores."""

    begins: float  # q
    excess: float  # theta

    def place(self, score: float) -> float:
        """Return -ln of the share of the background above a score."""
        return math.log(ONE_IN) + (score - self.begins) / self.excess

    def score(self, place: float) -> float:
        """Return the score at a place."""
        return self.begins + self.excess * (place - math.log(ONE_IN))


def tail_of(scores: Floats) -> Tail:
    """Return the tail of the background's scores.

    >>> tail = tail_of(np.random.default_rng(0).exponential(0.1, 100_000))
    >>> round(tail.begins, 2), round(tail.excess, 2), round(tail.place(1.0), 1)
    (0.23, 0.1, 10.0)
    """
    if not scores.size:
        return Tail(USUAL, USUAL)
    begins, middle = np.quantile(scores, [1.0 - 1.0 / ONE_IN, 1.0 - 1.0 / MIDDLE]).tolist()
    excess = max((begins - middle) / math.log(ONE_IN / MIDDLE), LEAST)
    known = scores.size / (scores.size + WORTH)
    return Tail(known * begins + (1.0 - known) * USUAL, known * excess + (1.0 - known) * USUAL)
