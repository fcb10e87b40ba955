"""How many relevant documents remain unread, estimated from the places at which the others were found.

Reading the most promising first, relevant documents come at a rate that falls along the order (a Poisson process;
Stevenson & Bin-Hezam 2023 stop a review by one). With T relevant ones expected in the pool and the share s_b(t) of them
at place t, of a shape b, and F_b(n) = sum_{t <= n} s_b(t): having found k at places t_1 .. t_k among the first n,

    p(places | T, b) ~ T^k prod_i s_b(t_i) exp(-T F_b(n))
    with p(T) ~ T^(-1/2):   unread | b  is negative binomial (k + 1/2, F_b(n)),
                            p(b | places) ~ prod_i s_b(t_i) / F_b(n)^(k + 1/2)

The shapes are exp(-b t/N) and (1 + t/(N/50))^(-b), each for some b, all with the same prior probability. The first n
places carry no information about a rate that rises again later, so no estimate can rule out a hidden kind of relevant
documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp

from bayesift.errors import BadInput

Floats = NDArray[np.float64]
EXPONENTIAL = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
POWER = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)


@dataclass(frozen=True)
class Remaining:
    """The expected number of unread relevant documents, and an interval with probability `level`."""

    mean: float
    low: int
    high: int
    level: float = 0.95


def remaining(found: npt.ArrayLike, pool: int, level: float = 0.95) -> Remaining:
    """Estimate how many relevant documents are among the unread ones of a pool.

    Parameters
    ----------
    found : array of bool
        Whether each document read was relevant, in the order of reading.
    pool : int
        Number of documents in the pool, read and unread.
    level : float
        Probability of the interval.

    Returns
    -------
    Remaining
        The mean and the interval of the posterior.

    Raises
    ------
    BadInput
        If more documents are read than the pool has, or `level` is not within (0, 1).

    Examples
    --------
    >>> remaining([1, 1, 1, 0, 1, 0] + [0] * 94, 120)
    Remaining(mean=0.0..., low=0, high=0, level=0.95)
    >>> remaining([0, 1, 0, 0, 1, 0], 120).high > 20
    True
    """
    hits = np.asarray(found, bool).ravel()
    n = hits.size
    if n > pool or not 0.0 < level < 1.0:
        reason = f"{n} documents read of {pool}, level {level}"
        raise BadInput(reason, remedy=f"read at most {pool}; level within (0, 1)")
    if n == pool:
        return Remaining(0.0, 0, 0, level)
    log_weight, log_count = [], []
    numbers, k = np.arange(pool - n + 1), int(hits.sum())
    for shape in _shapes(pool):
        share = float(min(max(shape[:n].sum(), 1e-12), 1.0 - 1e-12))
        log_weight.append(float(np.log(shape[:n][hits]).sum() - (k + 0.5) * np.log(share)))
        log_count.append(_negative_binomial(numbers, k + 0.5, share))
    weights = np.exp(np.array(log_weight) - logsumexp(log_weight))
    p = weights @ np.exp(log_count)
    p /= p.sum()
    reached, tail = np.cumsum(p), (1.0 - level) / 2.0
    low, high = (int(np.searchsorted(reached, q)) for q in (tail, 1.0 - tail))
    return Remaining(float(p @ numbers), low, min(high, pool - n), level)


def _shapes(pool: int) -> list[Floats]:
    t = np.arange(pool) / pool
    shapes = [np.exp(-b * t) for b in EXPONENTIAL] + [(1.0 + 50.0 * t) ** -b for b in POWER]
    return [shape / shape.sum() for shape in shapes]


def _negative_binomial(u: NDArray[np.int64], r: float, p: float) -> Floats:
    """Return the log probability of each u, normalised over u = 0 .. number of unread documents."""
    log = gammaln(u + r) - gammaln(r) - gammaln(u + 1.0) + r * np.log(p) + u * np.log1p(-p)
    normalised: Floats = log - logsumexp(log)
    return normalised
