"""Posterior modes under the priors of `priors`, for the logistic and the probit link (eyheramendy2003).

A weight with a known mean mu_j is written mu_j + delta_j; the penalty is on delta, and X mu is an offset of the field.

    Normal:   delta_j^2 / (2 sd_j^2)            Laplace:  sqrt(2) |delta_j| / sd_j,   sd = sqrt(2 / gamma)
    Jeffreys: ln |delta_j|, by a series of Normal modes with variances delta_j^2 (the EM of eq. 14), from a ridge start

Around the mode the posterior is about Gaussian with precision H = X^T diag(h) X + prior's curvature over the weights
that are not zero; this gives deviations and, by Laplace's method, the evidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from bayesift.beliefs.protocol import State, fields_without, set_fields
from bayesift.learn.priors import FeaturePrior, Jeffreys, Laplace, Normal, Shape
from bayesift.learn.sparse_linear.descent import ABSOLUTE, SQUARE, Columns, Solution, derivatives, minimise

Floats = NDArray[np.float64]
DENSE = 2000  # kept weights whose full precision matrix is inverted; beyond, its diagonal
RIDGE = Normal(1.0)  # where Jeffreys starts
GONE = 1e-6  # a Jeffreys weight below this share of the largest one has gone to 0


@dataclass
class Mode:
    """The mode, stored sparse, with what is known around it."""

    intercept: float
    index: NDArray[np.int64]  # of the weights that are not zero
    weight: Floats
    sd: Floats  # of these weights
    intercept_sd: float
    log_evidence: float
    objective: float
    violation: float
    rounds: int

    @classmethod
    def empty(cls) -> Mode:
        """Return the mode before any document."""
        return cls(0.0, np.empty(0, np.int64), np.empty(0), np.empty(0), 0.0, 0.0, 0.0, 0.0, 0)

    def field(self, rows: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return beta.x + b at the mode, and its variance with the weights taken as independent."""
        dense = np.zeros((rows.shape[1], 2))
        dense[self.index, 0], dense[self.index, 1] = self.weight, self.sd**2
        squared = rows.copy()
        squared.data = squared.data**2
        return rows @ dense[:, 0] + self.intercept, squared @ dense[:, 1] + self.intercept_sd**2

    def state(self) -> State:
        """Return a copy of all that was learned."""
        return fields_without(self)

    def restore(self, state: State) -> None:
        """Replace what was learned by a state."""
        set_fields(self, state)


def standard_deviation(shape: Shape) -> float:
    """Return the prior's standard deviation of a term of which nothing more is known."""
    if isinstance(shape, Laplace):
        return math.sqrt(2.0 / shape.gamma)
    return math.sqrt(shape.variance if isinstance(shape, Normal) else RIDGE.variance)


def find_mode(
    columns: Columns, signs: Floats, link: int, shape: Shape, known: FeaturePrior | None, tolerance: float
) -> Mode:
    """Return the mode under one prior, with deviations and evidence."""
    return mode_at(columns, signs, link, shape, known, solve(columns, signs, link, shape, known, tolerance))


def solve(
    columns: Columns, signs: Floats, link: int, shape: Shape, known: FeaturePrior | None, tolerance: float,
    start: Solution | None = None,
) -> Solution:  # fmt: skip
    """Return the mode's intercept and delta alone, from `start` where that is given."""
    mean, sd = moments(columns.shape[1], shape, known)
    offset = columns.times(mean)
    if isinstance(shape, Jeffreys):
        return _jeffreys(columns, signs, link, sd, offset, tolerance)
    penalty, weight = _penalty(shape, sd)
    begin = None if start is None else (start.intercept, start.beta)
    return minimise(columns, signs, link, penalty, weight, offset=offset, start=begin, tolerance=tolerance)


def path(
    columns: Columns, signs: Floats, link: int, shapes: Sequence[Shape], known: FeaturePrior | None, tolerance: float
) -> list[Solution]:
    """Solve under several priors, each started from the one before: from the narrowest prior to the widest."""
    order = np.argsort([standard_deviation(shape) for shape in shapes], kind="stable")
    found: dict[int, Solution] = {}
    before = None
    for i in order.tolist():
        before = found[i] = solve(columns, signs, link, shapes[i], known, tolerance, before)
    return [found[i] for i in range(len(shapes))]


def mode_at(
    columns: Columns, signs: Floats, link: int, shape: Shape, known: FeaturePrior | None, solution: Solution
) -> Mode:
    """Return the mode at a solution, with deviations and evidence."""
    mean, sd = moments(columns.shape[1], shape, known)
    return around(columns, signs, link, shape, solution, mean, sd, columns.times(mean))


def moments(d: int, shape: Shape, known: FeaturePrior | None) -> tuple[Floats, Floats]:
    """Return the prior's mean and standard deviation of each of d weights."""
    if known is None:
        return np.zeros(d), np.full(d, standard_deviation(shape))
    return known.over(d, standard_deviation(shape))


def _penalty(shape: Shape, sd: Floats) -> tuple[int, Floats]:
    return (ABSOLUTE, math.sqrt(2.0) / sd) if isinstance(shape, Laplace) else (SQUARE, 1.0 / sd**2)


def _jeffreys(
    columns: Columns, signs: Floats, link: int, sd: Floats, offset: Floats, tolerance: float
) -> Solution:
    """Solve repeatedly under variances delta_j^2, over fewer and fewer weights."""
    d = columns.shape[1]
    solution = minimise(columns, signs, link, SQUARE, 1.0 / sd**2, offset=offset, tolerance=1e-3)
    delta, intercept, rounds = solution.beta, solution.intercept, solution.rounds
    active = np.flatnonzero(delta)
    weight = np.zeros(d)
    for _ in range(1000):
        weight[active] = 1.0 / delta[active] ** 2
        part = columns.take(active)
        solution = minimise(
            part, signs, link, SQUARE, weight[active], offset=offset, start=(intercept, delta[active]),
            tolerance=tolerance,
        )  # fmt: skip
        change = float(np.abs(solution.beta - delta[active]).max(initial=0.0))
        delta[active], intercept = solution.beta, solution.intercept
        rounds += solution.rounds
        kept = np.abs(delta[active]) > GONE * np.abs(delta[active]).max(initial=0.0)
        delta[active[~kept]] = 0.0
        active = active[kept]
        if change <= 1e-7 * (1.0 + float(np.abs(delta).max(initial=0.0))):
            break
    return Solution(intercept, delta, solution.objective, solution.violation, rounds)


def around(
    columns: Columns, signs: Floats, link: int, shape: Shape, solution: Solution, mean: Floats, sd: Floats,
    offset: Floats,
) -> Mode:  # fmt: skip
    """Return the mode at a solution, with deviations and evidence from the curvature there."""
    beta = mean + solution.beta
    gone = GONE * np.abs(solution.beta).max(initial=0.0) if isinstance(shape, Laplace | Jeffreys) else 0.0
    free = np.flatnonzero(np.abs(solution.beta) > gone)  # EM only comes close to 0
    curvature = _curvature(shape, solution.beta, sd)
    z = offset + columns.times(solution.beta) + solution.intercept
    _, h = derivatives(z, signs, link)
    ones = sparse.csc_matrix(np.ones((columns.shape[0], 1)))
    part = sparse.csc_matrix(sparse.hstack([ones, columns.take(free).matrix()]))
    if free.size <= DENSE:
        precision = (part.T @ (sparse.diags_array(h) @ part)).toarray()
        precision[np.arange(1, free.size + 1), np.arange(1, free.size + 1)] += curvature[free]
        precision[np.diag_indices_from(precision)] += 1e-12
        factor = linalg.cholesky(precision, lower=True)
        half = linalg.solve_triangular(factor, np.eye(free.size + 1), lower=True)
        variance, log_det = np.einsum("ij,ij->j", half, half), 2.0 * float(np.log(np.diag(factor)).sum())
    else:
        diagonal = np.asarray(part.multiply(part).T @ h).ravel() + np.concatenate([[1e-12], curvature[free]])
        variance, log_det = 1.0 / diagonal, float(np.log(diagonal).sum())
    evidence = -solution.objective + _log_scale(shape, sd[free]) + 0.5 * (free.size * math.log(2.0 * math.pi) - log_det)
    index = np.flatnonzero(beta)
    all_sd = np.zeros(beta.size)
    all_sd[free] = np.sqrt(variance[1:])
    return Mode(
        solution.intercept, index, beta[index], all_sd[index], math.sqrt(variance[0]), evidence,
        solution.objective, solution.violation, solution.rounds,
    )  # fmt: skip


def _curvature(shape: Shape, delta: Floats, sd: Floats) -> Floats:
    """Return the curvature of the penalty in its quadratic model at the mode; 0 for the absolute value."""
    if isinstance(shape, Normal):
        return 1.0 / sd**2
    if isinstance(shape, Laplace):
        return np.zeros_like(sd)
    return np.divide(1.0, delta**2, out=np.zeros_like(delta), where=delta != 0.0)


def _log_scale(shape: Shape, sd: Floats) -> float:
    """Return the constant of the prior's density over the weights that are not zero."""
    if isinstance(shape, Laplace):
        return float(-np.log(math.sqrt(2.0) * sd).sum())
    if isinstance(shape, Normal):
        return float(-np.log(math.sqrt(2.0 * math.pi) * sd).sum())
    return 0.0
