"""A document as the filter sees it: the columns of its terms, in order, and their weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Columns = NDArray[np.int32]


class Row(NamedTuple):
    """One sparse vector.

    >>> Row.of({2: 0.6, 0: 0.8})
    Row(columns=array([0, 2], dtype=int32), weights=array([0.8, 0.6]))
    """

    columns: Columns
    weights: Floats

    @classmethod
    def of(cls, entries: dict[int, float]) -> Row:
        """From a mapping of columns to weights."""
        columns = sorted(entries)
        return cls(np.array(columns, np.int32), np.array([entries[c] for c in columns], np.float64)).checked()

    def checked(self) -> Row:
        """The same row, or an error that says what is wrong with it."""
        c, w = self
        if c.ndim != 1 or c.shape != w.shape or (c[:-1] >= c[1:]).any() or (c.size and c[0] < 0):
            raise BadInput("a row's columns are not in ascending order", remedy="give each column once, with a weight")
        if not np.isfinite(w).all():
            raise BadInput("a row has a weight that is not finite", remedy="weigh the document again")
        return self


def rows_of(matrix: sparse.csr_matrix) -> Iterator[Row]:
    """The rows of a matrix with sorted indices."""
    ends, columns, weights = matrix.indptr, matrix.indices.astype(np.int32), matrix.data.astype(np.float64)
    for begin, end in pairwise(ends.tolist()):
        yield Row(columns[begin:end], weights[begin:end])


class Batch(NamedTuple):
    """Rows one after another, laid out as scipy's csr_matrix is but made without its checks, which cost more than
    a step of learning."""

    indptr: Columns
    indices: Columns
    data: Floats

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Batch:
        """From some rows."""
        indptr = np.zeros(len(rows) + 1, np.int32)
        np.cumsum([row.columns.size for row in rows], out=indptr[1:])
        if len(rows) == 1:
            return cls(indptr, *rows[0])
        empty = Row(np.empty(0, np.int32), np.empty(0))
        columns, weights = zip(*rows) if rows else ([empty.columns], [empty.weights])
        return cls(indptr, np.concatenate(columns), np.concatenate(weights))


@kernel
def localised(columns: Columns, weights: Floats, known: Columns, place: Columns) -> tuple[Columns, Floats]:
    """The part of a row in `known` columns (ascending), each column replaced by its place."""
    indices, data = np.empty(columns.size, np.int32), np.empty(columns.size)
    n = 0
    for i in range(columns.size):
        k = np.searchsorted(known, columns[i])
        if k < known.size and known[k] == columns[i]:
            indices[n], data[n] = place[k], weights[i]
            n += 1
    return indices[:n].copy(), data[:n].copy()


def matrix_batch(matrix: Any) -> Batch:
    """A csr_matrix as a batch."""
    return Batch(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data.astype(np.float64))
