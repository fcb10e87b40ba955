"""The prior variance of each term's weight, learned from a first fit of all labels.

A term that carries weight for many labels deserves a wide prior, one that never did a narrow one. That is what a label
with a handful of documents cannot find out alone. With mu the posterior means of a first fit, of term j and label c:

    s_cj = (1 - OWN) mean_c' mu_c'j^2 + OWN mu_cj^2,    v_cj = v k_c clip((s_cj / median)^(1/2), LEAST, MOST)

The median is that of the means over labels, and k_c scales v_c such that its average over terms, weighted by document
frequency, stays v. The documents of the first fit are learned again with this prior: margins of theirs are those of a
model that has seen them twice, so only documents that neither fit has learned may calibrate it.

The same numbers give a measure of similarity to models that compare whole documents: with term j multiplied by the
square root of clip((mean_c mu_cj^2 / median)^(1/2), LEAST, MOST), documents are near that share the terms that matter.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
OWN = 0.5
LEAST, MOST = 0.02, 100.0


def term_variances(mean: Singles, rows: Any, variance: float) -> Singles:
    """Return the prior variance of each weight: (features, labels + 1), the last column for the unseen label.

    Parameters
    ----------
    mean : array of (features, labels)
        Posterior means of a first fit.
    rows : sparse matrix
        The documents, for the document frequency of each term.
    variance : float
        The average.

    Examples
    --------
    >>> mean = np.array([[0.1, 0.1], [2.0, 0.1], [0.1, 0.1]], np.float32)
    >>> term_variances(mean, sparse.csr_matrix(np.ones((2, 3))), 0.1).round(2)
    array([[0.02, 0.02, 0.02],
           [0.27, 0.25, 0.26],
           [0.02, 0.02, 0.02]], dtype=float32)
    """
    features, labels = mean.shape
    often = np.bincount(rows.indices, minlength=features).astype(np.float64)
    shared = np.einsum("jc,jc->j", mean, mean, dtype=np.float64) / max(labels, 1)
    found = np.full((features, labels + 1), variance, np.float32)
    if shared.any() and often.any():
        _widths(mean, shared, often, float(np.median(shared[shared > 0.0])), found)
    return found


def term_scales(mean: Singles) -> Floats:
    """Return what each term is multiplied by before documents are compared.

    >>> term_scales(np.array([[0.1, 0.1], [2.0, 0.1], [0.1, 0.1]], np.float32)).round(2)
    array([1.  , 3.76, 1.  ])
    """
    shared = np.einsum("jc,jc->j", mean, mean, dtype=np.float64) / max(mean.shape[1], 1)
    if not shared.any():
        return np.ones(len(mean))
    return np.asarray(np.sqrt(np.clip(np.sqrt(shared / np.median(shared[shared > 0.0])), LEAST, MOST)))


def rescaled(rows: sparse.csr_matrix, scales: Floats) -> sparse.csr_matrix:
    """Return documents with each term multiplied by its scale, as long as they were before.

    >>> rescaled(sparse.csr_matrix([[0.6, 0.8]]), np.array([4.0, 3.0])).toarray().round(2)
    array([[0.71, 0.71]])
    """
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    data = rows.data * scales[rows.indices]
    before, after = (np.bincount(row, x * x, minlength=rows.shape[0]) for x in (rows.data, data))
    factor = np.sqrt(before / np.where(after > 0.0, after, 1.0))
    return sparse.csr_matrix((data * factor[row], rows.indices, rows.indptr), shape=rows.shape)


@kernel
def _widths(mean: Singles, shared: Floats, often: Floats, median: float, found: Singles) -> None:
    """Multiply the variances that are there by the width of each term and label, scaled to an average of 1."""
    features, labels = mean.shape
    total = np.zeros(labels + 1)
    for j in range(features):
        for c in range(labels + 1):
            mixed = shared[j] if c == labels else (1.0 - OWN) * shared[j] + OWN * mean[j, c] * mean[j, c]
            width = min(max(math.sqrt(mixed / median), LEAST), MOST)
            found[j, c] *= width
            total[c] += often[j] * width
    scale = (often.sum() / total).astype(np.float32)
    for j in range(features):
        for c in range(labels + 1):
            found[j, c] *= scale[c]
