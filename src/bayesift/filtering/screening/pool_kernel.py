"""The kernel of a pool: words in common, smoothed over the pool.

With X the records' vectors, K = X X^T, and U, lambda its leading eigenvectors and eigenvalues (`leading_directions`):

    S = K + Z Z^T,   Z = sqrt(SMOOTHING / lambda_2) U diag(lambda)
    k_ij = S_ij / (s_i s_j) + 1,   s_i^2 = S_ii

Z Z^T is SMOOTHING K^2 / lambda_2 as far as those directions go: two records are alike if they have words in common, or
if both have words in common with the same other records. With the directions, a product with S costs one pass over the
words instead of three, and s is known without a row of K^2 for every record.

A term of a single record adds to the diagonal of K only, so the matrix Y has the other terms alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from bayesift.filtering.screening.directions import Floats, Ints, Singles, leading_directions
from bayesift.filtering.screening.judged_terms import JudgedTerms, Numbers, add_fields, terms_of
from bayesift.numba_kernel import kernel

SMOOTHING = 2.0
MOST_PRODUCTS = 1000  # records whose products are kept


class SharedTerms(NamedTuple):
    """Y, K_ii from terms that no other record has, and the column of each column of Y in X."""

    rows: sparse.csr_matrix
    own: Floats
    terms: Numbers


def shared_terms(X: sparse.csr_matrix) -> SharedTerms:
    """Return the terms that several records have, and what the others add to the diagonal of K."""
    count = np.bincount(X.indices, X.data != 0.0, X.shape[1])
    terms = np.flatnonzero(count > 1)
    number = np.full(X.shape[1], -1, np.int32)
    number[terms] = np.arange(terms.size, dtype=np.int32)
    n = int(count[terms].sum())
    ends, columns, values = np.zeros(X.shape[0] + 1, np.int32), np.empty(n, np.int32), np.empty(n, np.float32)
    own = np.zeros(X.shape[0])
    _keep_shared(X.indptr, X.indices, X.data, number, ends, columns, values, own)
    return SharedTerms(sparse.csr_matrix((values, columns, ends), shape=(X.shape[0], terms.size)), own, terms)


class PoolKernel:
    """The kernel of records; the last `extra` ones have no part in the smoothing of the others.

    `known` are the attributes `values` and `Z` of an earlier kernel of the same records and seed: they take most of the
    time to compute.
    """

    def __init__(
        self, shared: SharedTerms, extra: int, seed: int, known: tuple[Floats, Singles] | None = None
    ) -> None:
        self.rows, self.own, self.terms = shared
        self.rows.sort_indices()
        self.columns = sparse.csc_matrix(self.rows)
        self._products: tuple[dict[int, int], Floats] = {}, np.zeros((0, 0))  # of these records, at these places
        self._judged: JudgedTerms | None = None
        self.values, self.Z = known or self._directions(self.own.size - extra, seed)
        self.second = float(self.values[min(1, self.values.size - 1)])
        has_terms = (np.diff(self.rows.indptr) > 0) | (self.own > 0.0)  # then K_ii is 1
        length = np.sqrt(has_terms + np.einsum("ij,ij->i", self.Z, self.Z, dtype=np.float64))
        self.length: Floats = np.where(length > 0.0, length, 1.0)

    def _directions(self, n: int, seed: int) -> tuple[Floats, Singles]:
        """Return the eigenvalues of the first n records, and Z of all."""
        values, U = leading_directions(self.columns, self.own, n, seed)
        Z = (U * (np.sqrt(SMOOTHING / float(values[min(1, values.size - 1)])) * values)).astype(np.float32)
        if n < self.own.size:  # the others' part in the directions: K_i U / lambda
            near = np.asarray((self.rows[n:] @ self.rows[:n].T) @ (Z / values), np.float32)
            Z = np.concatenate([Z, near])
        return np.ascontiguousarray(values), np.ascontiguousarray(Z)  # as they are when they are stored and read again

    def products(self, rows: Numbers) -> Floats:
        """Return Y Y^T of some rows; what was computed before is kept, and does not depend on the order of calls."""
        places, found = self._products
        new = np.array([row for row in rows.tolist() if row not in places], np.intp)
        if new.size:
            if len(places) + new.size > MOST_PRODUCTS:
                places, new = {}, rows
            n, every = len(places), np.concatenate([np.fromiter(places, np.intp), new])
            whole = np.zeros((every.size, every.size))
            whole[:n, :n] = found[:n, :n]
            Y = self.rows
            _multiply_rows(Y.indptr, Y.indices, Y.data, every, n, np.zeros(self.terms.size), whole)
            places, found = {row: place for place, row in enumerate(every.tolist())}, whole
            self._products = places, found  # at once: threads share a kernel
        where = [places[row] for row in rows.tolist()]
        return np.asarray(found[np.ix_(where, where)])

    def terms_of(self, rows: Numbers) -> JudgedTerms:
        """Return the terms of some rows, which are ascending; the last result is kept, since few rows change."""
        self._judged = found = terms_of(self.rows, rows, self._judged)
        return found

    def fields(self, rows: Numbers, alpha: Floats) -> Floats:
        """Return sum_j alpha_j k_ij for all rows i, j over some rows, which are ascending."""
        scaled, C, out = alpha / self.length[rows], self.columns, np.zeros(self.length.size)
        out[rows] = self.own[rows] * scaled
        factor = np.zeros(self.length.size)
        factor[rows] = scaled
        add_fields(*self.terms_of(rows)[1:], factor, C.indptr, C.indices, C.data, out)
        out += self.Z @ (scaled @ self.Z[rows]).astype(np.float32)
        return np.asarray(out / self.length + alpha.sum())

    def term_weights(self, rows: Numbers, alpha: Floats) -> Floats:
        """Return the weight of each term of Y: a field is x_i.w / s_i + sum(alpha), but for terms of one record."""
        return self.weights_of(np.arange(self.terms.size), self.record_weights(rows, alpha))

    def record_weights(self, rows: Numbers, alpha: Floats) -> Floats:
        """Return what each record adds to the weights of its terms, for `weights_of`."""
        scaled = np.zeros(self.length.size)
        scaled[rows] = alpha / self.length[rows]
        return np.asarray(scaled + self.Z @ ((scaled[rows] @ self.Z[rows]) / self.values).astype(np.float32))

    def weights_of(self, columns: Numbers, of_records: Floats) -> Floats:
        """Return the weights of some terms of Y: a record has a few hundred of the many that a pool has."""
        out = np.zeros(columns.size)
        _sum_columns(self.columns.indptr, self.columns.indices, self.columns.data, columns, of_records, out)
        return out


@kernel
def _keep_shared(
    ends: Ints, columns: Ints, values: Singles, number: Ints, new_ends: Ints, new_columns: Ints, new_values: Singles,
    own: Floats,
) -> None:  # fmt: skip
    """Copy the entries of columns that have a number, and sum the squares of the others by row."""
    n = 0
    for i in range(ends.size - 1):
        for e in range(ends[i], ends[i + 1]):
            value, column = values[e], number[columns[e]]
            if value != 0.0 and column >= 0:
                new_columns[n], new_values[n] = column, value
                n += 1
            else:
                own[i] += np.float64(value) * np.float64(value)
        new_ends[i + 1] = n


@kernel
def _multiply_rows(
    ends: Ints, columns: Ints, values: Singles, rows: Numbers, first: int, dense: Floats, out: Floats
) -> None:
    """Store the products of the rows from `first` on with all, in the order of terms whichever comes first."""
    for a in range(first, rows.size):
        for e in range(ends[rows[a]], ends[rows[a] + 1]):
            dense[columns[e]] = values[e]
        for b in range(a + 1):
            total = 0.0
            for e in range(ends[rows[b]], ends[rows[b] + 1]):
                total += dense[columns[e]] * values[e]
            out[a, b] = out[b, a] = total
        for e in range(ends[rows[a]], ends[rows[a] + 1]):
            dense[columns[e]] = 0.0


@kernel
def _sum_columns(ends: Ints, rows: Ints, values: Singles, columns: Numbers, factor: Floats, out: Floats) -> None:
    """Store the products of columns with a vector in `out`."""
    for n in range(columns.size):
        for e in range(ends[columns[n]], ends[columns[n] + 1]):
            out[n] += values[e] * factor[rows[e]]
