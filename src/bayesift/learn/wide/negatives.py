"""Negatives worth learning: the documents most like a label's positives, found by an inverted index of terms.

    s_j = ln(N / df_j) sum of x_j over the positives,   similarity of a document = sum_j x_j s_j over `TERMS` terms

The terms are those with the largest s. A document without any of them shares no informative term with the positives: a
model has nothing to learn from it that the sample and the background have not (`fitting`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.numba_kernel import kernel

TERMS = 32
PER_POSITIVE = 5  # similar documents for each positive, at least


class Similar:
    """The documents most like some others: `most` of them, or `PER_POSITIVE` for each if these are more."""

    def __init__(self, rows: sparse.csr_matrix, most: int) -> None:
        self._rows, self._columns, self._most = rows, rows.tocsc(), most

    def documents(self, positives: Sequence[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
        """Return for the positives of each label the documents most like them, and none of them."""
        rows, columns = self._rows, self._columns
        place, similarity = np.full(rows.shape[1], -1, np.int32), np.zeros(rows.shape[0])
        found = []
        for some in positives:
            own = own_terms(rows.indptr, rows.indices, some, place)
            found.append(similar(
                rows.indptr, rows.indices, rows.data, columns.indptr, columns.indices, columns.data, some, own, place,
                similarity, max(self._most, PER_POSITIVE * some.size), TERMS,
            ))  # fmt: skip
        return found


@kernel
def own_terms(indptr: Any, indices: Any, documents: Any, place: Any) -> Any:
    """Return the terms that occur in these documents, rising; `place` is -1 for each term, and again so."""
    size = 0
    for t in documents:
        size += indptr[t + 1] - indptr[t]
    found, n = np.empty(size, np.int32), 0
    for t in documents:
        for i in range(indptr[t], indptr[t + 1]):
            if place[indices[i]] < 0:
                place[indices[i]] = 0
                found[n] = indices[i]
                n += 1
    for k in range(n):
        place[found[k]] = -1
    return np.sort(found[:n])


@kernel
def similar(
    indptr: Any, indices: Any, data: Any, postings: Any, posted: Any, posted_data: Any, positives: Any, terms: Any,
    place: Any, similarity: Any, most: int, most_terms: int,
) -> NDArray[Any]:  # fmt: skip
    """Return at most `most` documents, the most similar ones to the positives and none of them; ties go by number.

    `place` is -1 for each term and `similarity` 0 for each document, and again so.
    """
    weight = np.zeros(terms.size)
    for k in range(terms.size):
        place[terms[k]] = k
    for t in positives:
        for i in range(indptr[t], indptr[t + 1]):
            weight[place[indices[i]]] += abs(data[i])
    documents = similarity.size
    for k in range(terms.size):
        j = terms[k]
        place[j] = -1
        weight[k] *= math.log(documents / (postings[j + 1] - postings[j]))
    best = np.argsort(-weight, kind="mergesort")[:most_terms]
    size = 0
    for k in best:
        size += postings[terms[k] + 1] - postings[terms[k]]
    found, n = np.empty(size, np.int32), 0
    for k in best:
        if weight[k] <= 0.0:
            break
        for i in range(postings[terms[k]], postings[terms[k] + 1]):
            t = posted[i]
            if similarity[t] == 0.0:
                found[n] = t
                n += 1
            similarity[t] += weight[k] * abs(posted_data[i]) + 1e-30
    for t in positives:
        similarity[t] = 0.0
    found = np.sort(found[:n])
    value = np.empty(n)
    for k in range(n):
        value[k] = similarity[found[k]]
        similarity[found[k]] = 0.0
    if n <= most:
        return found[value > 0.0]
    least = max(np.partition(value, n - most)[n - most], 1e-300)
    above = (value > least).sum()
    chosen, m = np.empty(most, np.int32), 0
    for k in range(n):
        if value[k] > least:
            chosen[m] = found[k]
            m += 1
        elif value[k] == least and above < most:
            chosen[m] = found[k]
            m += 1
            above += 1
    return chosen[:m]
