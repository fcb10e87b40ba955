"""How unusual a score is among the documents of the background, on a scale that all topics share.

Of the background a share G(s) has a higher score. In the tail, G falls about exponentially, so that

    -ln G(s) = ln 20 + (s - q) / theta       q: the score that one in 20 exceeds; theta: by how much they do, on average

is a straight line in s: `place(s)`. 3 is a document like one in 20, 7.6 is one like one in 2,000, beyond the largest
sample. A topic with the share pi of the stream has p(s) = pi (share of its documents above s) / G(s), so log-odds
against `place` are about a line of slope 1 that begins at ln pi: the prior of the topic's calibration.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ONE_IN = 20
USUAL, WORTH = 0.03, 100.0  # q and theta without a background, and how many of its documents this is worth


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
    >>> round(tail.begins, 2), round(tail.excess, 2)
    (0.3, 0.1)
    """
    begins = float(np.quantile(scores, 1.0 - 1.0 / ONE_IN)) if scores.size else 0.0
    above, few = scores[scores > begins] - begins, WORTH / ONE_IN
    excess = (float(above.sum()) + few * USUAL) / (above.size + few)
    return Tail((scores.size * begins + WORTH * USUAL) / (scores.size + WORTH), excess)
