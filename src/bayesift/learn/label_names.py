"""What the name of a label says of its weights: the words of `palm-oil` are evidence for it before any document.

A label with a handful of documents has few words to go by, and its name is often one of those that matter. How much
names matter is learned from the labels with `ENOUGH` documents. The name is read as a document, with a value x_cj for
term j, and mu are the posterior means of a first fit:

    w_cj ~ N(m x_cj, max(v_cj, s^2 x_cj^2))
    m = sum mu x / (WORTH + sum x^2),   s^2 = sum (mu - m x)^2 / (WORTH + sum x^2)

Sums are over the terms of the names of these labels, and v_cj is the prior variance without names (`term_variance`).
Rare words of a name have larger x, and so have the words of short names. Names that are codes have no terms, or terms
without weight: then m is near 0, and nothing changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Singles = NDArray[np.float32]
ENOUGH = 10  # documents of a label from which it says how much names matter
WORTH = 3.0  # names without any weight, as if seen before


def name_means(names: Any, mean: Singles, have: NDArray[np.int64], variances: Singles) -> sparse.csr_matrix | None:
    """Return the prior means of the terms of names, (labels, features), and widen their variances in place.

    Parameters
    ----------
    names : sparse matrix of (labels, features)
        The name of each label, read as a document.
    mean : array of (features, labels)
        Posterior means of a first fit.
    have : array of (labels,)
        The number of documents of each label.
    variances : array of (features, labels + 1)
        Prior variances, which change where a name says more.

    Returns
    -------
    sparse matrix, or None if names do not matter.

    Examples
    --------
    >>> mean = np.array([[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
    >>> names, variances = sparse.csr_matrix(np.eye(3)), np.full((3, 4), 0.1, np.float32)
    >>> name_means(names, mean, np.array([20, 10, 2]), variances).toarray().round(2)
    array([[1.6, 0. , 0. ],
           [0. , 1.6, 0. ],
           [0. , 0. , 1.6]])
    >>> variances.round(2)
    array([[2.3, 0.1, 0.1, 0.1],
           [0.1, 2.3, 0.1, 0.1],
           [0.1, 0.1, 2.3, 0.1]], dtype=float32)
    """
    found = sparse.csr_matrix(names, dtype=np.float64)
    label, term, x = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr)), found.indices, found.data
    often = have[label] >= ENOUGH
    mu, known = mean[term, label].astype(np.float64)[often], x[often]
    size = WORTH + float((known * known).sum())
    m = float((mu * known).sum()) / size
    if m <= 0.0:
        return None
    spread = float(((mu - m * known) ** 2).sum()) / size
    variances[term, label] = np.maximum(variances[term, label], spread * x * x)
    return sparse.csr_matrix((m * x, term, found.indptr), found.shape)
