"""What `candidates` returns: the labels of each document that were scored, and what was skipped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesift.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Candidates:
    """The labels worth scoring of some documents; all numbers are probabilities as `predict_proba` has them.

    >>> found = Candidates(sparse.csr_matrix([[0.2, 0.0, 0.7]]), np.array([1]), np.array([0.01]))
    >>> found.top(1)
    [[(2, 0.7)]]
    """

    probabilities: sparse.csr_matrix  # (documents, labels); what is not stored was skipped
    skipped: IntArray  # (documents,): how many labels were not scored
    missed: FloatArray  # (documents,): how many of these the document has, in expectation

    def top(self, k: int) -> list[list[tuple[int, float]]]:
        """Return the k most probable labels of each document, as numbers of columns, with their probabilities."""
        p, found = self.probabilities, []
        for begin, end in zip(p.indptr[:-1].tolist(), p.indptr[1:].tolist()):
            best = begin + np.argsort(-p.data[begin:end], kind="stable")[:k]
            found.append(list(zip(p.indices[best].tolist(), p.data[best].tolist())))
        return found
