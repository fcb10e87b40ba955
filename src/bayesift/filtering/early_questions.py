"""Early questions of GP topics: about unusual documents, whatever their probability.

How frequent a topic is can hardly be told from its scores, so a new topic asks about documents that score as three in a
thousand do, whatever their probability: early questions, three at most, and while an answer is missing, one per day.
The topics of a stream have much in common, so the share of the topics with an answer that have found something says
whether early questions pay: where it is small there are none, where it is large all three, and between they end with
the first document that is not relevant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
EARLY, EARLY_SHARE = 3, 0.003  # early questions of a topic, and how unusual a document must be for them
PAYING = 0.75  # times t: the share of topics that found something from which on early questions pay
RICH = 0.45  # the share from which on they go on after a document that is not relevant
FOUND, ANSWERED = 2, 3  # topics that found something, and topics with an answer, before there are any
FIRST = FOUND / ANSWERED  # their share: while there are no answers, early questions pay whatever t is
Early = tuple[Longs, Longs, Longs, Longs, Floats, Floats, float]  # arguments of `early_score`, after the topic


def share_finding(found: int, answered: int) -> float:
    """Return the share of the topics with an answer that have found something."""
    return (found + FOUND) / (answered + ANSWERED)


def asking_early(relevant: Longs, irrelevant: Longs, level: Floats, finding: float) -> NDArray[np.bool_]:
    """Return which topics may ask early questions."""
    new = relevant + irrelevant < EARLY
    least = np.where(irrelevant > 0, RICH, np.minimum(PAYING * level, FIRST))
    return np.asarray(new & (finding >= least))


@kernel
def early_score(
    t: int, relevant: Longs, irrelevant: Longs, shown: Longs, today: Longs, rare: Floats, level: Floats,
    finding: float,
) -> float:  # fmt: skip
    """Return the score from which on a document is worth an early question of a topic."""
    answers = relevant[t] + irrelevant[t]
    asking = answers < EARLY and not (shown[t] > answers and today[t] > 0)
    pays = finding >= (RICH if irrelevant[t] > 0 else min(PAYING * level[t], FIRST))
    return rare[t] if asking and pays else np.inf
