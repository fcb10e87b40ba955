"""A bound on the relevant records that are unread, from records drawn at random: valid whatever the ranker does.

Let T be the number of relevant records of the pool. A draw is uniform over the m records that are unread at that time;
k relevant ones have been found before, in whatever way. Given everything read so far, the draw is relevant with
probability p = (T - k)/m. For a supposed T, bet the fraction f of a capital of 1 on "not relevant" at fair odds:

    not relevant: the capital grows by 1 - f + f/(1 - p)        relevant: it shrinks by 1 - f

If T is the truth, the capital is a nonnegative martingale, also if f depends on earlier draws. Records read between the
draws only change k and m before the next draw. So is an average over several ways to bet, and by Ville's inequality the
capital ever reaches 1/alpha with probability alpha at most. The bound is the largest T whose capital never reached
1/alpha: it may be looked at after every record. The capital grows with T, so the bound is found by bisection
(Waudby-Smith & Ramdas 2020, 2024).

With f = 1 and no relevant draw, the capital is one over the hypergeometric probability of that, so the bound is the
exact hypergeometric one. A relevant draw takes all of it. So other parts of the capital keep a reserve: one bets all
after the first relevant draw, and two survive any number of them (`FRACTIONS`).

Draws that prefer what the ranker believes in would prove less: u relevant records at the places that are drawn least
are missed most often when draws are not uniform. No n draws find one of u hidden among m records with a larger
probability, whatever the ranker does, than n uniform ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from bayesift.errors import BadInput
from bayesift.filtering.screening.reading import Reading

Floats = NDArray[np.float64]
SHARES = np.array([0.65, 0.18, 0.1, 0.07])  # of the capital, for each way to bet
# bet on "not relevant" by each way, after 0, 1, 2 or more relevant draws
FRACTIONS = np.array([[1.0, 1.0, 1.0], [0.85, 1.0, 1.0], [0.7, 0.85, 0.9], [0.5, 0.5, 0.5]])


@dataclass(frozen=True)
class Certificate:
    """What the random draws prove about the relevant records that are unread.

    `high` is the bound on their number, `recall` the bound on the share found, both with probability `certainty`;
    `holds` says whether this recall reaches the `goal`. `draws` random records count, `hits` of them are relevant. If
    none of the next `needed` random draws is relevant, the certificate holds.
    """

    found: int
    unread: int
    draws: int
    hits: int
    high: int
    recall: float
    goal: float
    certainty: float
    holds: bool
    needed: int


def certify(reading: Reading, recall: float = 0.95, certainty: float = 0.95) -> Certificate:
    """Bound the number of unread relevant records from the random draws among the records read.

    Parameters
    ----------
    reading : Reading
        What was read; only records whose source is "random" count as draws.
    recall : float
        The share of the relevant records that should be found.
    certainty : float
        The probability with which all bounds along the reading hold together.

    Returns
    -------
    Certificate
        The bound, and whether the recall is reached.

    Raises
    ------
    BadInput
        If `recall` is not within (0, 1] or `certainty` not within (0, 1).

    Examples
    --------
    >>> reading = Reading([True] * 100 + [False] * 600, ["ranked"] * 300 + ["random"] * 400, 1000)
    >>> proof = certify(reading)
    >>> proof.high, proof.holds
    (3, True)
    """
    if not 0.0 < recall <= 1.0 or not 0.0 < certainty < 1.0:
        raise BadInput(f"recall {recall}, certainty {certainty}", remedy="give shares above 0 and below 1")
    capital = _Capital(reading)
    limit = -math.log1p(-certainty)
    found, unread = reading.found, reading.unread
    low, above = 0, unread + 1  # `low` is not excluded, `above` is
    while above - low > 1:
        middle = (low + above) // 2
        low, above = (low, middle) if capital.highest(found + middle) >= limit else (middle, above)
    recall_low = found / (found + low) if found + low else 1.0
    holds = low <= allowed(found, recall)
    needed = 0 if holds else capital.needed(found + allowed(found, recall) + 1, limit)
    draws, hits = capital.hits.size, int(capital.hits.sum())
    return Certificate(found, unread, draws, hits, low, recall_low, recall, certainty, holds, needed)


def allowed(found: int, recall: float) -> int:
    """Return how many relevant records may be unread at this recall.

    >>> allowed(100, 0.95), allowed(18, 0.95)
    (5, 0)
    """
    return math.floor(found / recall + 1e-9) - found


class _Capital:
    """The capital that the random draws have earned against each supposed number of relevant records."""

    def __init__(self, reading: Reading) -> None:
        self.hits, self.found_before, self.unread_before = reading.draws()
        self.found, self.unread = reading.found, reading.unread

    def highest(self, total: int) -> float:
        """Return the log of the largest capital along the reading, if `total` records are relevant."""
        return float(self._path(total).max(initial=0.0))

    def needed(self, total: int, limit: float) -> int:
        """Return how many draws that are not relevant bring the capital to `limit`, or leave too few records."""
        more = total - self.found
        accounts, too_few = self._accounts(total)[-1], self.unread - more + 1
        fractions = _fractions(np.array([self.hits.sum()]))[0]
        short, enough = 0, too_few  # the capital grows with every such draw
        while enough - short > 1:
            middle = (short + enough) // 2
            path = _mix((accounts + _misses(fractions, more, self.unread, middle))[None, :])
            short, enough = (short, middle) if path[0] >= limit else (middle, enough)
        return enough

    def _path(self, total: int) -> Floats:
        return _mix(self._accounts(total)[1:])

    def _accounts(self, total: int) -> Floats:
        """Return the log capital of each way to bet before and after each draw."""
        p = (total - self.found_before) / self.unread_before
        f = _fractions(np.cumsum(self.hits) - self.hits)
        with np.errstate(divide="ignore"):
            steps = np.where(self.hits[:, None], np.log1p(-f), np.log1p(-f + f / (1.0 - p[:, None])))
        start = np.log(SHARES)[None, :]
        accounts: Floats = start + np.vstack([np.zeros_like(start), np.cumsum(steps, axis=0)])
        return accounts


def _fractions(hits: NDArray[np.intp]) -> Floats:
    """Return the fraction that each way bets after these numbers of relevant draws."""
    found: Floats = FRACTIONS[:, np.minimum(hits, FRACTIONS.shape[1] - 1)].T
    return found


def _misses(fractions: Floats, relevant: int, unread: int, draws: int) -> Floats:
    """Return the log growth of each fraction over some draws in a row that are not relevant.

    With m unread records a draw makes the capital grow by (m - (1 - f) relevant) / (m - relevant), so the product over
    m = unread, unread - 1, .. is one of gamma functions.
    """
    parts = np.append((1.0 - fractions) * relevant, relevant)
    logs = gammaln(unread - parts + 1.0) - gammaln(unread - draws - parts + 1.0)
    growth: Floats = logs[:-1] - logs[-1]
    return growth


def _mix(accounts: Floats) -> Floats:
    mixed: Floats = np.logaddexp.reduce(accounts, axis=1)
    return mixed
