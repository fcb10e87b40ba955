"""The vector of one document: two arrays, without the checks and conversions of a matrix, which a stream cannot afford.

The weights are those of a batch to the bit: the same functions of `bayesift.text.weighting`, and the squares of a
document's weights are added in the order of the columns.
"""

from __future__ import annotations

import copy

import numpy as np
from scipy import sparse

from bayesift.numba_kernel import kernel
from bayesift.text.tokens import Ints, Longs
from bayesift.text.vocabulary import UNKNOWN
from bayesift.text.weighting import WEIGHTS, Floats


def weighted_row(columns: Ints, tf: Floats, df: Floats, n: int, weight: str) -> tuple[Ints, Floats]:
    """Return columns and weights of a document, of n, from counts and document frequencies."""
    local_part, global_part = WEIGHTS[weight]
    data = tf if local_part is None else local_part(tf)
    if global_part is not None:
        _finish(data, global_part(df, n))
    return columns, data


class OneRow:
    """Maker of matrices of one row; copying an empty one is four times faster than checking a new one.

    >>> print(OneRow()(np.array([1], np.int32), np.array([0.5]), 3).toarray())
    [[0.  0.5 0. ]]
    """

    def __init__(self) -> None:
        self._empty = sparse.csr_matrix((1, 0))

    def __call__(self, columns: Ints, weights: Floats, n_columns: int) -> sparse.csr_matrix:
        """Return the matrix; the columns are ascending."""
        if self._empty.shape[1] != n_columns:
            self._empty = sparse.csr_matrix((1, n_columns))
        matrix = copy.copy(self._empty)
        matrix.data, matrix.indices = weights, columns
        matrix.indptr = np.array([0, columns.size], np.int32)
        matrix.has_sorted_indices = True
        return matrix


@kernel
def sorted_row(terms: Ints, counts: Ints, column: Ints, document_frequency: Longs) -> tuple[Ints, Floats, Floats]:
    """Return columns, counts and document frequencies (at least 1) of the terms that have a column, by column."""
    order = np.empty(terms.size, np.int64)  # column and place, in one number
    n = 0
    for i in range(terms.size):
        if column[terms[i]] != UNKNOWN:
            order[n] = (np.int64(column[terms[i]]) << 32) | i
            n += 1
    order = np.sort(order[:n])
    columns, tf, df = np.empty(n, np.int32), np.empty(n), np.empty(n)
    for k in range(n):
        place = order[k] & 0xFFFFFFFF
        columns[k] = order[k] >> 32
        tf[k] = counts[place]
        df[k] = max(document_frequency[terms[place]], 1)
    return columns, tf, df


@kernel
def _finish(data: Floats, factor: Floats) -> None:
    """Multiply by the global parts and divide by the Euclidean norm, in place; weights of zero stay zero."""
    squares = 0.0
    for i in range(data.size):
        data[i] *= factor[i]
        squares += data[i] * data[i]
    if squares > 0.0:
        length = np.sqrt(squares)
        for i in range(data.size):
            data[i] /= length
