"""How many relevant documents were missed, estimated from the questions drawn at random.

A document that was not shown had the chance q_i of being drawn, so each one drawn stands for w_i = 1 / q_i - 1 others
that were not (Horvitz & Thompson 1952).

    missed = sum of w_i over the relevant ones drawn,   unshown = sum of w_i over all that were drawn and answered
    recall = found / (found + missed)

How far that may be off is that of n = (sum w)^2 / sum w^2 draws, k = n missed / unshown of them relevant: the share of
relevant documents among those not shown is Beta(k + 1/2, n - k + 1/2), and `least` and `most` are its quantiles times
the documents not shown. Few draws say little: nine without a relevant one leave room for a fifth of the documents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.special import betaincinv

from bayesift.filtering.events import Judged

LEVEL = 0.9  # of the interval
WIDEST = 0.5  # of an interval of recall that says something


@dataclass(frozen=True)
class RecallEstimate:
    """Relevant documents found, and an estimate of the number missed.

    Attributes
    ----------
    found : int
        Relevant documents judged.
    drawn : int
        Questions drawn at random and answered.
    missed, least, most : float
        The relevant documents missed, and the ends of a 90 % interval. Without a draw nothing is known: 0, 0, infinity.
    """

    found: int
    drawn: int
    missed: float = 0.0
    least: float = 0.0
    most: float = math.inf

    @property
    def recall(self) -> float:
        """The share found; nan if no document was drawn, or nothing relevant is known."""
        return self._share(self.missed) if self.drawn else math.nan

    @property
    def recall_interval(self) -> tuple[float, float]:
        """The ends of a 90 % interval of the share found."""
        return self._share(self.most), self._share(self.least)

    @property
    def is_known(self) -> bool:
        """Whether the interval is narrow enough to say something."""
        low, high = self.recall_interval
        return self.found > 0 and high - low <= WIDEST

    def _share(self, missed: float) -> float:
        return self.found / (self.found + missed) if self.found else math.nan


def recall_estimate(answers: Iterable[Judged], unanswered: int = 0) -> RecallEstimate:
    """Return the estimate from a topic's judgements, and the number of documents drawn that wait for an answer.

    >>> from bayesift.filtering.events import judged
    >>> from bayesift.filtering.rows import Row
    >>> shown = [judged("t", str(i), True, Row.of({})) for i in range(9)]
    >>> found = recall_estimate([*shown, judged("t", "x", True, Row.of({}), chance=0.25, source="random")])
    >>> found.found, found.drawn, found.missed, found.recall
    (10, 1, 3.0, 0.7692307692307693)
    """
    answers = list(answers)
    found = sum(answer.relevant for answer in answers)
    drawn = [(1.0 / answer.chance - 1.0, answer.relevant) for answer in answers if answer.chance < 1.0]
    if not drawn:
        return RecallEstimate(found, 0)
    scale = (len(drawn) + unanswered) / len(drawn)  # those without an answer are like the others
    unshown = sum(w for w, _ in drawn)
    n = unshown**2 / sum(w * w for w, _ in drawn)
    missed = sum(w for w, relevant in drawn if relevant)
    k = n * missed / unshown
    tail = (1.0 - LEVEL) / 2
    least, most = (float(betaincinv(k + 0.5, n - k + 0.5, level)) for level in (tail, 1.0 - tail))
    # Below its median a share of 0 is possible, and above it one of 1: the interval then begins or ends there.
    ends = 0.0 if k == 0.0 else least, 1.0 if k == n else most
    return RecallEstimate(found, len(drawn), scale * missed, *(scale * unshown * end for end in ends))
