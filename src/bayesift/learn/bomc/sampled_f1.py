"""Sampled expected F1 in one pass over a stream of documents (zhang2010 4.1, 4.3).

    alpha[c,s,g] = number of documents that sample s of the weights gives label c and whose p_c is above theta_g
    beta[c,s]    = number that sample s gives label c;   gamma[c,g] = number whose p_c is above theta_g
    E[F1 at theta_g] = mean over s of 2 alpha / (beta + gamma)     (eq. 7; 1 where beta + gamma = 0)

Every sample of the weights is applied to every document, so that labels of different documents are correlated as the
posterior says, but no sample is ever stored: the normal deviate of weight (s, feature, label) is a function of these
three numbers and the seed (a counter-based generator), made again for each document. Memory is that of the statistics.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtr, ndtri

from bayesift.arrays import FloatArray
from bayesift.errors import BadInput
from bayesift.learn.bomc.bomc import BOMC
from bayesift.numba_kernel import kernel

STEPS = 64  # thresholds theta
DEVIATES = 4096  # equally probable normal deviates, one of which is drawn by 12 bits of a hash
_NORMAL = ndtri((np.arange(DEVIATES) + 0.5) / DEVIATES).astype(np.float32)
_NORMAL /= _NORMAL.std()


@dataclass
class SampledF1:
    """The statistics of a stream, for one model.

    >>> X, Y = [[1, 0], [0, 1]] * 20, [[1, 0], [0, 1]] * 20
    >>> stream = SampledF1.of(BOMC().fit(X, Y), samples=5).add(X)
    >>> stream.documents, stream.alpha.shape
    (40, (2, 5, 64))
    """

    model: BOMC
    seed: int
    theta: FloatArray
    alpha: NDArray[np.int64]
    beta: NDArray[np.int64]
    gamma: NDArray[np.int64]
    documents: int = 0

    @classmethod
    def of(cls, model: BOMC, samples: int = 5, seed: int = 0) -> SampledF1:
        """Return empty statistics for a fitted independent or coupled model."""
        if model.variant not in ("independent", "coupled"):
            raise BadInput(f"samples of variant {model.variant!r}", remedy="use independent or coupled")
        if samples < 1:
            raise BadInput(f"samples is {samples}", remedy="give a number from 1 on")
        c = model.belief_.n_labels
        theta = np.asarray(ndtr(np.linspace(-4.0, 4.0, STEPS)))
        alpha, beta = np.zeros((c, samples, STEPS), np.int64), np.zeros((c, samples), np.int64)
        return cls(model, seed, theta, alpha, beta, np.zeros((c, STEPS), np.int64))

    def add(self, X: Any) -> Self:
        """Take in more documents of the stream."""
        b = self.model.belief_
        given: Any = X if sparse.issparse(X) else np.atleast_2d(X)
        rows = sparse.csr_matrix(given)
        p = self.model.predict_proba(rows)
        _tally(
            rows.indptr, rows.indices, rows.data, b.mean, b.variance, b.bias, p, self.theta,
            np.uint64(self.seed), _NORMAL, self.alpha, self.beta, self.gamma,
        )  # fmt: skip
        self.documents += rows.shape[0]
        return self

    def expected(self) -> FloatArray:
        """Return E[F1] of each label at each threshold: (labels, thresholds)."""
        size = self.beta[:, :, None] + self.gamma[:, None, :]
        f = np.divide(2.0 * self.alpha, size, out=np.ones(self.alpha.shape), where=size > 0)
        return np.asarray(f.mean(axis=1))

    def thresholds(self) -> FloatArray:
        """Return the threshold of each label with the highest expected F1 (eq. 6); the highest one among equals."""
        expected = self.expected()
        last = expected.shape[1] - 1 - expected[:, ::-1].argmax(axis=1)
        return np.asarray(self.theta[last])


@kernel(inline="always")
def _hash(x: np.uint64) -> np.uint64:
    """Return splitmix64's finaliser of a number: a bijection; successive numbers give values that look independent."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def _tally(
    indptr: Any, indices: Any, data: Any, mean: Any, variance: Any, bias: Any, p: Any, theta: Any, seed: np.uint64,
    normal: Any, alpha: Any, beta: Any, gamma: Any,
) -> None:  # fmt: skip
    labels, samples, _ = alpha.shape
    field = np.empty((samples, labels))
    shared = bias.shape[1] == 1
    golden = np.uint64(0x9E3779B97F4A7C15)
    mask, bits = np.uint64(DEVIATES - 1), np.uint64(12)
    for t in range(indptr.size - 1):
        for s in range(samples):
            for c in range(labels):
                b = 0 if shared else c
                key = _hash(seed + golden * np.uint64((s + 1) * 1000003 + (0 if shared else c + 1)))
                field[s, c] = -bias[0, b] - math.sqrt(bias[1, b]) * normal[key & mask]
        for i in range(indptr[t], indptr[t + 1]):
            j, x = indices[i], data[i]
            for s in range(samples):
                row = _hash(seed ^ (golden * np.uint64(j + 1)) ^ (np.uint64(s + 1) << np.uint64(40)))
                for c in range(0, labels, 5):  # five deviates from one hash
                    key = _hash(row + golden * np.uint64(c))
                    for k in range(c, min(c + 5, labels)):
                        field[s, k] += x * (mean[j, k] + math.sqrt(variance[j, k]) * normal[key & mask])
                        key >>= bits
        for c in range(labels):
            above = np.searchsorted(theta, p[t, c])  # p is above theta[:above]
            for g in range(above):
                gamma[c, g] += 1
            for s in range(samples):
                if field[s, c] > 0.0:
                    beta[c, s] += 1
                    for g in range(above):
                        alpha[c, s, g] += 1
