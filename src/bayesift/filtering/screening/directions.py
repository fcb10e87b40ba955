"""Leading eigenvectors of K = Y Y^T + diag(own), for a sparse Y with a row per record.

Small pools have those of the full matrix. Larger ones have the Nystrom approximation from a subspace (Tropp, Yurtsever,
Udell & Cevher 2017): Q is a random basis after `ROUNDS` products with K,

    K ~ (K Q) (Q^T K Q)^-1 (K Q)^T = U diag(lambda) U^T

which is never larger than K. A product with K takes one pass over the terms, for all vectors of the basis at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import cholesky, solve_triangular

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int32]
RANK, MORE = 64, 16  # directions kept, and those computed beside them
ROUNDS = 3
DENSE = 400  # records of a pool whose eigenvectors are those of the full matrix


def leading_directions(Y: sparse.csc_matrix, own: Floats, n: int, seed: int) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues, descending and positive, and their eigenvectors as columns, of the first n rows.

    >>> Y = sparse.csc_matrix(np.array([[1, 0], [1, 0], [0, 1]], np.float32))
    >>> leading_directions(Y, np.zeros(3), 3, 0)[0].round(6)
    array([2., 1.])
    """
    if n <= DENSE:
        rows = sparse.csr_matrix(Y)[:n]
        values, U = np.linalg.eigh((rows @ rows.T).toarray().astype(np.float64) + np.diag(own[:n]))
    else:
        values, U = _approximate(Y, own, n, seed)
    values, U = values[::-1][:RANK], U[:, ::-1][:, :RANK]
    kept = values > 1e-6
    return (values[kept], U[:, kept]) if kept.any() else (np.ones(1), np.zeros((n, 1)))


def _approximate(Y: sparse.csc_matrix, own: Floats, n: int, seed: int) -> tuple[Floats, Floats]:
    """Return eigenvalues, ascending, and eigenvectors by the Nystrom approximation."""
    single = np.zeros((Y.shape[0], RANK + MORE), np.float32)

    def product(Q: Floats) -> Floats:
        single[:n] = Q
        out = (own[:, None] * single).astype(np.float32)
        _multiply(Y.indptr, Y.indices, Y.data, single, out)
        return out[:n].astype(np.float64)

    Q = np.random.default_rng(seed).standard_normal((n, RANK + MORE))
    for _ in range(ROUNDS):
        Q = np.linalg.qr(product(Q))[0]
    KQ = product(Q)
    C = Q.T @ KQ
    shift = 1e-6 * float(np.trace(C))  # of the order of the rounding
    half = solve_triangular(cholesky((C + C.T) / 2.0 + shift * np.eye(C.shape[0])), KQ.T, trans=1).T
    values, V = np.linalg.eigh(half.T @ half)
    return values, (half @ V) / np.sqrt(np.maximum(values, 1e-300))


@kernel(fastmath=True)
def _multiply(ends: Ints, rows: Ints, values: Singles, Q: Singles, out: Singles) -> None:
    """Add Y (Y^T Q) to `out`, Y given by columns."""
    width = Q.shape[1]
    total = np.empty(width, np.float32)
    for t in range(ends.size - 1):
        total[:] = 0.0
        for e in range(ends[t], ends[t + 1]):
            value, row = values[e], rows[e]
            for c in range(width):
                total[c] += value * Q[row, c]
        for e in range(ends[t], ends[t + 1]):
            value, row = values[e], rows[e]
            for c in range(width):
                out[row, c] += value * total[c]
