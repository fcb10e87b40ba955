"""The probabilities of one topic: Platt's line over how unusual a score is among the background's (`tail`).

    logit p(s) = slope u + offset,   u = ln(place(s)) - PIVOT

`place` grows with the score, but the odds of relevance grow slower than it does: over the best scores of the first
third of three streams the log-odds are about a line in its logarithm. The line's prior is what topics had there, with
an offset that is lower than their mean, since a topic that shows too little at first loses less than one that shows too
much. What the topics of a stream have in common moves it (`shared_prior`). The more documents a topic starts from, the
more its best scores mean. The leave-one-out scores of the judged documents move the line, each weighed by the chance
with which it was shown.

What is not known of a probability is what the answers have left open of the line. The variance of the process at a
document is not part of it: most of that is about words that no answer has ever touched, and the line is fitted to
documents that have such words, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtri

from bayesift.decide.platt import Line, fit_line
from bayesift.filtering.tail import ONE_IN, Tail
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
LEAST_CHANCE = 0.02  # with which a document counts as shown, so that a lucky draw does not count as thousands
PIVOT = 2.0  # ln of the place where the prior's offset is that of no slope: a score that one in 1,600 exceeds
LOWEST, HIGHEST = 1.0, 1e20  # places below and above are taken for these
SLOPE, OFFSET, LINE_SD = 2.4, -2.4, (0.9, 0.9)  # of a topic that starts from one document, before any answer
PER_DOUBLING, MOST_STARTS = 0.5, 8  # what twice the documents to start from add to the offset, up to this number
LOGIT_TO_PROBIT = 0.6
CERTAIN = 1e-12


class Calibration(NamedTuple):
    """From a score to a probability, and to the field on the scale of a probit of deviation 1."""

    tail: Tail
    line: Line

    @classmethod
    def before_answers(cls, tail: Tail, starts: int) -> Calibration:
        """Return the calibration of a topic that started from so many documents and has no answer."""
        return cls(tail, _prior_line(starts))

    @classmethod
    def fitted(
        cls, tail: Tail, starts: int, scores: ArrayLike, relevant: Sequence[bool], chances: Sequence[float]
    ) -> Calibration:
        """Return the calibration of a topic that started from so many documents.

        Its judged documents have leave-one-out scores, answers, and the chances of being shown.
        """
        positions = _positions(np.asarray(scores, np.float64), *tail)
        weights = [1.0 / max(chance, LEAST_CHANCE) for chance in chances]
        return cls(tail, fit_line(positions, relevant, weights, prior_of(starts), LINE_SD))

    def position(self, score: float) -> float:
        """Return u, where the line is at a score."""
        return float(position_of(*self.tail, score))

    def positions(self, scores: ArrayLike) -> Floats:
        """Return u at scores."""
        return _positions(np.asarray(scores, np.float64), *self.tail)

    def logit(self, score: float) -> float:
        """Return the log-odds of relevance at a score."""
        return self.line.logit(self.position(score))

    def logits(self, scores: Floats) -> Floats:
        """Return the log-odds of relevance at scores, to the byte those of `logit`."""
        return np.asarray(self.line.slope * self.positions(scores) + self.line.offset)

    def level(self, p: float) -> float:
        """Return the score at which the probability is p; minus infinity if all scores have a higher one."""
        return float(level_of(*self.tail, self.line.slope, self.line.offset, p))

    def field(self, score: float) -> tuple[float, float]:
        """Return m and v of the field at a score."""
        u = self.position(score)
        v = float(field_variance(*self.line.entries, u))
        p = min(max(float(expit(self.line.logit(u))), CERTAIN), 1.0 - CERTAIN)
        return float(ndtri(p)) * math.sqrt(1.0 + v), v


@kernel
def position_of(begins: float, excess: float, score: float) -> float:
    """Return u, where the line is at a score, with q and theta of the tail."""
    place = math.log(ONE_IN) + (score - begins) / excess
    return math.log(min(max(place, LOWEST), HIGHEST)) - PIVOT


@kernel
def level_of(begins: float, excess: float, slope: float, offset: float, p: float) -> float:
    """Return the score at which the probability is p; minus infinity if all scores have a higher one."""
    p = min(max(p, CERTAIN), 1.0 - CERTAIN)
    log_place = PIVOT + (math.log(p) - math.log1p(-p) - offset) / slope
    if log_place < math.log(LOWEST):
        return -math.inf
    return begins + excess * (math.exp(min(log_place, math.log(HIGHEST))) - math.log(ONE_IN))


@kernel
def field_variance(a: float, both: float, b: float, u: float) -> float:
    """Return v of the field where the line is at u, by the covariance of slope and offset."""
    return LOGIT_TO_PROBIT**2 * (a * u * u + 2.0 * both * u + b)


@kernel
def _positions(scores: Floats, begins: float, excess: float) -> Floats:
    """Return u at scores."""
    out = np.empty(scores.size)
    for i in range(scores.size):
        out[i] = position_of(begins, excess, scores[i])
    return out


def prior_of(starts: int) -> tuple[float, float]:
    """Return slope and offset before any answer."""
    return SLOPE, OFFSET + PER_DOUBLING * math.log2(min(max(starts, 1), MOST_STARTS))


@cache
def _prior_line(starts: int) -> Line:
    """Return the line before any answer."""
    return fit_line([], [], [], prior_of(starts), LINE_SD)
