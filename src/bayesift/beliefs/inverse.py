"""The inverse Q = K^-1 of a matrix to which rows and columns come and go, in arrays with room to spare.

    a row and column (k, k*) come:  e = Q k, gamma = k* - k.e,  Q += (e, -1)(e, -1)^T / gamma
    row and column i go:            Q -= Q* Q*^T / q*

with Q* that column of Q and q* its entry on the diagonal. Each costs a rounding error, so after many of them `renew`
inverts K directly. Of a symmetric matrix only the lower half is kept and read here, which halves the work.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
FAST = {"contract", "reassoc"}  # sums in vectors; the order depends on lengths alone, so results repeat to the bit


@kernel(fastmath=FAST)
def times(matrix: Floats, n: int, k: Floats, out: Floats) -> None:
    """Set out to the leading n rows and columns times k."""
    out[:n] = 0.0
    i = 0
    while i + 4 <= n:  # four rows at a time; each entry is read once and used for both halves
        r0, r1, r2, r3 = matrix[i], matrix[i + 1], matrix[i + 2], matrix[i + 3]
        k0, k1, k2, k3 = k[i], k[i + 1], k[i + 2], k[i + 3]
        d0 = d1 = d2 = d3 = 0.0
        for j in range(i):
            x = k[j]
            out[j] += k0 * r0[j] + k1 * r1[j] + k2 * r2[j] + k3 * r3[j]
            d0 += r0[j] * x
            d1 += r1[j] * x
            d2 += r2[j] * x
            d3 += r3[j] * x
        out[i] += d0 + r0[i] * k0 + r1[i] * k1 + r2[i] * k2 + r3[i] * k3
        out[i + 1] += d1 + r1[i] * k0 + r1[i + 1] * k1 + r2[i + 1] * k2 + r3[i + 1] * k3
        out[i + 2] += d2 + r2[i] * k0 + r2[i + 1] * k1 + r2[i + 2] * k2 + r3[i + 2] * k3
        out[i + 3] += d3 + r3[i] * k0 + r3[i + 1] * k1 + r3[i + 2] * k2 + r3[i + 3] * k3
        i += 4
    while i < n:
        row, k0, d0 = matrix[i], k[i], 0.0
        for j in range(i):
            out[j] += k0 * row[j]
            d0 += row[j] * k[j]
        out[i] += d0 + row[i] * k0
        i += 1


@kernel(fastmath=FAST)
def dot(a: Floats, b: Floats, n: int) -> float:
    """Return a.b over the first n entries."""
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@kernel(fastmath=FAST)
def add_square(matrix: Floats, n: int, sign: float, a: Floats) -> None:
    """Add sign a a^T to the leading part of the matrix."""
    for i in range(n):
        row, x = matrix[i], sign * a[i]
        for j in range(i + 1):
            row[j] += x * a[j]


@kernel
def column(matrix: Floats, n: int, i: int, out: Floats) -> None:
    """Set out to column i of the leading part."""
    for j in range(n):
        out[j] = matrix[max(i, j), min(i, j)]


@kernel
def last_into(matrix: Floats, n: int, i: int) -> None:
    """Put the last row and column of n in the place of row and column i, and zeros in theirs."""
    last = n - 1
    if i < last:
        matrix[i, :i] = matrix[last, :i]
        for j in range(i + 1, last):
            matrix[j, i] = matrix[last, j]
        matrix[i, i] = matrix[last, last]
    matrix[last, :n] = 0.0


@kernel
def enlarge(q: Floats, n: int, e: Floats, gamma: float) -> None:
    """Update Q of n rows for one more row; e is overwritten and has room for one more."""
    e[n] = -1.0
    for i in range(n + 1):
        e[i] /= np.sqrt(gamma)
    add_square(q, n + 1, 1.0, e)


@kernel
def shrink(q: Floats, n: int, i: int, star: Floats) -> None:
    """Update Q of n rows for the removal of row i, whose column was `star`; the last row takes its place."""
    root = np.sqrt(star[i])
    for j in range(n):
        star[j] /= root
    add_square(q, n, -1.0, star)
    last_into(q, n, i)


@kernel(fastmath=FAST)
def renew(gram: Floats, n: int, q: Floats) -> bool:
    """Set Q = K^-1 by Cholesky, K in `gram` (overwritten by its factor); Q stays as it is where K is singular."""
    for i in range(n):
        for j in range(i + 1):
            dot, a, b = gram[i, j], gram[i], gram[j]
            for r in range(j):
                dot -= a[r] * b[r]
            if i > j:
                gram[i, j] = dot / gram[j, j]
            elif dot > 0.0:
                gram[i, i] = np.sqrt(dot)
            else:
                return False
    factor = np.zeros((n, n))  # of Q: the inverse of that of K
    for i in range(n):
        row = factor[i]
        row[i] = 1.0
        for j in range(i):
            x, other = gram[i, j], factor[j]
            for r in range(j + 1):
                row[r] -= x * other[r]
        for r in range(i + 1):
            row[r] /= gram[i, i]
    q[:n, :n] = 0.0
    for i in range(n):
        add_square(q, i + 1, 1.0, factor[i])
    return True
