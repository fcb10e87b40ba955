"""The loss of a document under each link, with its derivatives, and the search along a step that lowers F.

    loss      logistic: ln(1 + exp(-u));  probit: -ln Phi(u);  u = y z
    penalty   Gaussian: weight_j beta_j^2 / 2;  Laplace: weight_j |beta_j|
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.likelihoods import log_phi_and_hazard
from bayesift.learn.sparse_linear.quadratic import SQUARE
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
LOGISTIC, PROBIT = 0, 1
HALVINGS = 30  # of a step
ROUNDING = 1e-16  # of F, that no step can be blamed for


def derivatives(z: Floats, signs: Floats, link: int) -> tuple[Floats, Floats]:
    """Return first and second derivatives of the loss by each z."""
    parts = np.empty((3, z.size))
    expand(z, signs, link, parts)
    return parts[1], parts[2]


def losses(z: Floats, signs: Floats, link: int) -> Floats:
    """Return the loss of each document: its negative log-likelihood."""
    parts = np.empty((3, z.size))
    expand(z, signs, link, parts)
    return np.asarray(parts[0])


@kernel(inline="always")
def _loss(link: int, u: float) -> tuple[float, float, float]:
    """Return the loss at u, with its first and second derivatives."""
    if link == LOGISTIC:
        e = math.exp(-abs(u))
        share = 1.0 / (1.0 + e)
        return math.log1p(e) + max(-u, 0.0), -(e * share if u > 0.0 else share), e * share * share
    log_cdf, r, w = log_phi_and_hazard(u)
    return -log_cdf, -r, r * w


@kernel(inline="always")
def penalty_of(kind: int, weight: float, b: float) -> float:
    """Return the penalty of one weight."""
    return 0.5 * weight * b * b if kind == SQUARE else weight * abs(b)


@kernel
def expand(z: Floats, y: Floats, link: int, parts: Floats) -> None:
    """Set the loss of each document, and its first and second derivatives by z."""
    for i in range(z.size):
        loss, first, second = _loss(link, y[i] * z[i])
        parts[0, i] = loss
        parts[1, i] = y[i] * first
        parts[2, i] = second


@kernel
def line_search(
    z: Floats, y: Floats, link: int, beta: Floats, penalty: int, weight: Floats, gradient: Floats, step: Floats,
    xs: Floats, here: Floats, z_there: Floats, there: Floats,
) -> float:  # fmt: skip
    """Return the largest of 1, 1/2, 1/4 ... of the step that lowers F enough (Armijo); set z and the losses there.

    Changes are summed document by document: the difference of two sums would drown small ones in rounding.
    """
    promised, rounding = 0.0, ROUNDING * here[0].sum()
    for j in range(step.size):
        promised += gradient[j] * step[j]
        promised += penalty_of(penalty, weight[j], beta[j] + step[j]) - penalty_of(penalty, weight[j], beta[j])
    share = 1.0
    for _ in range(HALVINGS):
        change = 0.0
        for j in range(step.size):
            there_j = beta[j] + share * step[j]
            change += penalty_of(penalty, weight[j], there_j) - penalty_of(penalty, weight[j], beta[j])
        for i in range(z.size):
            z_there[i] = z[i] + share * xs[i]
        expand(z_there, y, link, there)
        for i in range(z.size):
            change += there[0, i] - here[0, i]
        if change <= 0.01 * share * promised + rounding:
            return share
        share *= 0.5
    return 0.0
