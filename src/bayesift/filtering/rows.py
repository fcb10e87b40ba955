"""Sparse vectors of documents: the columns of the terms, ascending, and their weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
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
    """The sparse vector of a document.

    >>> Row.of({2: 0.6, 0: 0.8})
    Row(columns=array([0, 2], dtype=int32), weights=array([0.8, 0.6]))
    """

    columns: Columns
    weights: Floats

    @classmethod
    def of(cls, entries: dict[int, float]) -> Row:
        """Return the row of a mapping from columns to weights."""
        columns = sorted(entries)
        return cls(np.array(columns, np.int32), np.array([entries[c] for c in columns], np.float64)).checked()

    @property
    def key(self) -> bytes:
        """A digest that rows with the same columns and weights have in common."""
        return blake2b(self.columns.tobytes() + self.weights.tobytes(), digest_size=8).digest()

    def after(self, n: int) -> Row:
        """Return the part of the row without the first n columns.

        >>> Row.of({2: 0.6, 0: 0.8}).after(1).columns.tolist()
        [2]
        """
        if not n:
            return self
        first = int(np.searchsorted(self.columns, n))
        return Row(self.columns[first:], self.weights[first:])

    def checked(self) -> Row:
        """Return the row; raise BadInput if its columns are not ascending or a weight is not finite."""
        c, w = self
        if c.ndim != 1 or c.shape != w.shape or (c[:-1] >= c[1:]).any() or (c.size and c[0] < 0):
            raise BadInput("a row's columns are not in ascending order", remedy="give each column once, with a weight")
        if not np.isfinite(w).all():
            raise BadInput("a row has a weight that is not finite", remedy="weigh the document again")
        return self


def rows_of(matrix: sparse.csr_matrix) -> Iterator[Row]:
    """Yield the rows of a matrix with sorted indices.

    >>> next(rows_of(sparse.csr_matrix([[0.0, 0.5]])))
    Row(columns=array([1], dtype=int32), weights=array([0.5]))
    """
    ends, columns, weights = matrix.indptr, matrix.indices.astype(np.int32), matrix.data.astype(np.float64)
    for begin, end in pairwise(ends.tolist()):
        yield Row(columns[begin:end], weights[begin:end])


def row_of(matrix: sparse.csr_matrix, i: int) -> Row:
    """Return one row of a matrix with sorted indices."""
    begin, end = matrix.indptr[i], matrix.indptr[i + 1]
    return Row(matrix.indices[begin:end].astype(np.int32), matrix.data[begin:end].astype(np.float64))


class Batch(NamedTuple):
    """Several rows in the layout of scipy's csr_matrix, without its checks, which cost more than a step of learning."""

    indptr: Columns
    indices: Columns
    data: Floats

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Batch:
        """Return a batch of rows."""
        indptr = np.zeros(len(rows) + 1, np.int32)
        np.cumsum([row.columns.size for row in rows], out=indptr[1:])
        if len(rows) == 1:
            return cls(indptr, *rows[0])
        empty = Row(np.empty(0, np.int32), np.empty(0))
        columns, weights = zip(*rows) if rows else ([empty.columns], [empty.weights])
        return cls(indptr, np.concatenate(columns), np.concatenate(weights))

    @property
    def rows(self) -> list[Row]:
        """The rows, as parts of the batch."""
        ends = self.indptr.tolist()
        return [Row(self.indices[a:b], self.data[a:b]) for a, b in pairwise(ends)]

    def state(self) -> dict[str, Any]:
        """Return copies of the arrays, for `restored`."""
        return {"ends": self.indptr.copy(), "columns": self.indices.copy(), "weights": self.data.copy()}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Batch:
        """Return the batch of a state."""
        ends, columns = (np.array(state[name], np.int32) for name in ("ends", "columns"))
        return cls(ends, columns, np.array(state["weights"], np.float64))

    def append(self, row: Row) -> Batch:
        """Return a batch with one more row."""
        ends = np.append(self.indptr, np.int32(self.indices.size + row.columns.size))
        return Batch(ends, np.concatenate([self.indices, row.columns]), np.concatenate([self.data, row.weights]))

    def extend(self, more: Batch) -> Batch:
        """Return a batch with the rows of another one after its own."""
        ends = np.concatenate([self.indptr, np.int32(self.indices.size) + more.indptr[1:]])
        return Batch(ends, np.concatenate([self.indices, more.indices]), np.concatenate([self.data, more.data]))


def check_rows(rows: Sequence[Row]) -> None:
    """Raise BadInput if a row is not valid, as `Row.checked` does.

    >>> check_rows([Row.of({2: 0.6, 7: 0.8}), Row.of({1: 1.0})])
    >>> check_rows([Row.of({2: 0.6}), Row(np.array([1, 1], np.int32), np.array([0.5, 0.5]))])
    Traceback (most recent call last):
    bayesift.errors.BadInput: a row's columns are not in ascending order; give each column once, with a weight
    """
    fits = all(columns.ndim == 1 and columns.shape == weights.shape for columns, weights in rows)
    ends, columns, weights = Batch.of(rows) if fits else Batch.of([])
    falls = columns[1:] <= columns[:-1]
    falls[ends[1:-1][(ends[1:-1] > 0) & (ends[1:-1] < columns.size)] - 1] = False  # from one row to the next
    if not fits or falls.any() or (columns < 0).any() or not np.isfinite(weights).all():
        for row in rows:
            row.checked()


@kernel
def localised(columns: Columns, weights: Floats, known: Columns, place: Columns) -> tuple[Columns, Floats]:
    """Return the part of a row in `known` columns (ascending), each column replaced by its place."""
    indices, data = np.empty(columns.size, np.int32), np.empty(columns.size)
    n = 0
    for i in range(columns.size):
        k = np.searchsorted(known, columns[i])
        if k < known.size and known[k] == columns[i]:
            indices[n], data[n] = place[k], weights[i]
            n += 1
    return indices[:n].copy(), data[:n].copy()


def matrix_batch(matrix: Any) -> Batch:
    """Return a csr_matrix as a batch."""
    return Batch(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data.astype(np.float64))
