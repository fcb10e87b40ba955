"""The terms of the judged rows of a pool, by term and, for each term, by row.

One judgement adds one row, so the entries are merged with those before: one pass in the order of memory. The result is
a function of the rows alone, whatever was there before, to the last bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.filtering.screening.directions import Floats, Ints, Singles
from bayesift.numba_kernel import kernel

Numbers = NDArray[np.intp]
FEW = 16  # rows that differ from those before; more are sorted from scratch
SIZES = 16  # columns with as many entries or more are not told apart by their size


class JudgedTerms(NamedTuple):
    """Entries (term, row, value) of some rows, which are ascending."""

    rows: Numbers
    terms: Ints
    row_of: Ints
    values: Singles


class SharedColumns(NamedTuple):
    """Terms of two rows or more, by columns: where each ends, and of each entry its place among the rows and value.

    Columns with equally many entries lie together, so that a processor foresees where each ends.
    """

    ends: Ints
    places: Ints
    values: Singles


def terms_of(Y: sparse.csr_matrix, rows: Numbers, known: JudgedTerms | None = None) -> JudgedTerms:
    """Return the entries of some rows, from those of other rows if these are nearly the same.

    >>> Y = sparse.csr_matrix(np.array([[1, 0], [2, 3], [0, 4]], np.float32))
    >>> found = terms_of(Y, np.array([0, 1]))
    >>> found.terms.tolist(), found.row_of.tolist(), found.values.tolist()
    ([0, 0, 1], [0, 1, 1], [1.0, 2.0, 3.0])
    >>> terms_of(Y, np.array([1, 2]), found).values.tolist()
    [2.0, 3.0, 4.0]
    """
    if known is not None:
        new = np.setdiff1d(rows, known.rows, assume_unique=True)
        gone = np.setdiff1d(known.rows, rows, assume_unique=True)
        if not new.size and not gone.size:
            return known
        if new.size + gone.size <= FEW:
            return JudgedTerms(rows, *_merged(*known[1:], gone, *_sorted(Y, new)))
    return JudgedTerms(rows, *_sorted(Y, rows))


def _sorted(Y: sparse.csr_matrix, rows: Numbers) -> tuple[Ints, Ints, Singles]:
    """Return the entries of ascending rows by term; a stable sort keeps the rows of a term in their order."""
    terms, row_of, values = _entries(Y.indptr, Y.indices, Y.data, rows)
    order = np.argsort(terms, kind="stable")
    return terms[order], row_of[order], values[order]


def shared_columns(found: JudgedTerms, n_rows: int) -> tuple[SharedColumns, Floats]:
    """Return by columns the terms that several rows have, and the sum of squares of the others by row.

    `n_rows` are those of the pool.
    """
    place = np.empty(n_rows, np.int32)
    place[found.rows] = np.arange(found.rows.size, dtype=np.int32)
    ends, places, values, own = _shared(*found[1:], place, found.rows.size)
    return SharedColumns(ends, places, values), own


@kernel
def _entries(ends: Ints, columns: Ints, values: Singles, rows: Numbers) -> tuple[Ints, Ints, Singles]:
    n = 0
    for i in rows:
        n += ends[i + 1] - ends[i]
    terms, row_of, of_row = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.float32)
    n = 0
    for i in rows:
        for e in range(ends[i], ends[i + 1]):
            terms[n], row_of[n], of_row[n] = columns[e], i, values[e]
            n += 1
    return terms, row_of, of_row


@kernel
def _merged(
    terms: Ints, row_of: Ints, values: Singles, gone: Numbers, new_terms: Ints, new_row_of: Ints, new_values: Singles
) -> tuple[Ints, Ints, Singles]:
    """Return both, by term and row, without the rows that are gone."""
    most = terms.size + new_terms.size
    out_terms, out_row_of, out_values = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.float32)
    a, n = 0, 0
    for b in range(new_terms.size + 1):
        last = b == new_terms.size
        while a < terms.size and (
            last or terms[a] < new_terms[b] or (terms[a] == new_terms[b] and row_of[a] < new_row_of[b])
        ):
            kept = True
            for row in gone:
                kept = kept and row_of[a] != row
            if kept:
                out_terms[n], out_row_of[n], out_values[n] = terms[a], row_of[a], values[a]
                n += 1
            a += 1
        if not last:
            out_terms[n], out_row_of[n], out_values[n] = new_terms[b], new_row_of[b], new_values[b]
            n += 1
    return out_terms[:n], out_row_of[:n], out_values[:n]


@kernel
def _shared(terms: Ints, row_of: Ints, values: Singles, place: Ints, n: int) -> tuple[Ints, Ints, Singles, Floats]:
    """Return ends, places and values of the shared columns, few entries first, and the squares of the other entries."""
    column, entry = np.zeros(SIZES + 2, np.int32), np.zeros(SIZES + 2, np.int32)  # of each size, where the next goes
    e = 0
    while e < terms.size:
        first = e
        while e < terms.size and terms[e] == terms[first]:
            e += 1
        size = min(e - first, SIZES)
        column[size + 1] += 1
        entry[size + 1] += e - first
    column[2] = entry[2] = 0  # terms of one row
    for size in range(2, SIZES + 1):
        column[size + 1] += column[size]
        entry[size + 1] += entry[size]
    ends, places = np.zeros(column[SIZES + 1] + 1, np.int32), np.empty(entry[SIZES + 1], np.int32)
    of_place, own = np.empty(entry[SIZES + 1], np.float32), np.zeros(n)
    e = 0
    while e < terms.size:
        first = e
        while e < terms.size and terms[e] == terms[first]:
            e += 1
        if e - first == 1:
            own[place[np.uint32(row_of[first])]] += np.float64(values[first]) * np.float64(values[first])
            continue
        size = min(e - first, SIZES)
        at = entry[size]
        for k in range(first, e):
            places[at], of_place[at] = place[np.uint32(row_of[k])], values[k]
            at += 1
        entry[size] = at
        column[size] += 1
        ends[column[size]] = at
    return ends, places, of_place, own


@kernel
def add_fields(
    terms: Ints, row_of: Ints, values: Singles, factor: Floats, ends: Ints, rows: Ints, of_row: Singles, out: Floats
) -> None:
    """Add Y (Y^T factor) to `out`: factors are of rows, 0 where none was judged; Y is given by columns.

    Numbers without a sign save a test for a negative index at every entry, a third of the time.
    """
    e = 0
    while e < terms.size:
        term, weight = terms[e], 0.0
        while e < terms.size and terms[e] == term:
            weight += factor[np.uint32(row_of[e])] * values[e]
            e += 1
        for k in range(np.uint32(ends[term]), np.uint32(ends[term + 1])):
            out[np.uint32(rows[k])] += weight * of_row[k]
