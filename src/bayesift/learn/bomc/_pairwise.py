"""Kernel of BOMC's pairwise and multi-class variants (zhang2010 figures 1 and 2).

    f_i - f_j > eps for every relevant label i and irrelevant label j,   f_c ~ N(m_c, q_c + beta^2)

Expectation propagation over the pairs: each site sends a message to both of its fields. With `virtual` the shared bias
is one more label, below the relevant and above the irrelevant ones, so that fields can be compared with it; without it
(multi-class: one relevant label) only fields are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from bayesift.learn.bomc._updates import MOVED, SWEEPS, Code, fields_of, margin_of, site, update, widen
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
NODES, NODE_WEIGHTS = np.polynomial.hermite_e.hermegauss(24)


@kernel
def propagate(precision: Floats, shift: Floats, up: Longs, down: Longs, eps: Floats, rho: float) -> None:
    """Bring natural parameters of the fields to what all comparisons of `up` over `down` say."""
    sent = np.zeros((up.size, down.size, 4))  # precision and shift to the upper, to the lower field
    for _ in range(SWEEPS):
        moved = 0.0
        for a in range(up.size):
            for b in range(down.size):
                i, j, s = up[a], down[b], sent[a, b]
                if i == j:
                    continue
                pi, pj = precision[i] - s[0], precision[j] - s[2]
                if pi <= 0.0 or pj <= 0.0:
                    continue
                mi, mj = (shift[i] - s[1]) / pi, (shift[j] - s[3]) / pj
                g, w = site(1.0, mi - mj, 1.0 / pi + 1.0 / pj, eps[i], rho)
                new_i, new_j = pi / (1.0 - w / pi), pj / (1.0 - w / pj)
                shift_i, shift_j = (mi + g / pi) * new_i, (mj - g / pj) * new_j
                moved = max(moved, abs(new_i - precision[i]) / new_i, abs(new_j - precision[j]) / new_j)
                s[0], s[1], s[2], s[3] = new_i - pi, shift_i - pi * mi, new_j - pj, shift_j - pj * mj
                precision[i], shift[i], precision[j], shift[j] = new_i, shift_i, new_j, shift_j
        if moved < MOVED:
            break


@kernel(fastmath={"contract"})
def pairwise(
    indptr: Any, indices: Any, data: Any, label_ptr: Any, label_index: Any, order: Longs, code: Code, given: Floats,
    mean: Singles, variance: Singles, touched: Longs, bias: Floats, positives: Longs, seen: int, labels: int,
    virtual: bool,
) -> None:  # fmt: skip
    """Learn documents in this order; the unseen label is the one after the last."""
    columns = mean.shape[1]
    m, q = np.empty(columns, np.float32), np.empty(columns, np.float32)
    g, w = np.zeros(columns, np.float32), np.zeros(columns, np.float32)
    precision, shift, eps = np.empty(labels + 1), np.empty(labels + 1), np.empty(labels + 1)
    relevant = np.zeros(labels, np.bool_)
    noise, rho, tau2 = code[0], code[3], code[4]
    for step in range(order.size):
        t = order[step]
        begin, end = indptr[t], indptr[t + 1]
        if tau2 > 0.0:
            widen(begin, end, indices, variance, 0, touched, seen + step, tau2)
        fields_of(begin, end, indices, data, mean, variance, 0, m, q)
        relevant[:], eps[:] = False, code[1]
        for k in range(label_ptr[t], label_ptr[t + 1]):
            c = label_index[k]
            positives[c] += 1
            relevant[c], eps[c] = True, margin_of(code, given, c, positives[c], seen + step + 1)
        for c in range(labels):
            precision[c] = 1.0 / (q[c] + noise)
            shift[c] = m[c] * precision[c]
        precision[labels], shift[labels] = 1.0 / bias[1, 0], bias[0, 0] / bias[1, 0]
        up, down = np.flatnonzero(relevant), np.flatnonzero(~relevant)
        if virtual:
            up, down = np.append(up, labels), np.append(down, labels)
        propagate(precision, shift, up, down, eps, rho)
        for c in range(labels):
            before = q[c] + noise
            g[c] = (shift[c] / precision[c] - m[c]) / before
            w[c] = (before - 1.0 / precision[c]) / (before * before)
        if virtual:
            bias[0, 0], bias[1, 0] = shift[labels] / precision[labels], 1.0 / precision[labels]
        mean_u, variance_u = m[labels], q[labels] + noise  # the unseen label is below all of `up`; they ignore it
        for i in up:
            gu, wu = site(1.0, shift[i] / precision[i] - mean_u, 1.0 / precision[i] + variance_u, eps[i], rho)
            mean_u -= variance_u * gu
            variance_u *= 1.0 - variance_u * wu
        before = q[labels] + noise
        g[labels], w[labels] = (mean_u - m[labels]) / before, (before - variance_u) / (before * before)
        update(begin, end, indices, data, mean, variance, 0, g, w)


def largest(m: Floats, v: Floats) -> Floats:
    """Return P(f_c > all other f) for independent f ~ N(m, v), by quadrature over f_c."""
    sd = np.sqrt(v)
    p = np.empty(m.shape)
    for c in range(m.shape[1]):
        f = m[:, [c]] + sd[:, [c]] * NODES  # (documents, nodes)
        below = ndtr((f[:, :, None] - m[:, None, :]) / sd[:, None, :])
        below[:, :, c] = 1.0
        p[:, c] = below.prod(axis=2) @ NODE_WEIGHTS
    return np.asarray(p / p.sum(axis=1, keepdims=True))
