"""The Bayesian online Gaussian process, sparse (chai2002 3.2): a field of any shape, held by few documents."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs import Likelihood, likelihood_of
from bayesift.beliefs.basis import KernelCode
from bayesift.beliefs.likelihoods import Code
from bayesift.beliefs.process import ProcessBelief
from bayesift.errors import BadInput
from bayesift.learn.binary import BinaryLearner
from bayesift.learn.kernels import Kernel, kernel_of

Floats = NDArray[np.float64]


class GaussianProcess(BinaryLearner):
    """A Gaussian process as the belief about the field h(x), learned one document at a time.

    Parameters
    ----------
    kernel : str or bayesift.learn.kernels.Kernel
        "linear", "poly", "rbf", or a kernel with a setting of its own, such as `Rbf(width=2.0)`.
    likelihood : str or bayesift.beliefs.Likelihood
        "probit" (noise 0.5), "logit", "flip", or a likelihood with a setting of its own.
    passes : int
        How often `fit` goes over the documents.
    max_basis : int, optional
        The largest number of documents kept as basis vectors; None is the number of features, the kernel's constant
        included.
    tolerance : float
        A document whose effect the basis vectors miss by no more than this is not kept. 0 keeps all it can.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]] * 5, [0, 0, 1, 1] * 5  # not linear
    >>> model = GaussianProcess("rbf", max_basis=4).fit(X, y)
    >>> model.predict([[0, 0], [0, 1]])
    array([0, 1])
    >>> model.basis_.shape
    (4, 2)
    """

    takes_prior_terms = False  # it has no weights of single features
    belief_: ProcessBelief

    def __init__(
        self,
        kernel: str | Kernel = "linear",
        likelihood: str | Likelihood = "probit",
        passes: int = 3,
        max_basis: int | None = None,
        tolerance: float = 1e-3,
    ) -> None:
        self.kernel = kernel
        self.likelihood = likelihood
        self.passes = passes
        self.max_basis = max_basis
        self.tolerance = tolerance

    def _start(self, n_features: int) -> None:
        self.belief_ = ProcessBelief.prior(*self._settings())
        self.belief_.grow(n_features)

    def _learn(self, rows: sparse.csr_matrix, signs: Floats, passes: int) -> None:
        belief = self.belief_
        belief.code, belief.shape, belief.tolerance, belief.cap = self._settings()
        belief.learn(rows, signs, passes)

    def _settings(self) -> tuple[Code, KernelCode, float, int | None]:
        if not (math.isfinite(self.tolerance) and self.tolerance >= 0.0):
            raise BadInput(f"tolerance is {self.tolerance!r}", remedy="give a finite number from 0 on")
        if self.max_basis is not None and not (isinstance(self.max_basis, int | np.integer) and self.max_basis >= 1):
            raise BadInput(f"max_basis is {self.max_basis!r}", remedy="give a whole number from 1 on, or None")
        cap = None if self.max_basis is None else int(self.max_basis)
        return likelihood_of(self.likelihood).code, kernel_of(self.kernel).code, float(self.tolerance), cap

    def field(self, rows: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return mean and variance of h of each checked row, taken as a document not seen before."""
        return self.belief_.field(rows)

    @property
    def basis_(self) -> sparse.csr_matrix:
        """The documents kept as basis vectors, one per row."""
        return self.belief_.basis()
