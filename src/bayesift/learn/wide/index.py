"""Labels worth scoring: an inverted index from terms to the labels that they speak for most.

    d_cj = mu_cj - mu_uj > 0: what the term j says for the label c beyond what it says for a label that nobody has

The index holds the `TERMS` largest d of each label. A document's labels are added up over its terms, sum_j x_j d_cj -
b_c, and the largest sums are its candidates. Labels without an indexed term in the document are never looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
TERMS = 64


@dataclass(frozen=True)
class LabelIndex:
    """The labels of each term, with what the term says for them."""

    begins: Longs  # (terms + 1,)
    labels: Ints
    weights: Singles
    bias: Floats  # (labels,)

    @classmethod
    def of(cls, own_ptr: Longs, own: Ints, more: Singles, bias: Floats, features: int) -> LabelIndex:
        """Return the index of the labels' own terms, where `more` are the d of all of them."""
        kept = _largest(own_ptr, more, TERMS)
        terms, labels = own[kept], np.repeat(np.arange(bias.size, dtype=np.int32), np.diff(own_ptr))[kept]
        order = np.argsort(terms, kind="stable")
        begins = np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=features))])
        return cls(begins, labels[order], more[kept][order], bias)

    def candidates(self, indptr: Any, indices: Any, data: Singles, most: int) -> tuple[Longs, Ints]:
        """Return where each document's candidates begin, and the candidates, at most `most`, rising."""
        n, labels = indptr.size - 1, self.bias.size
        if labels <= most:
            return np.arange(n + 1) * labels, np.tile(np.arange(labels, dtype=np.int32), n)
        counts, found = _candidates(indptr, indices, data, self.begins, self.labels, self.weights, self.bias, most)
        return np.concatenate([[0], np.cumsum(counts)]), found


@kernel
def _largest(begins: Longs, values: Singles, most: int) -> NDArray[np.bool_]:
    """Return which values are positive and among the `most` largest of their part; of equals the first ones are."""
    kept = np.zeros(values.size, np.bool_)
    for c in range(begins.size - 1):
        part = values[begins[c] : begins[c + 1]]
        for k in np.argsort(-part, kind="mergesort")[:most]:
            kept[begins[c] + k] = part[k] > 0.0
    return kept


@kernel
def _candidates(
    indptr: Any, indices: Any, data: Singles, begins: Longs, labels: Ints, weights: Singles, bias: Floats, most: int
) -> tuple[Longs, Ints]:
    n = indptr.size - 1
    counts, found, size = np.zeros(n, np.int64), np.empty(n * most, np.int32), 0
    total, met, seen = np.zeros(bias.size), np.empty(bias.size, np.int32), np.zeros(bias.size, np.bool_)
    for t in range(n):
        k = 0
        for i in range(indptr[t], indptr[t + 1]):
            for p in range(begins[indices[i]], begins[indices[i] + 1]):
                c = labels[p]
                if not seen[c]:
                    seen[c], met[k], total[c] = True, c, -bias[c]
                    k += 1
                total[c] += data[i] * weights[p]
        some = np.sort(met[:k])
        for c in some:
            seen[c] = False
        if k > most:
            value = total[some]
            some = np.sort(some[np.argsort(-value, kind="mergesort")[:most]])
        found[size : size + some.size] = some
        size += some.size
        counts[t] = some.size
    return counts, found[:size].copy()
