"""How many relevant documents were missed, estimated from the questions drawn at random.

A document that was not shown had the chance q of being drawn, so each relevant one among those drawn stands for 1 / q
documents (Horvitz & Thompson 1952). q is taken to be at least 0.02, as in the calibration, so that one lucky draw does
not stand for thousands: with few draws the number missed is an underestimate. Without a draw nothing is known of it.

    recall = found / (found + missed),   missed = sum over relevant documents drawn of 1 / max(q, 0.02) - 1
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from bayesift.filtering.events import Judged

LEAST_CHANCE = 0.02


@dataclass(frozen=True)
class RecallEstimate:
    """Relevant documents found, the estimated number missed, and how many random draws it rests on.

    Without a draw, `missed` is 0 and says nothing, and `recall` is nan.
    """

    found: int
    missed: float
    drawn: int

    @property
    def recall(self) -> float:
        """The share found; 1 if nothing relevant is known, nan if no document was drawn."""
        if not self.drawn:
            return math.nan
        return self.found / (self.found + self.missed) if self.found else 1.0


def recall_estimate(answers: Iterable[Judged]) -> RecallEstimate:
    """Return the estimate from a topic's judgements.

    >>> from bayesift.filtering.events import judged
    >>> from bayesift.filtering.rows import Row
    >>> shown = [judged("t", str(i), True, Row.of({})) for i in range(9)]
    >>> recall_estimate([*shown, judged("t", "x", True, Row.of({}), chance=0.25, source="random")])
    RecallEstimate(found=10, missed=3.0, drawn=1)
    """
    found = drawn = 0
    missed = 0.0
    for answer in answers:
        found += answer.relevant
        if answer.chance < 1.0:
            drawn += 1
            missed += answer.relevant * (1.0 / max(answer.chance, LEAST_CHANCE) - 1.0)
    return RecallEstimate(found, missed, drawn)
