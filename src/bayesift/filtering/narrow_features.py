"""The features of documents and topics in fewer dimensions, whose product is never too low.

A topic's score has the part c.q, q = y - l z (`topic_kernel`). It is small, and documents have most of it in a few
directions. With a = P^T q and b = P^T c along these directions, P orthonormal, and what is left of both,

    c.q <= a.b + sqrt(|q|^2 - |a|^2) sqrt(|c|^2 - |b|^2)        (Cauchy and Schwarz)

so that a product over two thirds of the dimensions finds every topic whose bar a document may pass.
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
    n_wide : int
        How many of the features are numbers of q; they are first.

    Examples
    --------
    >>> features = np.random.default_rng(0).random((50, 40))
    >>> narrow = NarrowFeatures(features, n_wide=35)
    >>> narrow(features).shape
    (50, 34)
    >>> bool((narrow(features) @ narrow(features).T > features @ features.T - 1e-4).all())
    True
    """

    def __init__(self, features: Floats, n_wide: int) -> None:
        wide, first = features[:, :n_wide], max(n_wide - KEPT, 0)
        found = linalg.eigh(wide.T @ wide, subset_by_index=(first, n_wide - 1))[1] if n_wide else np.empty((0, 0))
        self._axes = np.ascontiguousarray(found)

    def __call__(self, features: Floats) -> Singles:
        """Return features of documents, or weights of them, one row each, in fewer dimensions."""
        n_wide = self._axes.shape[0]
        wide = features[:, :n_wide]
        near = wide @ self._axes
        squares = np.einsum("ij,ij->i", wide, wide) - np.einsum("ij,ij->i", near, near)
        rest = np.sqrt(np.maximum(squares, 0.0))[:, None]
        return np.concatenate([near, features[:, n_wide:], rest], axis=1, dtype=np.float32, casting="same_kind")
