"""Weights of terms in documents, from counts tf, document frequencies df and the number of documents N.

| name      | weight                                                                                             |
|-----------|----------------------------------------------------------------------------------------------------|
| raw       | tf                                                                                                 |
| log       | 1 + ln tf                                                                                          |
| binary    | 1                                                                                                  |
| ltc       | (1 + log2 tf) log2(N / df), divided by the document's length (chai2002 2.2)                        |
| tfidf     | tf (1 + ln((1 + N) / (1 + df))), divided by the document's length (scikit-learn's TfidfVectorizer) |
| log-tfidf | (1 + ln tf) (1 + ln((1 + N) / (1 + df))), divided by the document's length (its `sublinear_tf`)    |

A document's length is the Euclidean norm over all its terms that have a column; selecting terms for a category
comes afterwards and does not change it. A document without weights stays zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput

Floats = NDArray[np.float64]


Local = Callable[[Floats], Floats]  # from tf
Global = Callable[[Floats, int], Floats]  # from df and N, one number per term

WEIGHTS: dict[
    str, tuple[Local | None, Global | None]
] = {  # those with a global part are divided by the length
    "raw": (None, None),
    "log": (lambda tf: 1.0 + np.log(tf), None),
    "binary": (np.ones_like, None),
    "ltc": (lambda tf: 1.0 + np.log2(tf), lambda df, n: np.log2(n / df)),
    "tfidf": (None, lambda df, n: 1.0 + np.log((1.0 + n) / (1.0 + df))),
    "log-tfidf": (lambda tf: 1.0 + np.log(tf), lambda df, n: 1.0 + np.log((1.0 + n) / (1.0 + df))),
}


def weigh(
    counts: sparse.csr_matrix, df: Callable[[NDArray[Any]], NDArray[np.int64]], n: int, weight: str
) -> Floats:
    """Return the weights of the stored counts; `df` returns the document frequencies of columns.

    >>> counts = sparse.csr_matrix([[4, 1, 0], [0, 1, 1]])
    >>> weigh(counts, np.array([1, 2, 1]).take, 2, "ltc")
    array([1., 0., 0., 1.])
    >>> weigh(counts, np.array([1, 2, 1]).take, 2, "log").round(3)
    array([2.386, 1.   , 1.   , 1.   ])
    """
    check_weight(weight)
    local_part, global_part = WEIGHTS[weight]
    data = counts.data.astype(np.float64)
    if local_part is not None:
        data = local_part(data)
    if global_part is not None:
        if counts.nnz < counts.shape[1]:  # a few documents: only their terms
            data *= global_part(df(counts.indices).astype(np.float64), n)
        else:
            data *= global_part(df(np.arange(counts.shape[1])).astype(np.float64), n)[counts.indices]
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        length = np.sqrt(np.bincount(rows, data * data, minlength=counts.shape[0]))
        length[length == 0.0] = 1.0
        data /= length[rows]
    return data


def check_weight(weight: str) -> None:
    """Raise `BadInput` if a weight is not in the table."""
    if weight not in WEIGHTS:
        raise BadInput(f"unknown weight {weight!r}", remedy="use one of " + ", ".join(WEIGHTS))
