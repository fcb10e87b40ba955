"""Sparse Bayesian probit regression (eyheramendy2003): the mode by the direct solver, or by EM as published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.special import ndtr

from bayesift.errors import BadInput
from bayesift.learn.prior_width import Choice
from bayesift.learn.priors import FeaturePrior, Shape, shape_of
from bayesift.learn.sparse_linear.descent import PROBIT, Columns
from bayesift.learn.sparse_linear.em import em_probit
from bayesift.learn.sparse_linear.logistic import Floats, SparseLogistic
from bayesift.learn.sparse_linear.modes import around, moments


class SparseProbit(SparseLogistic):
    """Probit regression at its posterior mode; settings as in `SparseLogistic`.

    Parameters
    ----------
    solver : "direct" or "em"
        "em" is the published algorithm, which is far slower and ends at the same mode.
    block : int, optional
        With "em", the number of weights that are updated at a time; None is all.

    Examples
    --------
    >>> X, y = [[2, 0, 1], [1, 0, 0], [0, 1, 1], [0, 2, 0]] * 10, [1, 1, 0, 0] * 10
    >>> direct, em = SparseProbit().fit(X, y), SparseProbit(solver="em").fit(X, y)
    >>> bool(abs(direct.coef_ - em.coef_).max() < 1e-5)
    True
    """

    link = PROBIT

    def __init__(
        self,
        prior: str | Shape = "laplace",
        *,
        feature_prior: FeaturePrior | None = None,
        choose: Choice | None = None,
        grid: Sequence[Shape] | None = None,
        folds: int = 3,
        seed: int = 0,
        tolerance: float = 1e-6,
        solver: Literal["direct", "em"] = "direct",
        block: int | None = None,
    ) -> None:
        super().__init__(
            prior, feature_prior=feature_prior, choose=choose, grid=grid, folds=folds, seed=seed, tolerance=tolerance
        )
        self.solver = solver
        self.block = block

    def _learn(self, rows: sparse.csr_matrix, signs: Floats, passes: int) -> None:
        if self.solver == "direct":
            super()._learn(rows, signs, passes)
            return
        if self.solver != "em" or self.choose is not None or self.feature_prior is not None:
            raise BadInput(
                f"solver {self.solver!r} with choose={self.choose!r}, feature_prior={self.feature_prior!r}",
                remedy="solvers are 'direct' and 'em'; 'em' takes a fixed prior only",
            )
        self.prior_ = shape_of(self.prior)
        mean, sd = moments(rows.shape[1], self.prior_, None)
        solution = em_probit(rows, signs, self.prior_, sd, block=self.block, tolerance=1e-2 * self.tolerance)
        self.belief_ = around(Columns.of(rows), signs, self.link, self.prior_, solution, mean, sd, np.zeros(signs.size))

    def probability(self, m: Floats, v: Floats) -> Floats:
        """Return Phi of the field at the mode."""
        return np.asarray(ndtr(m))
