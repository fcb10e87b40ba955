"""The features of documents and topics in fewer dimensions, whose product is never too low.

A topic's score has the part c.(X_b x), with one number per weak negative (`topic_kernel`). Documents have most of
X_b x in a few directions, and c is small. With a = P^T (X_b x) and b = P^T c along these directions, P orthonormal, and
what is left of both,

    c.(X_b x) <= a.b + sqrt(|X_b x|^2 - |a|^2) sqrt(|c|^2 - |b|^2)        (Cauchy and Schwarz)

so that a product over a third of the dimensions finds every topic whose bar a document may pass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
KEPT = 28  # directions


class NarrowFeatures:
    """Features in fewer dimensions.

    Parameters
    ----------
    features : array of (documents, features)
        Features of documents of the background.
    n_weak : int
        How many of the features are those of weak negatives; they are first.

    Examples
    --------
    >>> features = np.random.default_rng(0).random((50, 40))
    >>> narrow = NarrowFeatures(features, n_weak=35)
    >>> narrow(features).shape
    (50, 34)
    >>> bool((narrow(features) @ narrow(features).T > features @ features.T - 1e-4).all())
    True
    """

    def __init__(self, features: Floats, n_weak: int) -> None:
        wide, first = features[:, :n_weak], max(n_weak - KEPT, 0)
        found = linalg.eigh(wide.T @ wide, subset_by_index=(first, n_weak - 1))[1] if n_weak else np.empty((0, 0))
        self._axes = np.ascontiguousarray(found)

    def __call__(self, features: Floats) -> Singles:
        """Return features of documents, or weights of them, one row each, in fewer dimensions."""
        n_weak = self._axes.shape[0]
        wide = features[:, :n_weak]
        near = wide @ self._axes
        squares = np.einsum("ij,ij->i", wide, wide) - np.einsum("ij,ij->i", near, near)
        rest = np.sqrt(np.maximum(squares, 0.0))[:, None]
        return np.concatenate([near, features[:, n_weak:], rest], axis=1, dtype=np.float32, casting="same_kind")
