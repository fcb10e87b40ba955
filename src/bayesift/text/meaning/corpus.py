"""Latent semantic analysis (Deerwester et al. 1990): dense vectors of documents from the words of a background.

    X ~ U S V'   (truncated, randomized: Halko, Martinsson & Tropp 2011)
    z(x) = (x V - a) / |x V - a|,   a = mean of x V over the background

x are the weighted words of a document. Terms of a single background document say nothing about other terms and have no
part in V; nor have terms that are not in the background. A document without any term of V has z = 0.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput

Singles = NDArray[np.float32]
FEWEST = 16  # documents of a background, below which there is no projection
LEAST_DF = 2  # background documents that a term must occur in


class CorpusMeaning:
    """Unit-length vectors of documents by latent semantic analysis of a background.

    Parameters
    ----------
    dimensions : int
        Length of the vectors; fewer if the background has fewer documents or terms.
    seed : int
        Random seed of the decomposition.

    Examples
    --------
    >>> rows = sparse.csr_matrix(np.tile(np.eye(4) + np.eye(4)[[1, 0, 3, 2]], (8, 1)))
    >>> z = CorpusMeaning(dimensions=2).fit_transform(rows)
    >>> z.shape, float(np.round(z[0] @ z[1], 2)), float(np.round(z[0] @ z[2], 2))
    ((32, 2), 1.0, -1.0)
    """

    components_: Singles  # V: (terms of the background, dimensions); zero for terms without a part
    centre_: Singles

    def __init__(self, dimensions: int = 200, seed: int = 0) -> None:
        if dimensions < 1:
            raise BadInput(f"dimensions is {dimensions!r}", remedy="give a whole number from 1 on")
        self.dimensions = dimensions
        self.seed = seed

    def fit(self, background: Any) -> Self:
        """Fit the projection to the weighted words of documents, labelled or not."""
        self.fit_transform(background)
        return self

    def fit_transform(self, background: Any) -> Singles:
        """Fit the projection, and return the vectors of the same documents."""
        from sklearn.decomposition import TruncatedSVD

        rows: Any = sparse.csr_matrix(background, dtype=np.float32)
        if not np.isfinite(rows.data).all():
            raise BadInput("the background has a weight that is not finite", remedy="remove nan and inf")
        n, terms = rows.shape
        some = np.flatnonzero(np.bincount(rows.indices[rows.data != 0.0], minlength=terms) >= LEAST_DF)
        width = min(self.dimensions, some.size - 1, n - 1) if n >= FEWEST else 0
        self.components_ = np.zeros((terms, max(width, 0)), np.float32)
        self.centre_ = np.zeros(self.components_.shape[1], np.float32)
        if self.width:
            with np.errstate(divide="ignore", invalid="ignore"):  # of shares of the variance, which is 0 for equal rows
                svd = TruncatedSVD(self.width, n_iter=2, random_state=self.seed).fit(rows[:, some])
            self.components_[some] = svd.components_.T
            self.centre_ = np.asarray(self._projected(rows).mean(axis=0, dtype=np.float64), np.float32)
        return self.transform(rows)

    @property
    def width(self) -> int:
        """The length of the vectors; 0 if the background was too small for a projection."""
        return int(self.components_.shape[1])

    def transform(self, rows: Any) -> Singles:
        """Return the vectors of documents: (documents, width); one gets the same as among many.

        There may be more terms than in the background: those after its last one have no part.
        """
        projected = self._projected(rows)
        found = projected - self.centre_
        found[~projected.any(axis=1)] = 0.0
        return unit_length(found)

    def _projected(self, rows: Any) -> Singles:
        """Return x V of each row."""
        x: Any = sparse.csr_matrix(rows, dtype=np.float32)
        terms = len(self.components_)
        if x.shape[1] < terms:
            x = sparse.csr_matrix((x.data, x.indices, x.indptr), (x.shape[0], terms))
        elif x.shape[1] > terms:
            x = x[:, :terms]
        return np.asarray(x @ self.components_)

    def state(self) -> dict[str, Any]:
        """Return what was fitted, for `restore`: of V the terms that have a part."""
        some = np.flatnonzero(self.components_.any(axis=1))
        parts = {"terms": some.astype(np.int32), "components": self.components_[some]}
        return parts | {"n_terms": len(self.components_), "centre": self.centre_.copy()}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take over a state that `state` returned."""
        terms, parts, centre, n = (state[name] for name in ("terms", "components", "centre", "n_terms"))
        if parts.ndim != 2 or centre.shape != parts.shape[1:] or terms.shape != parts.shape[:1]:
            raise BadInput("the projection, its terms and its centre differ in size")
        if terms.size and not 0 <= terms.min() <= terms.max() < n:
            raise BadInput(f"the projection has a term {terms.max()} of {n}")
        self.components_ = np.zeros((n, parts.shape[1]), np.float32)
        self.components_[terms] = parts
        self.centre_ = centre.copy()
        return self


def unit_length(rows: Singles) -> Singles:
    """Scale rows to length 1, in place, and return them; zeros stay.

    >>> unit_length(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).round(1).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    np.divide(rows, length, out=rows, where=length > 0.0)
    return rows
