"""The kernels of BOMC: one document's expectation propagation, and the update of the weights (zhang2010 3).

    m_c = sum_j x_j mu_cj,   q_c = sum_j x_j^2 var_cj,   S = q_c + beta^2 + var_b
    site of label c: s_c (f_c - b) > eps_c, s_c = +1 if relevant else -1
    g = d log Z / dm,   w = -d^2 log Z / dm^2,   Z = (1 - rho) Phi(u) + rho Phi(u'),
    u = (s (m - b) - eps) / sqrt(S),   u' = (-s (m - b) - eps) / sqrt(S)   (rho: the label is wrong)
    mu_cj += var_cj x_j g_c,   var_cj *= 1 - var_cj x_j^2 w_c

`independent` has a bias b_c of its own for every label and closed forms; `coupled` sweeps over the labels' sites until
the shared bias b no longer moves. Both may note the margins (m, S) of each document before they learn from it.
Beside its terms a document may have a dense vector, a row of `dense`, whose weights are arrays of their own; it is
empty where there is none. (`coupled` takes the numbers of such a vector as terms.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.diagonal import BLOCK
from bayesift.beliefs.hazard import hazard
from bayesift.learn.bomc._dense import add_dense, move_dense
from bayesift.learn.bomc._rows import add_up, move, move_own
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
Masks = NDArray[np.uint16]
# beta^2, margin, 1 if a positive's margin grows with rarity, rho, tau^2, the share of each document that is learned
Code = tuple[float, float, float, float, float, float]

SWEEPS = 30
MOVED = 1e-3  # relative change of the shared bias below which EP is done
SQRT_HALF, DENSITY = math.sqrt(0.5), 1.0 / math.sqrt(2.0 * math.pi)


@kernel(inline="always")
def site(s: float, mean: float, variance: float, eps: float, rho: float) -> tuple[float, float]:
    """Return g and w of one site, for a difference with this mean and variance (noise included)."""
    sigma = math.sqrt(variance)
    u = (s * mean - eps) / sigma
    if rho == 0.0:  # `moments` of Margin without log Z, which is not needed here, and faster: see `hazard`
        r = hazard(u)
        return s * r / sigma, r * (u + r) / variance
    other = (-s * mean - eps) / sigma
    z = (1.0 - rho) * 0.5 * math.erfc(-u * SQRT_HALF) + rho * 0.5 * math.erfc(-other * SQRT_HALF)
    z = max(z, 1e-300)
    right, wrong = (1.0 - rho) * DENSITY * math.exp(-0.5 * u * u), rho * DENSITY * math.exp(-0.5 * other * other)
    g = s * (right - wrong) / (sigma * z)
    return g, g * g + (u * right + other * wrong) / (variance * z)


@kernel(inline="always")
def margin_of(code: Code, given: Floats, c: int, positives: int, seen: int) -> float:
    """Return eps of a relevant label: ln(e + 1/r) times the margin, r = positives / negatives so far, or as given."""
    margin = code[1]
    if code[2] == 0.0:
        return margin
    inverse = 1.0 / given[c] if given.size else (seen - positives) / positives
    return margin * math.log(math.e + inverse)


@kernel
def fields_of(
    begin: int, end: int, indices: Any, data: Any, mean: Singles, variance: Singles, shift: int, m: Singles, q: Singles
) -> None:
    """Set m and q of all labels; variances begin `shift` columns later than means do."""
    for c in range(0, m.size, BLOCK):
        add_up(mean, variance, c, c + shift, indices, data, begin, end, m, q, c)


@kernel
def update(
    begin: int, end: int, indices: Any, data: Any, mean: Singles, variance: Singles, shift: int, g: Singles, w: Singles
) -> None:
    """Update the weights of all labels."""
    for c in range(0, g.size, BLOCK):
        move(mean, variance, c, c + shift, indices, data, begin, end, g, w, c)


@kernel
def widen(
    begin: int, end: int, indices: Any, variance: Singles, shift: int, touched: Longs, step: int, tau2: float
) -> None:
    """Let variances, from the column `shift` on, grow by tau^2 (drift) for each step since they were up to date."""
    for i in range(begin, end):
        j = indices[i]
        if touched[j] < step:
            v, more = variance[j], np.float32(tau2 * (step - touched[j]))
            for c in range(shift, v.size):
                v[c] += more
            touched[j] = step


@kernel(fastmath={"contract"})
def independent(
    indptr: Any, indices: Any, data: Any, label_ptr: Any, label_index: Any, order: Longs, code: Code, given: Floats,
    mean: Singles, variance: Singles, shift: int, touched: Longs, bias: Floats, positives: Longs, seen: int,
    prequential: Singles, skip: int, first: int, labels: int, masks: Masks, unseen: Singles,
    dense: Singles, dense_mean: Singles, dense_variance: Singles,
) -> None:  # fmt: skip
    """Learn documents in their order; `prequential`, if not empty, gets the margins of `order[t]` from t = `skip` on.

    The arrays are those of `labels` labels from the label `first` on; variances begin `shift` columns later than means.
    The unseen label counts as one of them, which no document has. With `masks` labels have own weights for some terms
    (see `_rows`), and `unseen` (2, terms of all documents) are the unseen label's means and variances after each
    document; without `masks` these are noted, for the first label, if there is room.
    """
    columns = -(-labels // BLOCK) * BLOCK
    m, q = np.empty(columns, np.float32), np.empty(columns, np.float32)
    g, w = np.zeros(columns, np.float32), np.zeros(columns, np.float32)
    sign = np.empty(columns)
    noise, rho, tau2, share = code[0], code[3], code[4], code[5]
    for t in range(order.size):
        begin, end = indptr[t], indptr[t + 1]
        if tau2 > 0.0:
            widen(begin, end, indices, variance, shift, touched, seen + t, tau2)
        fields_of(begin, end, indices, data, mean, variance, shift, m, q)
        if dense.shape[1]:
            for c in range(0, columns, BLOCK):
                add_dense(dense_mean, dense_variance, c, c + shift, dense[t], m, q, c)
        if prequential.shape[0] and t >= skip:
            for c in range(labels):
                prequential[order[t], first + c] = (m[c] - bias[0, c]) / math.sqrt(q[c] + noise + bias[1, c])
        sign[:] = -1.0
        for k in range(label_ptr[t], label_ptr[t + 1]):
            c = label_index[k] - first
            if 0 <= c < labels:
                sign[c] = 1.0
                positives[c] += 1
        for c in range(labels):
            eps = code[1] if sign[c] < 0.0 else margin_of(code, given, first + c, positives[c], seen + t + 1)
            gc, wc = site(sign[c], m[c] - bias[0, c], q[c] + noise + bias[1, c], eps, rho)
            gc, wc = share * gc, share * wc
            g[c], w[c] = gc, wc
            bias[0, c] -= bias[1, c] * gc
            bias[1, c] *= 1.0 - bias[1, c] * wc
        if masks.size:
            for c in range(labels):
                if sign[c] > 0.0:  # it has weights of its own for the document's terms from now on
                    for i in range(begin, end):
                        masks[indices[i]] |= np.uint16(1 << c)
            move_own(mean, masks, indices, data, begin, end, g, w, unseen[0], unseen[1])
        else:
            update(begin, end, indices, data, mean, variance, shift, g, w)
            for i in range(begin, end if unseen.size else begin):
                unseen[0, i], unseen[1, i] = mean[indices[i], 0], variance[indices[i], shift]
        if dense.shape[1]:
            for c in range(0, columns, BLOCK):
                move_dense(dense_mean, dense_variance, c, c + shift, dense[t], g, w, c)


@kernel(fastmath={"contract"})
def coupled(
    indptr: Any, indices: Any, data: Any, label_ptr: Any, label_index: Any, order: Longs, code: Code, given: Floats,
    mean: Singles, variance: Singles, touched: Longs, bias: Floats, positives: Longs, seen: int,
    prequential: Singles, skip: int, labels: int,
) -> None:  # fmt: skip
    """Learn documents as `independent` does, with one bias for all labels; the unseen label is after the last one."""
    columns = mean.shape[1]
    m, q = np.empty(columns, np.float32), np.empty(columns, np.float32)
    g, w = np.zeros(columns, np.float32), np.zeros(columns, np.float32)
    sign, eps = np.empty(columns), np.empty(columns)
    precision, shift = np.empty(columns), np.empty(columns)  # of the message from each site to b
    noise, rho, tau2 = code[0], code[3], code[4]
    for step in range(order.size):
        t = order[step]
        begin, end = indptr[t], indptr[t + 1]
        if tau2 > 0.0:
            widen(begin, end, indices, variance, 0, touched, seen + step, tau2)
        fields_of(begin, end, indices, data, mean, variance, 0, m, q)
        if prequential.shape[0] and step >= skip:
            for c in range(labels + 1):
                prequential[t, c] = (m[c] - bias[0, 0]) / math.sqrt(q[c] + noise + bias[1, 0])
        sign[:], eps[:], precision[:], shift[:] = -1.0, code[1], 0.0, 0.0
        for k in range(label_ptr[t], label_ptr[t + 1]):
            c = label_index[k]
            positives[c] += 1
            sign[c], eps[c] = 1.0, margin_of(code, given, c, positives[c], seen + step + 1)
        total, pull = 1.0 / bias[1, 0], bias[0, 0] / bias[1, 0]
        for _ in range(SWEEPS):
            was_mean, was_variance = pull / total, 1.0 / total
            for c in range(labels):
                cavity = total - precision[c]
                if cavity <= 0.0:  # only label noise can lead here
                    continue
                v = 1.0 / cavity
                b = (pull - shift[c]) * v
                gc, wc = site(sign[c], m[c] - b, q[c] + noise + v, eps[c], rho)
                g[c], w[c] = gc, wc
                new = 1.0 / (v * (1.0 - v * wc))
                new_pull = (b - v * gc) * new
                precision[c], shift[c] = new - cavity, new_pull - cavity * b
                total, pull = new, new_pull
            now = 1.0 / total
            if abs(pull * now - was_mean) <= MOVED * math.sqrt(now) and abs(now - was_variance) <= MOVED * now:
                break
        bias[0, 0], bias[1, 0] = pull / total, 1.0 / total
        unseen = site(-1.0, m[labels] - bias[0, 0], q[labels] + noise + bias[1, 0], code[1], rho)
        g[labels], w[labels] = unseen  # it learns from the bias, which does not learn from it
        update(begin, end, indices, data, mean, variance, 0, g, w)


@kernel(fastmath={"contract"})
def fields(
    indptr: Any, indices: Any, data: Any, mean: Singles, variance: Singles, touched: Longs, bias: Floats, seen: int,
    tau2: float, labels: int, dense: Singles, dense_mean: Singles, dense_variance: Singles,
) -> tuple[Singles, Singles]:  # fmt: skip
    """Return mean and variance of w_c.x - b_c: (documents, labels); drift up to now is included."""
    n, columns = indptr.size - 1, mean.shape[1]
    m, q = np.empty((n, labels), np.float32), np.empty((n, labels), np.float32)
    mt, qt = np.empty(columns, np.float32), np.empty(columns, np.float32)
    shared = bias.shape[1] == 1
    for t in range(n):
        fields_of(indptr[t], indptr[t + 1], indices, data, mean, variance, 0, mt, qt)
        if dense.shape[1]:
            for c in range(0, columns, BLOCK):
                add_dense(dense_mean, dense_variance, c, c, dense[t], mt, qt, c)
        drifted = 0.0
        if tau2 > 0.0:
            for i in range(indptr[t], indptr[t + 1]):
                drifted += data[i] * data[i] * tau2 * (seen - touched[indices[i]])
        for c in range(labels):
            b = 0 if shared else c
            m[t, c] = mt[c] - bias[0, b]
            q[t, c] = qt[c] + bias[1, b] + drifted
    return m, q
