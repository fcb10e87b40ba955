"""The scores of the background's documents for many topics at once, to the byte those of one topic at a time.

A sum of floating-point numbers depends on its order, and a product of matrices takes another order than a product with
a vector. So both factors are rounded: what a document has to multiples of 2^-20 of the largest number, what a topic has
to multiples of 2^-22 of its largest. Then all products and sums are whole numbers below 2^53 times a power of 2, which
are exact in any order; what rounding changes in a score is less than a millionth of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.rows import Columns
from bayesift.numba_kernel import kernel
from bayesift.threads import one_thread

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
DOCUMENT_BITS, TOPIC_BITS = 20, 22
LEAST = -900  # power of 2 that what is largest counts as, so that its inverse is a number


class ReferenceScores:
    """Documents of the background, for scores.

    Parameters
    ----------
    reference : csr_matrix
        Their words.
    features : array of (documents, features)
        Their features of the shared kernel.
    """

    def __init__(self, reference: Any, features: Floats) -> None:
        self.features = features
        by_term = reference.tocsc()
        by_term.sort_indices()
        largest = max(float(np.abs(part).max(initial=0.0)) for part in (features, by_term.data))
        self._ends, self._documents = by_term.indptr, by_term.indices
        self._words = _rounded(by_term.data, largest, DOCUMENT_BITS)
        self._features = np.ascontiguousarray(_rounded(features, largest, DOCUMENT_BITS).T)

    def __call__(
        self, dense: Floats, ends: Longs, terms: Columns, weights: Floats, out: Floats | None = None
    ) -> Floats:
        """Return the scores for topics: (topics, documents).

        Parameters
        ----------
        dense : array of (topics, features)
            The weights of the features.
        ends, terms, weights : arrays
            The weights of words: those of topic t are from ends[t] to ends[t + 1].
        out : array of (topics, documents), optional
            Where they are written.
        """
        largest = np.abs(dense).max(axis=1, initial=0.0)
        _take_largest(ends, weights, largest)
        with one_thread():
            scores = np.matmul(_rounded(dense, largest[:, None], TOPIC_BITS), self._features, out=out)
        each = np.repeat(largest, np.diff(ends))
        _add_words(ends, terms, _rounded(weights, each, TOPIC_BITS), self._ends, self._documents, self._words, scores)
        return np.asarray(scores)


def _rounded(values: Floats, largest: Any, bits: int) -> Floats:
    """Return values rounded to multiples of 2^-bits of the power of 2 from `largest` on."""
    power = bits - np.maximum(np.frexp(largest)[1], LEAST)
    found: Floats = np.multiply(values, np.ldexp(1.0, power))  # exact, as is the product with a power of 2 below
    np.rint(found, out=found)
    found *= np.ldexp(1.0, -power)
    return found


@kernel
def _take_largest(ends: Longs, weights: Floats, out: Floats) -> None:
    for t in range(out.size):
        for k in range(ends[t], ends[t + 1]):
            out[t] = max(out[t], abs(weights[k]))


@kernel
def _add_words(
    ends: Longs, terms: Columns, weights: Floats, begin: Columns, documents: Columns, words: Floats, out: Floats
) -> None:
    """Add w_t.x of every topic and document."""
    for t in range(ends.size - 1):
        row = out[t]
        for k in range(ends[t], ends[t + 1]):
            j, w = terms[k], weights[k]
            if j < begin.size - 1:
                for i in range(begin[j], begin[j + 1]):
                    row[documents[i]] += w * words[i]
