"""All the ways to cut one label's ranking, and the best of them.

The documents of a label are sorted by score, highest first. A cut gives the label to those above it; documents of
equal score always fall on the same side. Cut 0 gives it to nobody and the last cut to everybody. A cut's threshold
is the midpoint between the two scores it parts: the highest score itself for cut 0 (a decision is score > threshold),
and the next number below the lowest score for the last cut, so that every threshold is finite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayesift.arrays import BoolArray, FloatArray, IntArray
from bayesift.evaluate import Counts, f_measures


@dataclass(frozen=True, eq=False)
class Cuts:
    """One entry for each cut, from giving nothing to giving everything."""

    thresholds: FloatArray
    tp: IntArray
    given: IntArray
    scores: FloatArray  # that occur, falling; cut k gives the label to the first k of them

    @property
    def positives(self) -> int:
        """How many documents have the label."""
        return int(self.tp[-1])

    @property
    def errors(self) -> IntArray:
        """FP + FN of each cut."""
        return self.given + self.positives - 2 * self.tp

    def at(self, threshold: float) -> int:
        """Return the cut that a threshold makes: how many of the scores that occur are above it."""
        return int(np.searchsorted(-self.scores, -threshold))

    def f(self, beta: float) -> FloatArray:
        """F_beta of each cut."""
        fn, tn = self.positives - self.tp, self.given[-1] - self.given - self.positives + self.tp
        return f_measures(Counts(tp=self.tp, fp=self.given - self.tp, fn=fn, tn=tn), beta)


def cuts(scores: FloatArray, truth: BoolArray) -> Cuts:
    """Return all cuts of one label.

    >>> c = cuts(np.array([0.1, 0.7, 0.5, 0.5]), np.array([False, True, True, False]))
    >>> c.given, c.tp, c.thresholds.round(6)
    (array([0, 1, 3, 4]), array([0, 1, 2, 2]), array([0.7, 0.6, 0.3, 0.1]))
    """
    order = np.argsort(-scores)
    s = scores[order]
    last = np.flatnonzero(np.append(s[1:] != s[:-1], True))  # the last document of each run of equal scores
    inner = between(s[last[:-1]], s[last[:-1] + 1])
    return Cuts(
        thresholds=np.concatenate((s[:1], inner, np.nextafter(s[-1:], -np.inf))),
        tp=np.append(0, np.cumsum(truth[order])[last]),
        given=np.append(0, last + 1),
        scores=s[last],
    )


def cuts_of_counts(p: FloatArray, documents: IntArray, positives: IntArray) -> Cuts:
    """Return all cuts of one label from counts: p rises; so many documents, and positives among them, have it.

    >>> c = cuts_of_counts(np.array([0.1, 0.3, 0.5, 0.7]), np.array([1, 0, 2, 1]), np.array([0, 0, 1, 1]))
    >>> c.given, c.tp, c.thresholds.round(6)
    (array([0, 1, 3, 4]), array([0, 1, 2, 2]), array([0.7, 0.6, 0.3, 0.1]))
    """
    some = documents > 0
    if not some.any():
        return Cuts(np.array([np.inf]), np.zeros(1, np.int64), np.zeros(1, np.int64), np.empty(0))
    levels, place = np.unique(p[some], return_inverse=True)
    n, y = (np.bincount(place, x[some]).astype(np.int64)[::-1] for x in (documents, positives))
    s = levels[::-1]
    return Cuts(
        thresholds=np.concatenate((s[:1], between(s[:-1], s[1:]), np.nextafter(s[-1:], -np.inf))),
        tp=np.append(0, np.cumsum(y)),
        given=np.append(0, np.cumsum(n)),
        scores=s,
    )


def between(high: FloatArray, low: FloatArray) -> FloatArray:
    """Return a threshold with low <= threshold < high: the midpoint, or `low` where rounding leaves none."""
    middle = high / 2 + low / 2
    return np.where((low < middle) & (middle < high), middle, low)
