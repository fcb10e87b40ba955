"""How many relevant documents are still unread, from the places at which the read ones were found.

Reading the most promising first, relevant documents come at a rate that falls along the order (a Poisson process;
Stevenson & Bin-Hezam 2023 stop a review by one). With T relevant ones expected in the pool and the share s_b(t) of them
at place t, of a shape b, and F_b(n) = sum_{t <= n} s_b(t): having found k at places t_1 .. t_k among the first n,

    p(places | T, b) ~ T^k prod_i s_b(t_i) exp(-T F_b(n))
    with p(T) ~ T^(-1/2):   unread | b  is negative binomial (k + 1/2, F_b(n)),
                            p(b | places) ~ prod_i s_b(t_i) / F_b(n)^(k + 1/2)

The shapes are exp(-b t/N) and (1 + t/(N/50))^(-b), each for some b, all equally likely beforehand. The first n places
say nothing of a shape that starts anew later, so no estimate can rule out a hidden kind of relevant documents.
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
class Unseen:
    """The expected number of unread relevant documents, and the interval that holds it with the stated probability."""

    mean: float
    low: int
    high: int
    level: float = 0.95


def unseen(found: npt.ArrayLike, pool: int, level: float = 0.95) -> Unseen:
    """Estimate from what was found: 0 or 1 for each document read, in order, of a pool of so many.

    >>> unseen([1, 1, 1, 0, 1, 0] + [0] * 94, 120)
    Unseen(mean=0.0..., low=0, high=0, level=0.95)
    >>> unseen([0, 1, 0, 0, 1, 0], 120).high > 20
    True
    """
    hits = np.asarray(found, bool).ravel()
    n = hits.size
    if n > pool or not 0.0 < level < 1.0:
        raise BadInput(f"{n} read of {pool}, level {level}", remedy="read at most the pool; a level within (0, 1)")
    if n == pool:
        return Unseen(0.0, 0, 0, level)
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
    return Unseen(float(p @ numbers), low, min(high, pool - n), level)


def _shapes(pool: int) -> list[Floats]:
    t = np.arange(pool) / pool
    shapes = [np.exp(-b * t) for b in EXPONENTIAL] + [(1.0 + 50.0 * t) ** -b for b in POWER]
    return [shape / shape.sum() for shape in shapes]


def _negative_binomial(u: NDArray[np.int64], r: float, p: float) -> Floats:
    """The logarithm of its probability of u, for u from 0 to what is unread, over all of which it adds up to 1."""
    log = gammaln(u + r) - gammaln(r) - gammaln(u + 1.0) + r * np.log(p) + u * np.log1p(-p)
    normalised: Floats = log - logsumexp(log)
    return normalised
