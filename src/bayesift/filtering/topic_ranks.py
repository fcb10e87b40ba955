"""The scores of the background's documents, ranked for each topic."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.tail import Tail, tails_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


class Ranks(NamedTuple):
    """Of each topic: all scores, the highest first; their tail."""

    usual: Singles
    tails: list[Tail]


def ranked(scores: Floats) -> Ranks:
    """Return the ranks of the background's documents by their scores: (topics, documents).

    >>> ranked(np.array([[0.1, 0.7, 0.3]])).usual
    array([[0.7, 0.3, 0.1]], dtype=float32)
    """
    ascending = scores.astype(np.float32)  # enough for ranks; half the memory and half the time
    ascending.sort(axis=1)
    return Ranks(ascending[:, ::-1], tails_of(ascending))
