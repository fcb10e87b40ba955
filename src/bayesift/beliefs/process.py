"""A Gaussian process as a belief about the field h(x), held by few basis vectors (chai2002 3.2; Csato & Opper 2001).

    mean of h(x) = alpha.k,   variance = k* + k^T C k,   k = K(B, x), k* = K(x, x), B the basis vectors, Q = K(B, B)^-1

A document with derivatives g1, g2 of its likelihood moves alpha by g1 s and C by g2 s s^T:

    e = Q k, gamma = k* - k.e      the part of x that B spans, and the rest
    |g1| gamma <= tolerance        s = C k + e: x is replaced by its projection on B
    else                           s = (C k, 1): x becomes a basis vector
    too many                       the vector of least |alpha_i| / Q_ii is projected on the others

The score of a vector that has just come is |g1| gamma, so at the cap one comparison shows whether it would be the one
to go, and then it is projected at once. C is kept lazily, see `covariance`; a waiting s has zeros for later vectors.
The kernels are in `_process`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs._process import field, learn
from bayesift.beliefs.basis import RBF, KernelCode
from bayesift.beliefs.covariance import BLOCK, fold
from bayesift.beliefs.likelihoods import Code
from bayesift.beliefs.protocol import State, fields_without, set_fields

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass
class ProcessBelief:
    """The belief over `n_basis` vectors; arrays have room for more, and are zero there."""

    code: Code
    shape: KernelCode
    tolerance: float  # a document whose effect the basis misses by no more is projected
    cap: int | None  # basis vectors at most; None: as many as features, the constant of the kernel included
    n_features: int
    alpha: Floats
    base: Floats  # C without what waits; the lower half counts
    waiting: Floats
    gain: Floats
    inverse: Floats  # Q, its lower half
    starts: Integers  # the basis vectors, see `basis`
    lengths: Integers
    where: Integers
    what: Floats
    squares: Floats
    numbers: Integers  # which document each vector was
    n_basis: int = 0
    n_waiting: int = 0
    n_used: int = 0  # of `where` and `what`
    n_changed: int = 0  # changes of the basis since Q was computed
    n_seen: int = 0  # documents, each counted once

    @classmethod
    def prior(cls, code: Code, shape: KernelCode, tolerance: float = 0.0, cap: int | None = None) -> ProcessBelief:
        """Return the belief without basis vectors: mean 0 and variance K(x, x) everywhere."""
        none, nowhere, square = np.zeros(0), np.zeros(0, np.int64), np.zeros((0, 0))
        return cls(
            code, shape, tolerance, cap,
            0, none, square, np.zeros((BLOCK, 0)), np.zeros(BLOCK), square.copy(),
            nowhere, nowhere.copy(), nowhere.copy(), none.copy(), none.copy(), nowhere.copy(),
        )  # fmt: skip

    def grow(self, size: int) -> None:
        """Know `size` features; those that are new are 0 in the basis vectors."""
        self.n_features = max(self.n_features, size)

    def covariance(self) -> Floats:
        """Return C as a new matrix."""
        matrix = self.base.copy()
        fold(matrix, self.waiting.copy(), self.gain.copy(), self.n_waiting)
        return np.ascontiguousarray(matrix[: self.n_basis, : self.n_basis])

    def basis(self) -> sparse.csr_matrix:
        """Return the basis vectors, one per row."""
        n = self.n_basis
        ends = self.starts[:n] + self.lengths[:n]
        entries = [np.arange(a, b) for a, b in zip(self.starts[:n], ends)]
        order = np.concatenate([np.zeros(0, np.int64), *entries])
        indptr = np.concatenate([[0], np.cumsum(self.lengths[:n])])
        return sparse.csr_matrix((self.what[order], self.where[order], indptr), shape=(n, self.n_features))

    def learn(self, inputs: sparse.csr_matrix, y: Floats, passes: int = 1) -> None:
        """Learn the rows in their order, `passes` times."""
        self.grow(inputs.shape[1])
        cap = self._usual_cap if self.cap is None else self.cap
        dense = np.zeros(self.n_features)
        for _ in range(passes):
            done = 0
            while done < y.size:
                done, self.n_basis, self.n_waiting, self.n_used, self.n_changed = learn(
                    inputs.indptr, inputs.indices, inputs.data, y, done, self.n_seen,
                    self.code, self.shape, self.tolerance, cap, dense,
                    self.alpha, self.base, self.waiting, self.gain, self.inverse,
                    self.starts, self.lengths, self.where, self.what, self.squares, self.numbers,
                    self.n_basis, self.n_waiting, self.n_used, self.n_changed,
                )  # fmt: skip
                if done < y.size:
                    self._make_room(int(inputs.indptr[done + 1] - inputs.indptr[done]), cap)
        self.n_seen += y.size

    def field(self, inputs: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return mean and variance of h for each row, taken as a document not seen before."""
        return field(
            inputs.indptr, inputs.indices, inputs.data, self.shape, np.zeros(max(self.n_features, inputs.shape[1])),
            self.alpha, self.covariance(),
            self.starts, self.lengths, self.where, self.what, self.squares, self.numbers,
        )  # fmt: skip

    def state(self) -> State:
        """Return the basis vectors and the belief over them."""
        return fields_without(self, ("code", "shape", "tolerance", "cap"))

    def restore(self, state: State) -> Self:
        """Replace the basis vectors and the belief over them by those of a state."""
        set_fields(self, state)
        return self

    @property
    def _usual_cap(self) -> int:
        """As many as features; the constant of a kernel is one, too, and one feature alone can be 0 or not."""
        return max(self.n_features + (self.shape[0] != RBF), 2)

    def _make_room(self, length: int, cap: int) -> None:
        """Make room for one more basis vector of this length; a quarter more than needed, so that this is rare."""
        size = self.alpha.size
        if self.n_basis + 1 > size:
            new = -(-max(min(size + size // 4 + 16, cap + 1), self.n_basis + 1) // 8) * 8 - size  # whole lines of cache
            self.alpha, self.squares = (np.pad(a, (0, new)) for a in (self.alpha, self.squares))
            self.base, self.inverse = (np.pad(a, (0, new)) for a in (self.base, self.inverse))
            self.waiting = np.pad(self.waiting, ((0, 0), (0, new)))
            self.starts, self.lengths, self.numbers = (
                np.pad(a, (0, new)) for a in (self.starts, self.lengths, self.numbers)
            )
        lack = int(self.lengths[: self.n_basis].sum()) + length - self.what.size
        if lack > 0:
            new = lack + self.what.size // 2
            self.where, self.what = np.pad(self.where, (0, new)), np.pad(self.what, (0, new))
