"""Words and dense vectors of documents, side by side: the words as a sparse matrix, the vectors as an array.

As features of a learner the numbers of the vectors come first, so that words can be added at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput

Singles = NDArray[np.float32]


class SideBySide:
    """Rows of documents: `words` (documents, terms) and `dense` (documents, width).

    `widths` are those of the vectors that were put together to one, in their order.

    >>> rows = SideBySide(sparse.csr_matrix([[0.0, 2.0], [3.0, 0.0]]), np.array([[0.5], [0.25]]))
    >>> rows.shape, rows[1:].stacked().toarray().tolist()
    ((2, 3), [[0.25, 3.0, 0.0]])
    """

    def __init__(self, words: Any, dense: Any, widths: Sequence[int] | None = None) -> None:
        self.words: Any = sparse.csr_matrix(words)
        self.dense: Singles = np.ascontiguousarray(dense, np.float32)
        if self.dense.ndim != 2 or len(self.dense) != self.words.shape[0]:
            raise BadInput(f"{self.words.shape[0]} documents and dense vectors of shape {self.dense.shape}")
        if not (np.isfinite(self.words.data).all() and np.isfinite(self.dense).all()):
            raise BadInput("a document has a weight that is not finite", remedy="remove nan and inf")
        self.widths = (self.dense.shape[1],) if widths is None else tuple(widths)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of documents, and of all features."""
        return self.words.shape[0], self.words.shape[1] + self.dense.shape[1]

    def __getitem__(self, some: Any) -> SideBySide:
        """Return some of the documents, by a slice or an array of their numbers."""
        return SideBySide(self.words[some], self.dense[some], self.widths)

    def select(self, vectors: Sequence[int]) -> Any:
        """Return the rows with some of the vectors only; words alone if there are none."""
        if list(vectors) == list(range(len(self.widths))):
            return self
        parts = np.split(self.dense, np.cumsum(self.widths)[:-1], axis=1)
        dense = [parts[k] for k in vectors]
        return SideBySide(self.words, np.hstack(dense), [self.widths[k] for k in vectors]) if dense else self.words

    def stacked(self) -> Any:
        """Return one sparse matrix: the numbers of the vectors, then the words."""
        return sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(self.dense, dtype=self.words.dtype), self.words]))


def words_of(rows: Any) -> Any:
    """Return the words of rows, with or without vectors beside them."""
    return rows.words if isinstance(rows, SideBySide) else rows


def dense_of(rows: Any) -> Singles:
    """Return the vectors of rows: (documents, 0) if there are none."""
    return rows.dense if isinstance(rows, SideBySide) else np.empty((rows.shape[0], 0), np.float32)


def are_empty(rows: Any) -> NDArray[np.bool_]:
    """Return which documents have no word and no vector: they say nothing of what words mean.

    >>> are_empty(sparse.csr_matrix([[0.0, 2.0], [0.0, 0.0]])).tolist()
    [False, True]
    """
    words = words_of(rows)
    before = np.append(0, np.cumsum(words.data != 0))  # weights that are stored and not 0
    return np.asarray((before[words.indptr[1:]] == before[words.indptr[:-1]]) & ~dense_of(rows).any(axis=1))
