"""The exact expected F_beta of every cut, in O(n w) (after Ye, Chai, Lee & Chieu 2012 and Dembczynski et al. 2011).

Ye et al., Optimizing F-measures: a tale of two approaches, ICML; Dembczynski et al., An exact algorithm for F-measure
maximization, NIPS. With T the number of documents that have the label and A_k that of the first k,

    E[F(k)] = (1 + beta^2) sum_t W_k[t] / (k + beta^2 t),   W_k[t] = E[A_k; T = t] = sum_{i <= k} P(y_i = 1, T = t),

which needs no rational beta. P(y_i = 1, T = t) = p_i Q_i[t-1], where Q_i, the law of T without document i, comes from
that of T by dividing its generating function by (1 - p_i) + p_i z: upwards if p_i < 1/2, downwards if not, so that
the error of one step reaches the next multiplied by at most 1.

Approximation. With L = ln(2 / MISSED) and V = sum p_i (1 - p_i), Bernstein's inequality (for the maximum of the
partial sums, by Doob) says that all partial sums of y_i stay within

    x = L/3 + sqrt(L^2/9 + 2 L V)

of their means but for a chance of MISSED. Only such paths are followed, so the law of T has w <= 2x + 1 values. What
is missed changes E[F] by at most MISSED for itself and 4 w (1 + beta^2) MISSED through the division: below 1e-13 for
10^6 documents and beta = 1. For n <= 28 nothing is missed, since x > n.
"""

from __future__ import annotations

import math

import numpy as np

from bayesift.arrays import FloatArray
from bayesift.numba_kernel import kernel

MISSED = 1e-18


@kernel
def best_cut(p: FloatArray, weight: float, none: float) -> tuple[int, float]:
    """Return (k, E[F(k)]) of the best k; p falls and is above 0, weight = beta^2, none = P(T = 0) = E[F(0)]."""
    law, low, high = law_of_sum(p)
    joint = np.zeros(high + 1)  # W_k
    best, value = 0, none
    for i in range(len(p)):
        k = i + 1
        # F <= (1 + beta^2) T / (k + beta^2 T), which grows with T <= high and falls with k: none can win from here
        if (1 + weight) * high <= value * (k + weight * high):
            break
        add_joint(joint, law, low, high, p[i])
        total = (1 + weight) * weighted(joint[low:], k + weight * low, weight)
        if total > value:
            best, value = k, total
    return best, value


@kernel(fastmath={"reassoc"})  # a sum in any order: several terms at once
def weighted(joint: FloatArray, start: float, step: float) -> float:
    """Return the sum of joint[j] / (start + step j)."""
    total = 0.0
    for j in range(len(joint)):
        total += joint[j] / (start + step * j)
    return total


@kernel
def law_of_sum(p: FloatArray) -> tuple[FloatArray, int, int]:
    """Return P(T = t) for t in [low, high], at its place in an array of high + 1 or more (0 elsewhere)."""
    variance = 0.0
    for x in p:
        variance += x * (1 - x)
    chance = math.log(2 / MISSED)
    width = chance / 3 + math.sqrt(chance * chance / 9 + 2 * chance * variance)
    law = np.zeros(len(p) + 1)
    law[0] = 1.0
    low, high, mean = 0, 0, 0.0
    for i in range(len(p)):
        x = p[i]
        mean += x
        before = low
        low, high = max(low, math.ceil(mean - width)), min(i + 1, math.floor(mean + width))
        for t in range(high, max(low, 1) - 1, -1):
            law[t] = law[t] * (1 - x) + law[t - 1] * x
        if low == 0:
            law[0] *= 1 - x
        law[before:low] = 0.0
    return law, low, high


@kernel
def add_joint(joint: FloatArray, law: FloatArray, low: int, high: int, x: float) -> None:
    """Add P(y_i = 1, T = t) to joint[t], t in [low, high], for a document of probability x."""
    without = 0.0  # Q_i, beyond the end of the window
    if x < 0.5:
        ratio, scale = x / (1 - x), 1 / (1 - x)
        for t in range(low, high + 1):
            joint[t] += x * without
            without = law[t] * scale - ratio * without
    else:
        ratio, scale = (1 - x) / x, 1 / x
        for t in range(high, low - 1, -1):
            without = law[t] * scale - ratio * without  # Q_i[t - 1]
            joint[t] += x * without
