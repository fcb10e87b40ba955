"""A Gaussian process as a belief about the field h(x), held by few basis vectors (chai2002 3.2; Csato & Opper 2001).

    mean of h(x) = alpha.k,   variance = k* + k^T C k,   k = K(B, x), k* = K(x, x), B the basis vectors, Q = K(B, B)^-1

A document with derivatives g1, g2 of its likelihood moves alpha by g1 s and C by g2 s s^T:

    e = Q k, gamma = k* - k.e      what B can tell of x, and what it cannot
    |g1| gamma <= tolerance        s = C k + e: x is replaced by its projection on B
    else                           s = (C k, 1): x becomes a basis vector
    too many                       the vector of least |alpha_i| / Q_ii is projected on the others

The score of a vector that has just come is |g1| gamma, so at the cap one comparison tells whether it would be the one
to go, and then it is projected at once. C is kept lazily, see `covariance`; a waiting s has zeros for later vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.basis import KernelCode, against, append
from bayesift.beliefs.covariance import BLOCK, fold
from bayesift.beliefs.inverse import FAST, add_square, column, dot, enlarge, last_into, renew, shrink, times
from bayesift.beliefs.likelihoods import Code, moments
from bayesift.beliefs.protocol import State, fields_without, set_fields
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EXHAUSTED = 1e-13  # v below this share of k* is rounding error: x can teach nothing more
FLOOR = 1e-10  # gamma below this share of k* is no direction of its own
RENEW = 4  # changes of the basis, a vector, before Q is computed anew; it then costs less than the changes did


@dataclass
class ProcessBelief:
    """The belief over `n_basis` vectors; arrays have room for more, and are zero there."""

    code: Code
    shape: KernelCode
    tolerance: float  # a document whose effect the basis misses by no more is projected
    cap: int | None  # basis vectors at most; None: as many as features
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
        """C, as a matrix of its own."""
        matrix = self.base.copy()
        fold(matrix, self.waiting.copy(), self.gain.copy(), self.n_waiting)
        return np.ascontiguousarray(matrix[: self.n_basis, : self.n_basis])

    def gram_inverse(self) -> Floats:
        """Q, both halves."""
        lower = np.tril(self.inverse[: self.n_basis, : self.n_basis])
        return np.asarray(lower + np.tril(lower, -1).T)

    def basis(self) -> sparse.csr_matrix:
        """The basis vectors, one a row."""
        n = self.n_basis
        ends = self.starts[:n] + self.lengths[:n]
        entries = [np.arange(a, b) for a, b in zip(self.starts[:n], ends)]
        order = np.concatenate([np.zeros(0, np.int64), *entries])
        indptr = np.concatenate([[0], np.cumsum(self.lengths[:n])])
        return sparse.csr_matrix((self.what[order], self.where[order], indptr), shape=(n, self.n_features))

    def learn(self, inputs: sparse.csr_matrix, y: Floats, passes: int = 1) -> None:
        """Learn the rows in their order, `passes` times."""
        self.grow(inputs.shape[1])
        cap = max(self.n_features, 1) if self.cap is None else self.cap  # without any feature there is still the bias
        dense = np.zeros(self.n_features)
        for _ in range(passes):
            done = 0
            while done < y.size:
                done, self.n_basis, self.n_waiting, self.n_used, self.n_changed = _learn(
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
        return _field(
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

    def _make_room(self, length: int, cap: int) -> None:
        """For a basis vector more, of this length; a quarter more than needed, so that this is rare."""
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


@kernel(fastmath=FAST)
def _learn(
    indptr: Any, indices: Any, data: Floats, y: Floats, done: int, seen: int,
    code: Code, shape: KernelCode, tolerance: float, cap: int, dense: Floats,
    alpha: Floats, base: Floats, waiting: Floats, gain: Floats, q: Floats,
    starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
    n: int, w: int, used: int, changed: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Documents from `done` on; stops before one that needs more room. n vectors, w waiting updates."""
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
    """out += what the waiting updates of C make of k."""
    for u in range(w):
        row = waiting[u]
        c = gain[u] * dot(row, k, n)
        for i in range(n):
            out[i] += c * row[i]


@kernel
def _least_score(alpha: Floats, q: Floats, n: int, s: Floats, e: Floats, g1: float, gamma: float) -> float:
    """The least |alpha_i| / Q_ii of the vectors there are, if one more came."""
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
def _field(
    indptr: Any, indices: Any, data: Floats, shape: KernelCode, dense: Floats, alpha: Floats, c: Floats,
    starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
) -> tuple[Floats, Floats]:  # fmt: skip
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
