"""Gaussian-process regression on the judged rows of a pool, by conjugate gradients.

`learn.gp_regression`, which the filter's topics use, keeps the inverse of a factor of A = k + diag(d): that takes the
square of the number of judged rows, 2 GB for 16,000, and depends in its last digits on their order. Here A is never
formed. A product with A is a pass over the judged rows' terms, and A alpha = t is solved by conjugate gradients. The
preconditioner M is A where it matters: all of the pool's leading directions F, the relevant rows with each other, and
the diagonal,

    M = F F^T + B,   B = block of the relevant rows, diagonal of the others
    M^-1 = B^-1 - B^-1 F (I + F^T B^-1 F)^-1 F^T B^-1

so a few steps give alpha to eight digits, from zero each time: it is a function of the rows and the targets alone. The
mean of row i without it is t_i - alpha_i / (A^-1)_ii (Rasmussen & Williams 2006, 5.4.2), with M^-1 for A^-1.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from bayesift.filtering.screening.directions import Floats, Ints, Singles
from bayesift.filtering.screening.judged_terms import Numbers, shared_columns
from bayesift.filtering.screening.pool_kernel import SMOOTHING, PoolKernel
from bayesift.numba_kernel import kernel

BLOCK = 300  # most relevant rows in the block of B
TOLERANCE = 1e-8
STEPS = 200


class JudgedRows:
    """The system A of some rows of a pool."""

    def __init__(self, pool: PoolKernel, rows: Numbers, noise: Floats, block: Numbers) -> None:
        self.n, self._noise = rows.size, noise
        self._length = pool.length[rows]
        self._shared, own = shared_columns(pool.terms_of(rows), pool.own.size)
        self._own = pool.own[rows] + own
        self._Z = pool.Z[rows] / self._length[:, None]
        ratio = np.sqrt(1.0 + pool.second / (SMOOTHING * pool.values))  # K has a part in the directions, too
        self._F = np.column_stack([self._Z * ratio, np.ones(self.n)])
        self._precondition(block[:BLOCK], pool, rows)

    def __call__(self, a: Floats) -> Floats:
        """Return A a."""
        scaled = a / self._length
        out = self._own * scaled
        _multiply(*self._shared, scaled, out)
        return np.asarray(out / self._length + self._Z @ (a @ self._Z) + a.sum() + self._noise * a)

    def solve(self, t: Floats) -> Floats:
        """Return A^-1 t."""
        x, r = np.zeros(self.n), t.copy()
        z = self._solve_near(r)
        p, old, least = z, float(r @ z), TOLERANCE * float(np.linalg.norm(t))
        for _ in range(STEPS):
            if float(np.linalg.norm(r)) <= least:
                break
            q = self(p)
            step = old / float(p @ q)
            x, r = x + step * p, r - step * q
            z = self._solve_near(r)
            new = float(r @ z)
            p, old = z + (new / old) * p, new
        return x

    def inverse_diagonal(self) -> Floats:
        """Return the diagonal of M^-1."""
        half = solve_triangular(self._small[0], self._BF.T, lower=True, check_finite=False)
        own = 1.0 / self._diagonal
        if self._block.size:
            own[self._block] = np.diag(cho_solve(self._factor, np.eye(self._block.size), check_finite=False))
        return np.asarray(own - np.einsum("ij,ij->j", half, half))

    def _precondition(self, block: Numbers, pool: PoolKernel, rows: Numbers) -> None:
        """Factor M."""
        F, self._block = self._F, block
        square = np.bincount(self._shared.places, self._shared.values.astype(np.float64) ** 2, minlength=self.n)
        own = (square + self._own) / self._length**2 + np.einsum("ij,ij->i", self._Z, self._Z) + 1.0 + self._noise
        self._diagonal = own - np.einsum("ij,ij->i", F, F)
        if block.size:
            near = pool.products(rows[block]) / np.outer(self._length[block], self._length[block])
            near += self._Z[block] @ self._Z[block].T + 1.0 - F[block] @ F[block].T
            near[np.diag_indices(block.size)] = self._diagonal[block]
            self._factor = cho_factor(near, lower=True, check_finite=False)
        self._BF = self._solve_block(F)
        self._small = cho_factor(F.T @ self._BF + np.eye(F.shape[1]), lower=True, check_finite=False)

    def _solve_block(self, r: Floats) -> Floats:
        """Return B^-1 r."""
        out: Floats = (r.T / self._diagonal).T
        if self._block.size:
            out[self._block] = cho_solve(self._factor, r[self._block], check_finite=False)
        return out

    def _solve_near(self, r: Floats) -> Floats:
        """Return M^-1 r."""
        part = cho_solve(self._small, r @ self._BF, check_finite=False)
        return np.asarray(self._solve_block(r) - self._BF @ part)


@kernel
def _multiply(ends: Ints, rows: Ints, values: Singles, vector: Floats, out: Floats) -> None:
    """Add Y (Y^T vector) to `out`, Y given by columns; numbers without a sign save a test for a negative index."""
    begin = np.uint32(0)
    for t in range(ends.size - 1):
        end, total = np.uint32(ends[t + 1]), 0.0
        for e in range(begin, end):
            total += values[e] * vector[np.uint32(rows[e])]
        for e in range(begin, end):
            out[np.uint32(rows[e])] += values[e] * total
        begin = end
