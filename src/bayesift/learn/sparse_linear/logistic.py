"""Sparse Bayesian linear classifiers by their posterior mode (eyheramendy2003): logistic, and probit beside it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from bayesift.errors import Notice
from bayesift.learn.binary import BinaryLearner
from bayesift.learn.prior_width import Choice, choose, grid_of
from bayesift.learn.priors import FeaturePrior, Jeffreys, Shape, shape_of
from bayesift.learn.sparse_linear.descent import LOGISTIC, Columns, losses
from bayesift.learn.sparse_linear.modes import Mode, find_mode
from bayesift.learn.weights import Weights

Floats = NDArray[np.float64]
SEPARATED = 1e-4  # if no document's loss at the mode is above it, the prior alone keeps the weights finite


class SparseLogistic(BinaryLearner):
    """Logistic regression at its posterior mode.

    Parameters
    ----------
    prior : str or Shape
        "laplace" (gamma = 10, most weights exactly 0), "normal", "jeffreys", or one such as `Laplace(gamma=3)`.
    feature_prior : FeaturePrior, optional
        Prior of single features' weights (see `PriorTerms.to_features`).
    choose : "cv" or "evidence", optional
        How the prior's width is chosen from `grid`; None keeps it.
    grid : sequence of Shape, optional
        The priors to choose from; None is 20 widths.
    folds, seed : int
        The number of folds of the cross-validation, and its random seed.
    tolerance : float
        The largest violation of an optimality condition that is left.

    Examples
    --------
    >>> X, y = [[2, 0, 1], [1, 0, 0], [0, 1, 1], [0, 2, 0]] * 10, [1, 1, 0, 0] * 10
    >>> model = SparseLogistic(prior="laplace").fit(X, y)
    >>> model.predict([[1, 0, 0], [0, 1, 0]])
    array([1, 0])
    >>> model.coef_.round(1), model.kept_
    (array([[ 1.4, -1.4,  0. ]]), array([0, 1]))
    """

    online = False
    link = LOGISTIC
    belief_: Mode

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
    ) -> None:
        self.prior = prior
        self.feature_prior = feature_prior
        self.choose = choose
        self.grid = grid
        self.folds = folds
        self.seed = seed
        self.tolerance = tolerance

    def _start(self, n_features: int) -> None:
        self.belief_ = Mode.empty()

    def _learn(self, rows: sparse.csr_matrix, signs: Floats, passes: int) -> None:
        shape = shape_of(self.prior)
        if self.choose is None:
            self.belief_ = find_mode(Columns.of(rows), signs, self.link, shape, self.feature_prior, self.tolerance)
            self.prior_ = shape
        else:
            shapes = grid_of(shape) if self.grid is None else list(self.grid)
            self.belief_, self.prior_, self.scores_ = choose(
                rows, signs, self.link, shapes, self.feature_prior, self.choose, self.folds, self.seed, self.tolerance
            )
        if isinstance(self.prior_, Jeffreys):
            warnings.warn("a Jeffreys prior has many modes: this is one of them", Notice, stacklevel=3)
        if losses(self.belief_.field(rows)[0], signs, self.link).max() < SEPARATED:
            text = "the classes are separated perfectly: the prior alone keeps the weights finite"
            warnings.warn(text, Notice, stacklevel=3)

    def field(self, rows: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return beta.x + b at the mode of each checked row, and its variance by the curvature."""
        return self.belief_.field(rows)

    def decision_function(self, X: Any) -> Floats:
        """Return beta.x + b at the mode."""
        return self.predict_field(X)[0]

    def probability(self, m: Floats, v: Floats) -> Floats:
        """Return the logistic function of the field at the mode."""
        return np.asarray(expit(m))

    def weights(self) -> Weights:
        """Return the weights at the mode; their deviations, by the curvature, are taken as independent."""
        return Weights(self.coef_[0], self.coef_sd_[0], self.intercept_, float(self.belief_.intercept_sd))

    @property
    def kept_(self) -> NDArray[np.int64]:
        """The features whose weight is not zero."""
        return self.belief_.index.copy()

    @property
    def intercept_(self) -> float:
        """The intercept."""
        return self.belief_.intercept

    @property
    def coef_(self) -> Floats:
        """The weight of each feature: (1, features)."""
        return self._spread(self.belief_.weight)

    @property
    def coef_sd_(self) -> Floats:
        """The standard deviation of each kept feature's weight by the curvature at the mode, else 0: (1, features)."""
        return self._spread(self.belief_.sd)

    def _spread(self, values: Floats) -> Floats:
        dense = np.zeros((1, self.n_features_in_))
        dense[0, self.belief_.index] = values
        return dense

