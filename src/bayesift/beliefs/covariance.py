"""A covariance under a long series of symmetric rank-one updates, kept lazily: C = base + sum_q gain_q s_q s_q^T.

An update C += g s s^T at once would read and write the whole matrix for every document. Here the last `BLOCK` updates
wait beside the matrix and are folded in together, which reads and writes it once for all of them, and only its lower
half, since C is symmetric. Results are exact: a product with C takes the waiting updates into account.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
BLOCK = 32  # updates that wait at most; a multiple of 4
TILE = 16  # rows and columns mirrored at a time

CONTRACT = {"contract"}  # a * b + c in one instruction; nothing is reordered


@kernel(fastmath=CONTRACT)
def times(base: Floats, s: Floats, gain: Floats, n: int, index: Any, value: Floats, out: Floats) -> None:
    """Set out = C x for x with x[0] = 1 and x[index] = value; n updates wait in (s, gain). `out` may be s[n]."""
    d = out.size
    row = base[0]
    for j in range(d):
        out[j] = row[j]
    k = 0
    while k + 4 <= index.size:  # four rows at a time: `out` is read and written a quarter as often
        r0, r1, r2, r3 = base[index[k]], base[index[k + 1]], base[index[k + 2]], base[index[k + 3]]
        v0, v1, v2, v3 = value[k], value[k + 1], value[k + 2], value[k + 3]
        for j in range(d):
            out[j] += v0 * r0[j] + v1 * r1[j] + v2 * r2[j] + v3 * r3[j]
        k += 4
    while k < index.size:
        row = base[index[k]]
        for j in range(d):
            out[j] += value[k] * row[j]
        k += 1
    q = 0
    while q + 4 <= n:
        s0, s1, s2, s3 = s[q], s[q + 1], s[q + 2], s[q + 3]
        c0, c1, c2, c3 = s0[0], s1[0], s2[0], s3[0]
        for k in range(index.size):
            i, x = index[k], value[k]
            c0 += x * s0[i]
            c1 += x * s1[i]
            c2 += x * s2[i]
            c3 += x * s3[i]
        c0, c1, c2, c3 = gain[q] * c0, gain[q + 1] * c1, gain[q + 2] * c2, gain[q + 3] * c3
        for j in range(d):
            out[j] += c0 * s0[j] + c1 * s1[j] + c2 * s2[j] + c3 * s3[j]
        q += 4
    while q < n:
        row = s[q]
        c = row[0]
        for k in range(index.size):
            c += value[k] * row[index[k]]
        c *= gain[q]
        for j in range(d):
            out[j] += c * row[j]
        q += 1


@kernel(fastmath=CONTRACT)
def fold(base: Floats, s: Floats, gain: Floats, n: int) -> None:
    """Add sum_q gain_q s_q s_q^T, over the n updates that wait, to base."""
    d = base.shape[0]
    s[n : n + (-n) % 4] = 0.0  # so that four at a time is all there is
    gain[n : n + (-n) % 4] = 0.0
    for q in range(0, n, 4):
        s0, s1, s2, s3 = s[q], s[q + 1], s[q + 2], s[q + 3]
        g0, g1, g2, g3 = gain[q], gain[q + 1], gain[q + 2], gain[q + 3]
        i = 0
        while i + 4 <= d:  # four rows times four updates, lower half
            r0, r1, r2, r3 = base[i], base[i + 1], base[i + 2], base[i + 3]
            a0, a1, a2, a3 = g0 * s0[i], g1 * s1[i], g2 * s2[i], g3 * s3[i]
            b0, b1, b2, b3 = g0 * s0[i + 1], g1 * s1[i + 1], g2 * s2[i + 1], g3 * s3[i + 1]
            c0, c1, c2, c3 = g0 * s0[i + 2], g1 * s1[i + 2], g2 * s2[i + 2], g3 * s3[i + 2]
            e0, e1, e2, e3 = g0 * s0[i + 3], g1 * s1[i + 3], g2 * s2[i + 3], g3 * s3[i + 3]
            for j in range(i + 4):
                x0, x1, x2, x3 = s0[j], s1[j], s2[j], s3[j]
                r0[j] += a0 * x0 + a1 * x1 + a2 * x2 + a3 * x3
                r1[j] += b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3
                r2[j] += c0 * x0 + c1 * x1 + c2 * x2 + c3 * x3
                r3[j] += e0 * x0 + e1 * x1 + e2 * x2 + e3 * x3
            i += 4
        while i < d:
            row = base[i]
            a0, a1, a2, a3 = g0 * s0[i], g1 * s1[i], g2 * s2[i], g3 * s3[i]
            for j in range(i + 1):
                row[j] += a0 * s0[j] + a1 * s1[j] + a2 * s2[j] + a3 * s3[j]
            i += 1
    for i0 in range(0, d, TILE):  # the upper half is the mirror of the lower
        for j0 in range(0, i0 + 1, TILE):
            for i in range(i0, min(i0 + TILE, d)):
                for j in range(j0, min(j0 + TILE, i)):
                    base[j, i] = base[i, j]
