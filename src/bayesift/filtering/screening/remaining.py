"""How many relevant records remain unread, estimated from the ranker's probabilities and from what was found when.

Two expectations of the number u of unread relevant records are averaged, on a logarithmic scale:

    a    from the shape of the rate along the order (`rate_shapes`), averaged over shapes
    c    sum_i p_i x (rate of relevant records in the last quarter read) / (mean p of the ten best unread records):
         the probabilities p_i say how fast relevance falls off from here, the records read last say how high it is now

    log rate = mu + sigma z,   u ~ Poisson(rate),   z has a t distribution with 8 degrees of freedom
    mu = w . (1, log a, log c, log k, logit s, s),   log sigma = v . (1, logit s, s)

with k relevant records found and the share s of the pool read. The weights w and v say how far such expectations are
off. w has the largest likelihood over simulated reviews (three reviews, and pools made of labelled corpora,
`experiments.made_pools`). A new review is of a literature that is not among those. So v has the largest likelihood
where each corpus is left out in turn and its mu follows from the others (`experiments.screening_weights`): sigma is as
wide, at each share read, as what remains in a corpus that w has not seen.

Records drawn at random do not enter a and c: they multiply the distribution of u by their own likelihood.

A kind of relevant records that nothing read so far resembles is beyond every such estimate, but for what the simulated
reviews have of it. `certified` does not share this limit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp, stdtrit

from bayesift.errors import BadInput
from bayesift.filtering.screening.rate_shapes import expected_after
from bayesift.filtering.screening.reading import Reading

Floats = NDArray[np.float64]
# w and v, with and without the probabilities: `bayesift reproduce screening-weights`
WITH_PROBABILITIES = np.array([1.328, 0.713, 0.217, -0.256, 0.33, -2.168]), np.array([0.857, 0.204, -2.414])
WITHOUT = np.array([1.044, 0.923, -0.043, -0.236, 0.319, -2.285]), np.array([0.056, 0.005, -0.862])
NODES = stdtrit(8.0, (np.arange(100) + 0.5) / 100)
FEWEST = 5  # records read by rank, below which nothing can be said
SIMULATED = 0.02  # smallest share read of a simulated review
SOME = 1000  # counts that are computed when there are many
BLOCK = 500  # draws whose likelihood is computed at a time
BEST = 10  # unread records whose mean probability is compared with the rate in the last quarter


@dataclass(frozen=True)
class Remaining:
    """The expected number of unread relevant records, and an interval with probability `level`.

    The ends are whole numbers, so the probability of the interval is as close to `level` as they allow. `basis` says
    what the estimate rests on.
    """

    mean: float
    low: int
    high: int
    level: float = 0.95
    basis: str = ""


def estimate_remaining(reading: Reading, level: float = 0.95) -> Remaining:
    """Estimate how many relevant records are among the unread ones of a pool.

    Parameters
    ----------
    reading : Reading
        What was read, and the probabilities of the unread records where the ranker has them.
    level : float
        Probability of the interval.

    Returns
    -------
    Remaining
        The mean of the distribution and its interval.

    Raises
    ------
    BadInput
        If `level` is not within (0, 1).

    Examples
    --------
    >>> early = estimate_remaining(Reading([1, 0, 1, 1, 0, 1], "ranked", 120))
    >>> late = estimate_remaining(Reading([1, 0, 1, 1, 0, 1] + [0] * 100, "ranked", 120))
    >>> early.high > 20, late.low, late.high < 3
    (True, 0, True)
    """
    if not 0.0 < level < 1.0:
        raise BadInput(f"level {level}", remedy="give a level within (0, 1)")
    p = distribution(reading)
    low, high = interval(p, level)
    if reading.read < SIMULATED * reading.pool:
        low = 0  # fewer than were ever read in a simulated review
    return Remaining(float(p @ np.arange(p.size)), low, high, level, _basis(reading))


def is_estimable(reading: Reading) -> bool:
    """Return whether enough was read for an estimate that says something.

    >>> is_estimable(Reading([True] * 4, "ranked", 100)), is_estimable(Reading([True] * 5, "random", 100))
    (False, True)
    """
    return max(_by_rank(reading).size, reading.draws().relevant.size) >= FEWEST


def distribution(reading: Reading) -> Floats:
    """Return the probability that 0, 1, 2, .. of the unread records are relevant, up to a number beyond all doubt."""
    if reading.unread == 0:
        return np.ones(1)
    if _by_rank(reading).size < FEWEST:
        u = _some(reading.unread + 1)
        log = np.interp(np.arange(reading.unread + 1.0), u, _drawn(reading, u))  # the draws alone
    else:
        w, v = WITHOUT if reading.probabilities is None else WITH_PROBABILITIES
        x, y = evidence(reading)
        log = log_mixture(float(w @ x), float(np.exp(v @ y)), reading.unread)
        log += _drawn(reading, np.arange(float(log.size)))
    p: Floats = np.exp(log - logsumexp(log))
    return p


def log_mixture(mu: float, sigma: float, unread: int) -> Floats:
    """Return the logs of the probabilities of 0, 1, 2, .. relevant records among the unread ones, not normalised.

    Where there are many, some are computed and those between them interpolated.
    """
    log_rate = np.minimum(mu + sigma * NODES, np.log(unread))
    most = float(np.exp(log_rate[-1]))
    size = min(unread, int(most + 10.0 * np.sqrt(most) + 20.0)) + 1
    u = _some(size)
    log = logsumexp(u[:, None] * log_rate - np.exp(log_rate), axis=1) - gammaln(u + 1.0)
    return np.asarray(np.interp(np.arange(float(size)), u, log), np.float64)


def _some(size: int) -> Floats:
    """Return 0, 1, 2, .. below a size, or some of them where there are many."""
    if size <= 2 * SOME:
        return np.arange(float(size))
    return np.unique(np.append(np.arange(float(SOME)), np.geomspace(SOME, size - 1.0, SOME).round()))


def evidence(reading: Reading) -> tuple[Floats, Floats]:
    """Return what mu and log sigma are linear in."""
    by_rank = _by_rank(reading)
    n, order = by_rank.size, by_rank.size + reading.unread
    weights, expected = expected_after((np.flatnonzero(by_rank) + 0.5) / order, n / order, order)
    from_shapes = float(weights @ np.log(expected + 0.1))
    quarter = by_rank[n - min(n, max(1, reading.read // 4)) :]
    now = (quarter.sum() + 0.3) / (quarter.size + 3.0)
    level, p = np.log(now), reading.probabilities
    if p is not None:
        best = np.partition(p, max(p.size - BEST, 0))[-BEST:]
        level = np.log(p.sum() * now / (best.mean() + 1e-6) + 0.1)
    share = float(np.clip(reading.read / reading.pool, 0.01, 1.0 - 0.5 / reading.pool))
    odds = float(np.log(share / (1.0 - share)))
    x = np.array([1.0, from_shapes, level, np.log(reading.found + 1.0), odds, share])
    return x, np.array([1.0, odds, share])


def _by_rank(reading: Reading) -> NDArray[np.bool_]:
    return reading.relevant[np.isin(reading.source, ("ranked", "other"))]


def _drawn(reading: Reading, u: Floats) -> Floats:
    """Return the log likelihood of the random draws if u of the unread records are relevant."""
    hits, found, unread = reading.draws()
    before, log = reading.found - found, np.zeros(u.size)
    for a in range(0, hits.size, BLOCK):
        part = slice(a, a + BLOCK)
        p = (before[part, None] + u) / unread[part, None]
        log += np.log(np.maximum(np.where(hits[part, None], p, 1.0 - p), 1e-300)).sum(axis=0)
    return log


def interval(p: Floats, level: float) -> tuple[int, int]:
    """Return the interval with equal tails; where it begins at 0, the one from 0 on that is closest to `level`."""
    reached = np.cumsum(p)
    tail = (1.0 - level) / 2.0
    low, high = (min(int(np.searchsorted(reached, q)), p.size - 1) for q in (tail, 1.0 - tail))
    if low == 0:
        high = int(np.abs(reached - level).argmin())
    return low, high


def _basis(reading: Reading) -> str:
    if not is_estimable(reading):
        return "nothing yet: too few records are read"
    if _by_rank(reading).size < FEWEST:
        return f"{reading.draws().relevant.size:,} records drawn at random"
    parts = ["how often relevant records were found so far"]
    if reading.probabilities is not None:
        parts.append("the ranker's probabilities of the unread ones")
    if draws := reading.draws().relevant.size:
        parts.append(f"{draws:,} records drawn at random")
    return ", ".join([*parts, "and how simulated reviews went on from there"])
