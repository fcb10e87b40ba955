"""Posterior modes of linear classifiers by cyclic coordinate descent (Zhang & Oles 2001; Genkin, Lewis & Madigan 2007).

    minimise  F(b, beta) = sum_i loss(y_i z_i) + sum_j penalty_j(beta_j),   z = offset + b + X beta

    loss      logistic: ln(1 + exp(-u));  probit: -ln Phi(u);  g and h are its first and second derivatives
    penalty   Gaussian: weight_j beta_j^2 / 2;  Laplace: weight_j |beta_j|;  the intercept b has none

A round takes the quadratic model of the loss at the present point and goes through the coordinates in turn (see
`quadratic`), each within a trust region of its own that doubles after a long step and halves after a short one; then
the step is halved until F itself falls enough. With a Laplace penalty only a working set of coordinates is gone
through: those that are not zero and those that violate the optimality conditions most. The full gradient is looked at
once the working set is solved, and the end is when no coordinate of all violates its condition by more than
`tolerance`, or when rounding lets no step lower F; `violation` says which.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.learn.sparse_linear.losses import LOGISTIC as LOGISTIC
from bayesift.learn.sparse_linear.losses import PROBIT as PROBIT
from bayesift.learn.sparse_linear.losses import derivatives as derivatives
from bayesift.learn.sparse_linear.losses import expand, line_search, penalty_of
from bayesift.learn.sparse_linear.losses import losses as losses
from bayesift.learn.sparse_linear.newton import minimise_many
from bayesift.learn.sparse_linear.quadratic import ABSOLUTE as ABSOLUTE
from bayesift.learn.sparse_linear.quadratic import SQUARE as SQUARE
from bayesift.learn.sparse_linear.quadratic import block_of, descend_columns, descend_matrix
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
SMALLEST = 32  # coordinates in the first working set
CARE = 0.1  # the quadratic model is solved to this share of the worst violation
NARROW = 0.01  # times its reach: the least trust region of a coordinate


class Solution(NamedTuple):
    """Where the descent ended."""

    intercept: float
    beta: Floats
    objective: float
    violation: float  # the largest violation of an optimality condition
    rounds: int


class Columns(NamedTuple):
    """A design matrix by columns, made once for all labels."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: Floats
    shape: tuple[int, int]
    reach: Floats  # of each column: the step that changes no field by more than 1
    by_rows: sparse.csr_matrix  # the same matrix

    @classmethod
    def of(cls, rows: sparse.csr_matrix) -> Columns:
        """Return the columns of a matrix of rows."""
        columns = rows.tocsc()
        columns.sort_indices()
        largest = np.asarray(abs(columns).max(axis=0).todense()).ravel() if columns.nnz else np.zeros(columns.shape[1])
        reach = np.divide(1.0, largest, out=np.ones(largest.size), where=largest > 0.0)
        return cls(columns.indptr, columns.indices, columns.data, columns.shape, reach, rows)

    def matrix(self) -> sparse.csc_matrix:
        """Return a matrix of scipy's."""
        return sparse.csc_matrix((self.data, self.indices, self.indptr), shape=self.shape)

    def matrix_is_cheap(self) -> bool:
        """Return whether X^T diag(h) X is worth making: see `quadratic`."""
        everything = np.arange(self.shape[1])
        return bool(block_of(self.indptr, self.indices, self.data, everything, self.shape[0]).value.size)

    def take(self, which: NDArray[np.int64]) -> Columns:
        """Return some of the columns."""
        part = self.matrix()[:, which]
        return Columns(part.indptr, part.indices, part.data, part.shape, self.reach[which], part.tocsr())

    def times(self, beta: Floats) -> Floats:
        """Return X beta, for a beta that is mostly zero."""
        some = np.flatnonzero(beta)
        return np.asarray(self.take(some).matrix() @ beta[some]) if some.size else np.zeros(self.shape[0])


def minimise(
    columns: Columns, signs: Floats, link: int, penalty: int, weight: Floats, *,
    offset: Floats | None = None, start: tuple[float, Floats] | None = None, tolerance: float = 1e-6,
    max_rounds: int = 500,
) -> Solution:  # fmt: skip
    """Return the mode; `tolerance` is absolute, in the units of the gradient."""
    n, d = columns.shape
    beta = np.append(np.zeros(d), balanced(signs, link)) if start is None else np.append(start[1], start[0])
    z = np.zeros(n) if offset is None else offset.copy()
    shrink = np.append(weight, 0.0)
    if penalty == SQUARE and not columns.matrix_is_cheap():
        many = [a[:, None] for a in (signs, shrink, beta, z)]
        found = minimise_many(
            columns.by_rows, many[0], link, *many[1:], tolerance=tolerance, max_rounds=max_rounds
        )
        b = found.beta[:, 0]
        return Solution(float(b[d]), b[:d], float(found.objective[0]), float(found.violation[0]), int(found.rounds[0]))
    objective, violation, rounds = _minimise(
        columns.indptr, columns.indices, columns.data, signs, link, penalty, shrink,
        np.append(columns.reach, 1.0), z, beta, tolerance, max_rounds,
    )  # fmt: skip
    return Solution(float(beta[d]), beta[:d], objective, violation, rounds)


def balanced(signs: Floats, link: int) -> float:
    """Return the intercept of the best constant classifier, within bounds."""
    share = min(max(float((signs > 0).mean()), 1e-4), 1.0 - 1e-4)
    if link == LOGISTIC:
        return math.log(share / (1.0 - share))
    from scipy.special import ndtri

    return float(ndtri(share))


@kernel(inline="always")
def _violation(kind: int, weight: float, b: float, gradient: float) -> float:
    """Return how far a coordinate is from its optimality condition."""
    if kind == SQUARE:
        return abs(gradient + weight * b)
    if b > 0.0:
        return abs(gradient + weight)
    if b < 0.0:
        return abs(gradient - weight)
    return max(abs(gradient) - weight, 0.0)


@kernel
def _minimise(
    indptr: Any, indices: Any, data: Floats, y: Floats, link: int, penalty: int, weight: Floats,
    reach: Floats, z: Floats, beta: Floats, tolerance: float, max_rounds: int,
) -> tuple[float, float, int]:  # fmt: skip
    """Move beta, whose last entry is the intercept (of weight 0), and z with it."""
    n, d = y.size, beta.size - 1
    z += beta[d]
    for f in np.flatnonzero(beta[:d]):
        for k in range(indptr[f], indptr[f + 1]):
            z[indices[k]] += data[k] * beta[f]
    here, there = np.empty((3, n)), np.empty((3, n))  # loss, g and h of each document: now, and after a step
    expand(z, y, link, here)
    gradient, violation, region = np.zeros(d + 1), np.zeros(d + 1), reach.copy()
    everything = np.arange(d + 1)
    working, xs, z_there = everything, np.empty(n), np.empty(n)
    rounds, size, stuck = 0, SMALLEST, False
    while True:
        worst = _gradients(indptr, indices, data, here[1], penalty, weight, beta, everything, gradient, violation)
        if worst <= tolerance or rounds >= max_rounds or stuck:
            break
        target = tolerance
        if penalty == ABSOLUTE:
            size = min(d, max(size, 2 * int(np.count_nonzero(beta[:d]))))
            working, all_of_them = _working_set(beta, violation, size)
            target = max((0.001 if all_of_them else 0.1) * worst, 0.5 * tolerance)
        block = block_of(indptr, indices, data, working[:-1], n)
        care, stuck = CARE, True
        while rounds < max_rounds:
            rounds += 1
            start, inside, slope, bound = beta[working], weight[working], gradient[working], region[working]
            enough = care * worst
            if block.value.size:
                step = descend_matrix(block, here[2], penalty, inside, start, slope.copy(), bound, enough, xs)
            else:
                step = descend_columns(
                    indptr, indices, data, working[:-1], here[1], here[2], penalty, inside, start, bound, enough, xs
                )
            share = line_search(z, y, link, start, penalty, inside, slope, step, xs, here, z_there, there)
            if share == 0.0:
                break  # no step lowers F: as near as doubles can tell
            stuck = False
            z, z_there = z_there, z
            here, there = there, here
            beta[working] = start + share * step
            least = NARROW * reach[working]
            region[working] = np.maximum(np.maximum(2.0 * np.abs(share * step), 0.5 * bound), least)
            before = worst
            worst = _gradients(indptr, indices, data, here[1], penalty, weight, beta, working, gradient, violation)
            if worst <= target:
                break
            if worst > 0.9 * before:  # slow: the quadratic model is worth solving better
                care = max(0.1 * care, 1e-6)
    objective = here[0].sum()
    for j in range(d):
        objective += penalty_of(penalty, weight[j], beta[j])
    return objective, worst, rounds


@kernel
def _gradients(
    indptr: Any, indices: Any, data: Floats, g: Floats, penalty: int, weight: Floats, beta: Floats,
    working: NDArray[np.int64], gradient: Floats, violation: Floats,
) -> float:  # fmt: skip
    """Fill in the loss's gradient and the violation of the working coordinates; return the worst one."""
    worst = 0.0
    for j in working:
        s = 0.0
        if j == beta.size - 1:
            s = float(g.sum())
        else:
            for k in range(indptr[j], indptr[j + 1]):
                s += data[k] * g[indices[k]]
        gradient[j] = s
        violation[j] = _violation(SQUARE if j == beta.size - 1 else penalty, weight[j], beta[j], s)
        worst = max(worst, violation[j])
    return worst


@kernel
def _working_set(beta: Floats, violation: Floats, size: int) -> tuple[NDArray[np.int64], bool]:
    """Return the non-zero coordinates, the worst violators up to `size` in all, in order, and the intercept.

    And whether all violators are among them.
    """
    d = beta.size - 1
    cut = np.partition(violation[:d], d - size)[d - size] if size < d else 0.0
    chosen = (beta != 0.0) | ((violation >= cut) & (violation > 0.0))
    chosen[d] = True
    return np.flatnonzero(chosen), cut == 0.0


