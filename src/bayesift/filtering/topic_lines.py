"""The calibrations of all GP topics, one array per quantity, so that those of many are used at once.

What is computed here is, to the byte, what `topic_calibration` computes for one topic. `own` has the lines that the
topics' own answers give, `table` those with the prior that all topics share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.shared_prior import SharedPrior
from bayesift.filtering.tail import ONE_IN
from bayesift.filtering.topic_calibration import CERTAIN, LOGIT_TO_PROBIT, field_variance, level_of, position_of
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
TOP, ENOUGH = 0.02, 10  # share of the background that gives its tail, and documents that it takes
COLUMNS = 7  # q and theta of the tail; slope, offset, and the covariance of both: slope, common, offset


class TopicLines:
    """Tails and lines of topics, in the order of the topics.

    Parameters
    ----------
    n : int
        The number of topics.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.own, self.table, self.prior = np.zeros((n, COLUMNS)), np.zeros((n, COLUMNS)), SharedPrior()
        self._priors = np.zeros(n)  # offsets before any answer
        self.usual: list[Singles] = [np.empty(0, np.float32)] * n
        self.sizes = np.zeros(n, np.int64)  # documents of the background

    @classmethod
    def of(cls, profiles: Sequence[GPProfile]) -> TopicLines:
        """Return those of profiles."""
        self = cls(len(profiles))
        self.own[:] = np.array([_row(profile) for profile in profiles]).reshape(-1, COLUMNS)
        self._priors[:] = [profile.prior_offset for profile in profiles]
        self.usual = [profile.usual for profile in profiles]
        self.sizes[:] = [usual.size for usual in self.usual]
        self._move(slice(None))
        self.follow()
        return self

    def take(self, t: int, profile: GPProfile) -> None:
        """Take over the calibration of a topic."""
        self.own[t], self._priors[t] = _row(profile), profile.prior_offset
        self.usual[t], self.sizes[t] = profile.usual, profile.usual.size
        self._move(slice(t, t + 1))

    def follow(self) -> bool:
        """Make the prior what the answers of all topics say, and return whether it has changed."""
        prior = SharedPrior.of(self.own[:, 3], self.own[:, 6], self._priors)
        if prior == self.prior:
            return False
        self.prior = prior
        self._move(slice(None))
        return True

    def prior_with(self, t: int, profile: GPProfile) -> SharedPrior:
        """Return what the prior would be if a topic had another profile."""
        own, priors = self.own.copy(), self._priors.copy()
        own[t], priors[t] = _row(profile), profile.prior_offset
        return SharedPrior.of(own[:, 3], own[:, 6], priors)

    def _move(self, topics: slice) -> None:
        self.table[topics] = own = self.own[topics]
        self.table[topics, 2:] = np.transpose(self.prior.moved_parts(*own[:, 2:].T))

    def levels(self, topics: Longs, p: Floats) -> Floats:
        """Return the scores at which the probabilities are p."""
        return _levels(self.table, topics, p)

    def score_at(self, topics: Longs, shares: Floats) -> Floats:
        """Return the scores that these shares of the background exceed; beyond its best document, by the tail."""
        ranks = self.sizes[topics] * shares
        found = _beyond(self.table, topics, shares)
        inside = np.flatnonzero((ranks >= 1.0) & (shares < 1.0))
        places = zip(topics[inside].tolist(), ranks[inside].astype(np.int64).tolist())
        found[inside] = [self.usual[t][rank] for t, rank in places]
        return found

    def smooth_score_at(self, t: int, share: float) -> float:
        """Return the score that this share of a topic's background exceeds, with less chance at the top.

        The best scores differ much from sample to sample. So where the share is below `TOP`, the score follows the
        exponential tail of all scores above that, if there are enough of them.
        """
        n, usual = int(TOP * self.sizes[t]), self.usual[t]
        if n < ENOUGH or share >= n / self.sizes[t]:
            return float(self.score_at(np.array([t]), np.array([share]))[0])
        begins = float(usual[n])
        excess = float(usual[:n].mean(dtype=np.float64)) - begins
        return begins + excess * math.log(n / (self.sizes[t] * share))

    def logits(self, topics: Longs, scores: Floats) -> Floats:
        """Return the log-odds of relevance at scores, one for each topic."""
        return _logits(self.table, topics, scores)

    def probabilities(self, topics: Longs, scores: Floats) -> Floats:
        """Return the probabilities of relevance at scores, one for each topic."""
        return np.asarray(expit(self.logits(topics, scores)))

    def fields(self, topics: Longs, scores: Floats, p: Floats) -> tuple[Floats, Floats]:
        """Return m and v of the fields at scores with these probabilities, one for each topic."""
        v = _variances(self.table, topics, scores)
        return _means(p, v), v

    def positions(self, topics: Longs, scores: Floats) -> Floats:
        """Return u at scores: (topics, scores)."""
        return _positions(self.table, topics, scores)

    def fields_at(self, topics: Longs, positions: Floats) -> tuple[Floats, Floats]:
        """Return m and v of the fields at positions of the lines: (topics, positions) each."""
        (slope, offset), v = self.table[topics, 2:4].T[:, :, None], self.covariances(topics, positions, positions)
        return _means(expit(slope * positions + offset), v), v

    def covariances(self, topics: Longs, positions: Floats, others: Floats) -> Floats:
        """Return the covariances of the fields at positions of the lines with those at others."""
        a, both, b = self.table[topics, 4:].T[:, :, None]
        return np.asarray(LOGIT_TO_PROBIT**2 * (a * positions * others + both * (positions + others) + b))


def _means(p: Floats, v: Floats) -> Floats:
    """Return m of the fields with these probabilities and variances."""
    return np.asarray(ndtri(np.minimum(np.maximum(p, CERTAIN), 1.0 - CERTAIN)) * np.sqrt(1.0 + v))


def _row(profile: GPProfile) -> tuple[float, ...]:
    (begins, excess), line = profile.own
    return begins, excess, line.slope, line.offset, *line.entries


@kernel
def _levels(table: Floats, topics: Longs, p: Floats) -> Floats:
    out = np.empty(topics.size)
    for i in range(topics.size):
        begins, excess, slope, offset = table[topics[i], :4]
        out[i] = level_of(begins, excess, slope, offset, p[i])
    return out


@kernel
def _beyond(table: Floats, topics: Longs, shares: Floats) -> Floats:
    """Return the scores that shares exceed by the tail; minus infinity for all documents."""
    out = np.empty(topics.size)
    for i in range(topics.size):
        begins, excess = table[topics[i], 0], table[topics[i], 1]
        out[i] = -np.inf if shares[i] >= 1.0 else begins + excess * (-math.log(shares[i]) - math.log(ONE_IN))
    return out


@kernel
def _logits(table: Floats, topics: Longs, scores: Floats) -> Floats:
    out = np.empty(topics.size)
    for i in range(topics.size):
        row = table[topics[i]]
        out[i] = row[2] * position_of(row[0], row[1], scores[i]) + row[3]
    return out


@kernel
def _positions(table: Floats, topics: Longs, scores: Floats) -> Floats:
    out = np.empty(scores.shape)
    for i in range(topics.size):
        begins, excess = table[topics[i], 0], table[topics[i], 1]
        for j in range(scores.shape[1]):
            out[i, j] = position_of(begins, excess, scores[i, j])
    return out


@kernel
def _variances(table: Floats, topics: Longs, scores: Floats) -> Floats:
    out = np.empty(topics.size)
    for i in range(topics.size):
        row = table[topics[i]]
        out[i] = field_variance(row[4], row[5], row[6], position_of(row[0], row[1], scores[i]))
    return out
