"""Some columns of sparse rows, faster than by scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]


def restrict(rows: sparse.csr_matrix, columns: NDArray[np.intp]) -> sparse.csr_matrix:
    """Return rows[:, columns], many times faster than scipy's, for columns that are all different.

    >>> restrict(sparse.csr_matrix([[1.0, 2.0, 3.0]]), np.array([2, 0])).toarray()
    array([[3., 1.]])
    """
    if columns.size == rows.shape[1] and (columns[1:] > columns[:-1]).all():
        return rows
    place = np.full(rows.shape[1], -1, np.int32)
    place[columns] = np.arange(columns.size)
    indptr, indices, data = _restrict(rows.indptr, rows.indices, rows.data, place)
    result = sparse.csr_matrix((data, indices, indptr), shape=(rows.shape[0], columns.size))
    result.sort_indices()
    return result


@kernel
def _restrict(indptr: Any, indices: Any, data: Floats, place: NDArray[np.int32]) -> tuple[Any, Any, Floats]:
    kept = 0
    for i in indices:
        kept += place[i] >= 0
    new_ptr, new_indices, new_data = np.zeros(indptr.size, np.int32), np.empty(kept, np.int32), np.empty(kept)
    at = 0
    for row in range(indptr.size - 1):
        for i in range(indptr[row], indptr[row + 1]):
            if place[indices[i]] >= 0:
                new_indices[at] = place[indices[i]]
                new_data[at] = data[i]
                at += 1
        new_ptr[row + 1] = at
    return new_ptr, new_indices, new_data
