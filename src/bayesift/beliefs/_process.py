"""The kernels of `process`: one step of learning, and the field of documents. Symbols are explained there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.basis import KernelCode, against, append
from bayesift.beliefs.covariance import BLOCK, fold
from bayesift.beliefs.inverse import FAST, add_square, column, dot, enlarge, last_into, renew, shrink, times
from bayesift.beliefs.likelihoods import Code, moments
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EXHAUSTED = 1e-13  # v below this share of k* is rounding error: x can teach nothing more
FLOOR = 1e-10  # gamma below this share of k* is no direction of its own
RENEW = 4  # changes of the basis per vector after which Q is computed from scratch; that costs less than they did


@kernel(fastmath=FAST)
def learn(
    indptr: Any, indices: Any, data: Floats, y: Floats, done: int, seen: int,
    code: Code, shape: KernelCode, tolerance: float, cap: int, dense: Floats,
    alpha: Floats, base: Floats, waiting: Floats, gain: Floats, q: Floats,
    starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
    n: int, w: int, used: int, changed: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Learn documents from `done` on; stop before one that needs more room. n vectors, w waiting updates."""
    k, e = np.empty(alpha.size), np.empty(alpha.size)
    for t in range(done, y.size):
        index, value = indices[indptr[t] : indptr[t + 1]], data[indptr[t] : indptr[t + 1]]
        own = against(shape, index, value, seen + t, dense, n, starts, lengths, where, what, squares, numbers, k)  # k*
        if w == BLOCK:
            fold(base, waiting, gain, w)
            w = 0
        s = waiting[w]
        times(base, n, k, s)
        _add_waiting(waiting, gain, w, n, k, s)  # s = C k
        times(q, n, k, e)
        m, v, gamma = dot(alpha, k, n), own + dot(s, k, n), own - dot(e, k, n)
        if not (v > EXHAUSTED * own and np.isfinite(v + gamma)):
            continue
        _, g1, g2 = moments(code, y[t], m, v)
        novel = gamma > FLOOR * own and abs(g1) * gamma > tolerance
        if novel and n >= cap:
            novel = abs(g1) * gamma > _least_score(alpha, q, n, s, e, g1, gamma)
        if novel:
            room = -1 if n == alpha.size else append(
                index, value, seen + t, n, used, starts, lengths, where, what, squares, numbers
            )  # fmt: skip
            if room < 0:
                return t, n, w, used, changed
            used = room
            enlarge(q, n, e, gamma)
            s[n] = 1.0
            n += 1
            changed += 1
        else:
            for i in range(n):
                s[i] += e[i]
        for i in range(n):
            alpha[i] += g1 * s[i]
        gain[w] = g2
        w += 1
        while n > cap:
            _drop(_least(alpha, q, n), n, alpha, base, waiting, q, starts, lengths, squares, numbers)
            n -= 1
            changed += 1
        if changed >= RENEW * max(n, 32):
            _renew(shape, dense, n, q, starts, lengths, where, what, squares, numbers)
            changed = 0
    return y.size, n, w, used, changed


@kernel(fastmath=FAST)
def _add_waiting(waiting: Floats, gain: Floats, w: int, n: int, k: Floats, out: Floats) -> None:
    """Add to out the waiting updates of C times k."""
    for u in range(w):
        row = waiting[u]
        c = gain[u] * dot(row, k, n)
        for i in range(n):
            out[i] += c * row[i]


@kernel
def _least_score(alpha: Floats, q: Floats, n: int, s: Floats, e: Floats, g1: float, gamma: float) -> float:
    """Return the least |alpha_i| / Q_ii of the present vectors as it would be with one more."""
    least = np.inf
    for i in range(n):
        least = min(least, abs(alpha[i] + g1 * s[i]) / (q[i, i] + e[i] * e[i] / gamma))
    return least


@kernel
def _least(alpha: Floats, q: Floats, n: int) -> int:
    best = 0
    for i in range(1, n):
        if abs(alpha[i]) * q[best, best] < abs(alpha[best]) * q[i, i]:
            best = i
    return best


@kernel(fastmath=FAST)
def _drop(
    i: int, n: int, alpha: Floats, base: Floats, waiting: Floats, q: Floats,
    starts: Integers, lengths: Integers, squares: Floats, numbers: Integers,
) -> None:  # fmt: skip
    """Project basis vector i on the others: with P = 1 - (column i) Q*/q*, alpha <- P alpha, C <- P C P^T, s <- P s."""
    star, p, r = np.empty(n), np.empty(n), np.empty(n)
    column(q, n, i, star)
    column(base, n, i, r)
    p[:] = star / star[i]
    _project(alpha, n, i, p)
    for u in range(BLOCK):
        _project(waiting[u], n, i, p)
    # P C P^T = C - p r^T - r p^T with r = C* - p c*/2, as a difference of two squares
    r -= 0.5 * r[i] * p
    size_p, size_r = np.sqrt(dot(p, p, n)), np.sqrt(dot(r, r, n))
    if size_r > 0.0:
        p *= np.sqrt(0.5 * size_r / size_p)
        r *= np.sqrt(0.5 * size_p / size_r)
        add_square(base, n, -1.0, p + r)
        add_square(base, n, 1.0, p - r)
    last_into(base, n, i)
    shrink(q, n, i, star)
    last = n - 1
    starts[i], lengths[i], squares[i], numbers[i] = starts[last], lengths[last], squares[last], numbers[last]


@kernel(fastmath=FAST)
def _project(vector: Floats, n: int, i: int, p: Floats) -> None:
    x = vector[i]
    for j in range(n):
        vector[j] -= x * p[j]
    vector[i] = vector[n - 1]
    vector[n - 1] = 0.0


@kernel
def _renew(
    shape: KernelCode, dense: Floats, n: int, q: Floats,
    starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
) -> None:  # fmt: skip
    gram = np.empty((n, n))
    for i in range(n):
        a, b = starts[i], starts[i] + lengths[i]
        against(
            shape, where[a:b], what[a:b], numbers[i], dense,
            i + 1, starts, lengths, where, what, squares, numbers, gram[i],
        )  # fmt: skip
    renew(gram, n, q)


@kernel(fastmath=FAST)
def field(
    indptr: Any, indices: Any, data: Floats, shape: KernelCode, dense: Floats, alpha: Floats, c: Floats,
    starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return mean and variance of h for each document, with C in `c`."""
    rows, n = indptr.size - 1, c.shape[0]
    m, v, k = np.empty(rows), np.empty(rows), np.empty(n)
    for t in range(rows):
        index, value = indices[indptr[t] : indptr[t + 1]], data[indptr[t] : indptr[t + 1]]
        v[t] = against(shape, index, value, -1, dense, n, starts, lengths, where, what, squares, numbers, k)
        m[t] = dot(alpha, k, n)
        for i in range(n):  # k^T C k by the lower half of C
            v[t] += k[i] * (2.0 * dot(c[i], k, i) + c[i, i] * k[i])
        v[t] = max(v[t], 0.0)
    return m, v
