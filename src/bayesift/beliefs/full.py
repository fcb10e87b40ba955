"""A Gaussian belief over the weights of a linear classifier, with their full covariance (chai2002 3.1).

    belief N(a, C), prior N(0, I); x has one constant feature, the bias
    m = a.x,  s = C x,  v = x.s;   g1, g2 from the likelihood;   a += g1 s,   C += g2 s s^T

A feature that appears later has its prior, usually mean 0 and variance 1, and no covariance with the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from bayesift.beliefs.covariance import BLOCK, fold, times
from bayesift.beliefs.likelihoods import Code, moments
from bayesift.beliefs.protocol import State, fields_without, set_fields
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
EXHAUSTED = 1e-13  # v below this share of what it is made of is rounding error: x can teach nothing more


@dataclass
class FullBelief:
    """N(mean, C) over the bias (entry 0) and the weights; C is kept lazily, see `covariance`."""

    code: Code
    mean: Floats
    base: Floats
    waiting: Floats
    gain: Floats
    n_waiting: int = 0

    @classmethod
    def prior(cls, code: Code) -> Self:
        """Return N(0, 1) for the bias, with no features yet."""
        return cls(code, np.zeros(1), np.eye(1), np.zeros((BLOCK, 1)), np.zeros(BLOCK))

    @property
    def n_features(self) -> int:
        """The number of features, without the bias."""
        return self.mean.size - 1

    def grow(self, size: int, mean: ArrayLike = 0.0, sd: ArrayLike = 1.0) -> None:
        """Know `size` features; those that are new have the prior N(mean, sd^2), uncorrelated with the others."""
        d, new = self.mean.size, size - self.n_features
        if new > 0:
            self.mean = np.append(self.mean, np.broadcast_to(np.asarray(mean, np.float64), new))
            self.base = np.pad(self.base, (0, new))
            self.base[range(d, d + new), range(d, d + new)] = np.asarray(sd, np.float64) ** 2
            self.waiting = np.pad(self.waiting, ((0, 0), (0, new)))

    def covariance(self) -> Floats:
        """Return C as a new matrix."""
        matrix = self.base.copy()
        fold(matrix, self.waiting.copy(), self.gain.copy(), self.n_waiting)
        return matrix

    def learn(self, inputs: sparse.csr_matrix, y: Floats, passes: int = 1, negligible: float = 0.0) -> None:
        """Learn the rows in their order, `passes` times; leave out those that lower v by a share below `negligible`."""
        self.n_waiting = _learn(
            inputs.indptr, inputs.indices, inputs.data, y, self.code, passes,
            self.mean, self.base, self.waiting, self.gain, self.n_waiting, negligible,
        )  # fmt: skip

    def field(self, inputs: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return mean and variance of h = w.x for each row."""
        return _field(
            inputs.indptr, inputs.indices, inputs.data, self.mean, self.base, self.waiting, self.gain, self.n_waiting
        )

    def fold(self) -> None:
        """Put the updates that wait into `base`, which is C until the next document is learned."""
        fold(self.base, self.waiting, self.gain, self.n_waiting)
        self.n_waiting = 0

    def state(self) -> State:
        """Return the mean, and C with the updates that wait."""
        return fields_without(self, ("code",))

    def restore(self, state: State) -> Self:
        """Replace mean and C by those of a state."""
        set_fields(self, state)
        return self


@kernel(fastmath={"contract"})
def _learn(
    indptr: Any, indices: Any, data: Floats, y: Floats, code: Code, passes: int,
    mean: Floats, base: Floats, waiting: Floats, gain: Floats, n: int, negligible: float,
) -> int:  # fmt: skip
    longest = 0
    for t in range(y.size):
        longest = max(longest, indptr[t + 1] - indptr[t])
    index = np.empty(longest, np.int64)
    for _ in range(passes):
        for t in range(y.size):
            if negligible > 0.0:  # m and v alone take far less time than s
                m, v = _field_of(indices, data, indptr[t], indptr[t + 1], mean, base, waiting, gain, n)
                if -moments(code, y[t], m, v)[2] * v < negligible:
                    continue
            k = indptr[t + 1] - indptr[t]
            feature, value = index[:k], data[indptr[t] : indptr[t + 1]]
            for i in range(k):
                feature[i] = indices[indptr[t] + i] + 1  # 0 is the bias
            s = waiting[n]
            times(base, waiting, gain, n, feature, value, s)  # s = C x
            m, v, scale = mean[0], s[0], base[0, 0]
            for i in range(k):
                f, x = feature[i], value[i]
                m += x * mean[f]
                v += x * s[f]
                scale += x * x * base[f, f]
            if not v > EXHAUSTED * scale:
                continue
            _, g1, g2 = moments(code, y[t], m, v)  # chai2002 3.1.1, steps 5 to 7
            for j in range(mean.size):  # step 8
                mean[j] += g1 * s[j]
            gain[n] = g2
            n += 1
            if n == BLOCK:
                fold(base, waiting, gain, n)
                n = 0
    return n


@kernel
def _field(
    indptr: Any, indices: Any, data: Floats, mean: Floats, base: Floats, waiting: Floats, gain: Floats, n_waiting: int
) -> tuple[Floats, Floats]:
    """Return m = a.x and v = x.C x, with the updates that wait: x.base x + sum_q gain_q (s_q.x)^2."""
    n = indptr.size - 1
    m, v = np.empty(n), np.empty(n)
    for t in range(n):
        m[t], v[t] = _field_of(indices, data, indptr[t], indptr[t + 1], mean, base, waiting, gain, n_waiting)
    return m, v


@kernel
def _field_of(
    indices: Any, data: Floats, begin: int, end: int, mean: Floats, base: Floats, waiting: Floats, gain: Floats,
    n_waiting: int,
) -> tuple[float, float]:  # fmt: skip
    m, v = mean[0], base[0, 0]
    for i in range(begin, end):
        f, x = indices[i] + 1, data[i]
        m += x * mean[f]
        v += 2.0 * x * base[f, 0] + x * x * base[f, f]
        for j in range(begin, i):
            v += 2.0 * x * data[j] * base[f, indices[j] + 1]
    for q in range(n_waiting):
        c = waiting[q, 0]
        for i in range(begin, end):
            c += data[i] * waiting[q, indices[i] + 1]
        v += gain[q] * c * c
    return m, max(v, 0.0)
