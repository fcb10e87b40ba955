"""The kernels of the sparse belief beside BOMC's own: the background, and the fields of some labels.

    m_c = sum_j x_j mu_cj,   q_c = sum_j x_j^2 var_cj,   j of the label's own terms, else mu_uj, var_uj

u is the unseen label, the background: every document is a negative of it. Until its first positive a label is the
background; from then on terms become its own with each positive, starting from the background's weights at that moment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.learn.bomc._updates import Code, site
from bayesift.learn.wide._fused import fused
from bayesift.numba_kernel import kernel

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
ONE = np.float32(1.0)


@kernel(fastmath={"contract"})
def learn_background(
    indptr: Any, indices: Any, data: Singles, order: Longs, code: Code, mean: Singles, variance: Singles, bias: Floats,
    after: Singles,
) -> None:  # fmt: skip
    """Learn all documents in this order as negatives, and note the weights (2, terms of all documents) after each."""
    noise, rho = code[0], code[3]
    for t in order:
        m, q = np.float32(0.0), np.float32(0.0)
        for i in range(indptr[t], indptr[t + 1]):
            j, x = indices[i], data[i]
            m, q = fused(x, mean[j], m), fused(x * x, variance[j], q)
        gc, wc = site(-1.0, m - bias[0], q + noise + bias[1], code[1], rho)
        g, w = np.float32(gc), np.float32(wc)
        bias[0] -= bias[1] * gc
        bias[1] *= 1.0 - bias[1] * wc
        for i in range(indptr[t], indptr[t + 1]):
            j, x = indices[i], data[i]
            v = variance[j]
            mean[j] = fused(v * x, g, mean[j])
            variance[j] = v * fused(-(v * (x * x)), w, ONE)
            after[0, i], after[1, i] = mean[j], variance[j]


@kernel(fastmath={"contract"})
def score(
    indptr: Any, indices: Any, data: Singles, pairs_ptr: Longs, labels: Any, own_ptr: Longs, own: Any, mean: Singles,
    variance: Singles, bias: Floats, unseen_mean: Singles, unseen_variance: Singles, m: Singles, q: Singles,
) -> None:  # fmt: skip
    """Set m and q to mean and variance of w_c.x - b of each document's labels; a document's terms rise."""
    for t in range(indptr.size - 1):
        for p in range(pairs_ptr[t], pairs_ptr[t + 1]):
            c = labels[p]
            low, end = own_ptr[c], own_ptr[c + 1]
            field, spread = np.float32(0.0), np.float32(0.0)
            for i in range(indptr[t], indptr[t + 1]):
                j, x = indices[i], data[i]
                high = end
                while low < high:  # the first of the label's own terms that is not below j
                    middle = (low + high) // 2
                    if own[middle] < j:
                        low = middle + 1
                    else:
                        high = middle
                a, v = unseen_mean[j], unseen_variance[j]
                if low < end and own[low] == j:
                    a, v = mean[low], variance[low]
                field, spread = fused(x, a, field), fused(x * x, v, spread)
            m[p], q[p] = field - bias[0, c], spread + bias[1, c]


