"""The inverse Q = K^-1 of a matrix to which rows and columns come and go, in arrays with room to spare.

    a row and column (k, k*) come:  e = Q k, gamma = k* - k.e,  Q += (e, -1)(e, -1)^T / gamma
    the last ones go:               Q -= Q* Q*^T / q*

with Q* the last column of Q and q* its last entry. Each costs a rounding error, so after many of them `renew` inverts
K directly. All updates are sums of products a_i a_j, the same for (i, j) and (j, i): Q is symmetric to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.compile import kernel

Floats = NDArray[np.float64]


@kernel(fastmath={"contract"})
def times(matrix: Floats, n: int, k: Floats, out: Floats) -> None:
    """out = the leading n rows and columns of a symmetric matrix, times k."""
    out[:n] = 0.0
    i = 0
    while i + 4 <= n:  # four rows at a time: `out` is read and written a quarter as often
        r0, r1, r2, r3 = matrix[i], matrix[i + 1], matrix[i + 2], matrix[i + 3]
        k0, k1, k2, k3 = k[i], k[i + 1], k[i + 2], k[i + 3]
        for j in range(n):
            out[j] += k0 * r0[j] + k1 * r1[j] + k2 * r2[j] + k3 * r3[j]
        i += 4
    while i < n:
        row, k0 = matrix[i], k[i]
        for j in range(n):
            out[j] += k0 * row[j]
        i += 1


@kernel(fastmath={"contract"})
def add_square(matrix: Floats, n: int, sign: float, a: Floats) -> None:
    """The leading part of the matrix += sign a a^T, for sign +1 or -1."""
    for i in range(n):
        row, x = matrix[i], sign * a[i]
        for j in range(n):
            row[j] += x * a[j]


@kernel
def swap(matrix: Floats, n: int, i: int, j: int) -> None:
    """Exchange rows and columns i and j."""
    if i != j:
        for r in range(n):
            matrix[i, r], matrix[j, r] = matrix[j, r], matrix[i, r]
        for r in range(n):
            matrix[r, i], matrix[r, j] = matrix[r, j], matrix[r, i]


@kernel
def enlarge(q: Floats, n: int, e: Floats, gamma: float) -> None:
    """Q of n rows after one more came; e is overwritten and has room for one more."""
    e[n] = -1.0
    for i in range(n + 1):
        e[i] /= np.sqrt(gamma)
    add_square(q, n + 1, 1.0, e)


@kernel
def shrink(q: Floats, n: int, work: Floats) -> None:
    """Q of n rows after the last of them went."""
    root = np.sqrt(q[n - 1, n - 1])
    for i in range(n):
        work[i] = q[i, n - 1] / root
    add_square(q, n - 1, -1.0, work)
    q[n - 1, :n] = 0.0
    q[:n, n - 1] = 0.0


@kernel(fastmath={"contract", "reassoc"})
def renew(gram: Floats, n: int, q: Floats) -> bool:
    """Q = K^-1 by Cholesky, K in `gram` (overwritten by its factor); Q stays as it is where K is singular."""
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
