"""Several views of the same documents in one sparse matrix: the columns of one view after those of the other.

Words and the character n-grams of words are two views of a text: each has its own weights and length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from bayesift.errors import BadInput


def joined(first: Any, second: Any) -> sparse.csr_matrix:
    """Return one matrix with the columns of the first and then those of the second.

    >>> joined(sparse.csr_matrix([[1, 0], [0, 2]]), sparse.csr_matrix([[3], [0]])).toarray()
    array([[1, 0, 3],
           [0, 2, 0]])
    """
    indptr = first.indptr + second.indptr
    size, dtype = first.nnz + second.nnz, np.result_type(first.data, second.data)
    indices, data = np.empty(size, np.int32), np.empty(size, dtype)
    before = np.arange(first.nnz) + np.repeat(second.indptr[:-1], np.diff(first.indptr))
    after = np.arange(second.nnz) + np.repeat(first.indptr[1:], np.diff(second.indptr))
    indices[before], data[before] = first.indices, first.data
    indices[after], data[after] = second.indices + first.shape[1], second.data
    return sparse.csr_matrix((data, indices, indptr), (first.shape[0], first.shape[1] + second.shape[1]))


def parted(rows: sparse.csr_matrix, widths: Sequence[int] | None) -> list[sparse.csr_matrix]:
    """Return the views of rows, of so many columns each; None is one view.

    >>> [view.toarray().tolist() for view in parted(sparse.csr_matrix([[1, 2, 3]]), [2, 1])]
    [[[1, 2]], [[3]]]
    """
    if widths is None:
        return [rows]
    if sum(widths) != rows.shape[1] or len(widths) != 2:
        raise BadInput(f"views of {list(widths)} columns, but rows of {rows.shape[1]}", remedy="give two that add up")
    return [rows[:, : widths[0]], rows[:, widths[0] :]]
