"""The probit mode by EM, as eyheramendy2003 3 has it: the reference of the direct solver, for a few thousand terms.

Latent z_i ~ N(beta.x_i, 1) with y_i its sign; given beta, its mean is v_i (eq. 10), and given z the mode of beta is a
ridge regression (eq. 13) with the precisions omega_j = 1/variance (Normal), sqrt(gamma)/|beta_j| (Laplace; the text
prints gamma) or 1/beta_j^2 (Jeffreys, eq. 14):

    beta <- (Omega + X^T X)^-1 X^T v

A weight that goes to 0 makes omega_j infinite, so the system is solved in beta = U b with U = Omega^(-1/2):
(I + U X^T X U) b = U X^T v. The intercept is the last column of X and has omega = 0. With `block`, sub-vectors of beta
are renewed in turn (block-wise EM, section 5), which needs no matrix larger than a block.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from bayesift.learn.priors import Laplace, Normal, Shape
from bayesift.learn.sparse_linear.descent import PROBIT, Solution, derivatives

Floats = NDArray[np.float64]


def em_probit(
    rows: sparse.csr_matrix, signs: Floats, shape: Shape, sd: Floats, *, block: int | None = None,
    tolerance: float = 1e-8, max_steps: int = 20_000,
) -> Solution:  # fmt: skip
    """Return the mode (for Jeffreys a local one, from a ridge start), to a relative change of `tolerance` per step."""
    n, d = rows.shape
    X = sparse.csr_matrix(sparse.hstack([rows, sparse.csr_matrix(np.ones((n, 1)))]))
    size = d if block is None else block
    blocks = [np.append(np.arange(a, min(a + size, d)), d) for a in range(0, max(d, 1), size)]
    gram = [(X[:, part].T @ X[:, part]).toarray() for part in blocks]
    beta = np.zeros(d + 1)
    start: Shape = shape if isinstance(shape, Normal) else Normal(1.0)
    steps = 0
    for prior in [start] if start == shape else [start, shape]:
        for _ in range(max_steps):
            steps += 1
            before = beta.copy()
            for part, xx in zip(blocks, gram):
                z = X @ beta
                v = z - derivatives(z, signs, PROBIT)[0]  # eq. 10: E[z] = z + y phi/Phi
                widths = _widths(prior, beta[part[:-1]], sd[part[:-1]])
                beta[part] = _ridge(xx, X[:, part].T @ (v - z) + xx @ beta[part], widths)
            if np.abs(beta - before).max() <= tolerance * (1.0 + np.abs(beta).max()):
                break
            if prior is start and prior != shape and steps >= 200:
                break  # a start need not be exact
    z = X @ beta
    loss = -float(_log_cdf(signs * z).sum())
    return Solution(float(beta[d]), beta[:d], loss + _cost(shape, beta[:d], sd), math.nan, steps)


def _widths(prior: Shape, beta: Floats, sd: Floats) -> Floats:
    """Return the diagonal of U = Omega^(-1/2), with 1 for the intercept."""
    if isinstance(prior, Normal):
        u = sd
    elif isinstance(prior, Laplace):
        u = np.sqrt(np.abs(beta) * sd / math.sqrt(2.0))  # sqrt(gamma) = sqrt(2) / sd
    else:
        u = np.abs(beta)
    return np.append(u, 1.0)


def _ridge(xx: Floats, xv: Floats, u: Floats) -> Floats:
    """Return (Omega + X^T X)^-1 X^T v with Omega = U^-2, and 0 for the intercept."""
    scaled = u[:, None] * xx * u
    scaled[np.arange(u.size - 1), np.arange(u.size - 1)] += 1.0
    return np.asarray(u * linalg.solve(scaled, u * xv, assume_a="pos"))


def _cost(shape: Shape, beta: Floats, sd: Floats) -> float:
    if isinstance(shape, Normal):
        return float((0.5 * (beta / sd) ** 2).sum())
    if isinstance(shape, Laplace):
        return float((math.sqrt(2.0) * np.abs(beta) / sd).sum())
    kept = np.abs(beta[np.abs(beta) > 1e-6 * np.abs(beta).max(initial=0.0)])
    return float(np.log(kept).sum())


def _log_cdf(u: Floats) -> Floats:
    from scipy.special import log_ndtr

    return np.asarray(log_ndtr(u))
