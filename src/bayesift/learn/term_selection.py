"""Selection of the most informative terms of a category from counts of documents, which can be updated online.

For a category and a term, of N documents R are relevant, n contain the term and R_t are both:

- likelihood ratio (Dunning; chai2002 2.3): -2 ln lambda compares one rate of relevance for all documents with one
  for those that contain the term and one for those that do not; 0 ln 0 = 0. About chi-squared with one degree of
  freedom: 12.13 is the 0.05 % level. Terms that speak against the category count too.
- Pearson (eyheramendy2003 eq. 15, as the ordinary correlation): |corr(term occurs, document is relevant)|.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from bayesift.errors import BadInput

Floats = NDArray[np.float64]
Method = Literal["likelihood_ratio", "pearson"]
MIN_STATISTIC = 12.13  # chai2002 2.3


class TermCounts:
    """Counts of documents by category and term, added to as documents come.

    >>> counts = TermCounts()
    >>> _ = counts.add([[1, 0], [2, 1], [0, 1], [0, 3]], [[1], [1], [0], [0]])
    >>> counts.scores(0).round(3)
    array([5.545, 1.726])
    >>> counts.scores(0, "pearson").round(3)
    array([1.   , 0.577])
    >>> counts.select(0, min_statistic=2.0)
    array([0])
    """

    def __init__(self) -> None:
        self.n_documents = 0
        self.with_term = np.zeros(0, np.int64)  # n
        self.relevant = np.zeros(0, np.int64)  # R
        self._both = sparse.csr_matrix(np.zeros((0, 0), np.int64))  # R_t, categories x terms
        self._new: list[Any] = []  # parts of R_t not yet added up
        self._new_size = 0

    def add(self, documents: Any, labels: Any) -> TermCounts:
        """Count documents (rows of weights or counts; not zero = occurs) and their labels (rows of 0 and 1)."""
        occurs, labelled = _present(documents), _present(labels)
        if occurs.shape[0] != labelled.shape[0]:
            raise BadInput(
                f"{occurs.shape[0]} documents and {labelled.shape[0]} rows of labels", remedy="give one row each"
            )
        self.n_documents += occurs.shape[0]
        self.with_term = _sum(self.with_term, occurs)
        self.relevant = _sum(self.relevant, labelled)
        part = sparse.csr_matrix(labelled.T @ occurs)
        self._new.append(part)
        self._new_size += part.nnz
        if self._new_size > self._both.nnz:  # so that adding one by one costs no more than all at once
            self._add_up()
        return self

    @property
    def both(self) -> sparse.csr_matrix:
        """Documents of a category (row) with a term (column)."""
        self._add_up()
        return self._both

    def state(self) -> dict[str, Any]:
        """Return all counts as arrays and numbers."""
        both = self.both
        return {
            "n_documents": self.n_documents,
            "with_term": self.with_term,
            "relevant": self.relevant,
            "both": [both.indptr, both.indices, both.data],
        }

    @classmethod
    def restored(cls, state: dict[str, Any]) -> TermCounts:
        """Return the counts of a state that `state` returned."""
        counts = cls()
        counts.n_documents, counts.with_term = state["n_documents"], state["with_term"]
        counts.relevant = state["relevant"]
        indptr, indices, data = state["both"]
        counts._both = sparse.csr_matrix((data, indices, indptr), shape=(counts.relevant.size, counts.with_term.size))
        return counts

    def _add_up(self) -> None:
        if not self._new:
            return
        shape = (self.relevant.size, self.with_term.size)
        for part in [self._both, *self._new]:
            part.resize(shape)
        self._both = sparse.csr_matrix(sum(self._new, start=self._both))
        self._new, self._new_size = [], 0

    def scores(self, category: int, method: Method = "likelihood_ratio") -> Floats:
        """Return the score of every term for one category; 0 where it is undefined."""
        together, n = self.both, self.n_documents
        row = slice(together.indptr[category], together.indptr[category + 1])
        both = np.zeros(self.with_term.size, np.int64)
        both[together.indices[row]] = together.data[row]
        relevant = int(self.relevant[category])
        if method == "likelihood_ratio":
            return _likelihood_ratio(both, relevant, self.with_term, n)
        if method == "pearson":
            return _pearson(both, relevant, self.with_term, n)
        raise BadInput(f"no method {method!r}", remedy="use 'likelihood_ratio' or 'pearson'")

    def rarest(self, method: Method = "likelihood_ratio") -> float:
        """Return the score of a term that occurs in one document, the only one of its category.

        >>> [round(TermCounts().add([[1]] * n, [[1]] * n).rarest(), 2) for n in (6, 158, 159)]
        [5.41, 12.12, 12.13]
        """
        if method == "pearson":
            return 1.0
        n = self.n_documents
        return float(2.0 * (_x_ln_x(n) - _x_ln_x(n - 1)))

    def select(
        self,
        category: int,
        method: Method = "likelihood_ratio",
        min_statistic: float = MIN_STATISTIC,
        max_terms: int | None = 300,
    ) -> NDArray[np.intp]:
        """Return the columns of the terms that score above `min_statistic`, at most `max_terms`, in column order."""
        score = self.scores(category, method)
        best = np.argsort(-score, kind="stable")[:max_terms]
        return np.sort(best[score[best] > min_statistic])


def _present(matrix: Any) -> sparse.csr_matrix:
    present = sparse.csr_matrix(matrix)
    present.eliminate_zeros()
    return sparse.csr_matrix((np.ones(present.nnz, np.int64), present.indices, present.indptr), shape=present.shape)


def _sum(total: NDArray[np.int64], rows: sparse.csr_matrix) -> NDArray[np.int64]:
    return np.bincount(rows.indices, minlength=max(total.size, rows.shape[1])) + np.pad(
        total, (0, max(0, rows.shape[1] - total.size))
    )


def _x_ln_x(count: Any) -> Any:
    return special.xlogy(count, count)


def _likelihood_ratio(both: NDArray[np.int64], relevant: int, with_term: NDArray[np.int64], n: int) -> Floats:
    without, irrelevant = n - with_term, n - relevant
    apart = _x_ln_x(irrelevant - with_term + both) - _x_ln_x(without)
    apart += _x_ln_x(relevant)  # where no relevant document has the term; the others follow
    some = np.flatnonzero(both)
    r, t = both[some], with_term[some]
    apart[some] += _x_ln_x(r) + _x_ln_x(t - r) - _x_ln_x(t) + _x_ln_x(relevant - r) - _x_ln_x(relevant)
    together = _x_ln_x(relevant) + _x_ln_x(irrelevant) - _x_ln_x(n)
    score: Floats = np.maximum(2.0 * (apart - together), 0.0)
    return score


def _pearson(both: NDArray[np.int64], relevant: int, with_term: NDArray[np.int64], n: int) -> Floats:
    covariance = np.abs(n * both.astype(np.float64) - float(relevant) * with_term)
    spread = np.sqrt(float(relevant) * (n - relevant)) * np.sqrt(with_term.astype(np.float64) * (n - with_term))
    score: Floats = np.divide(covariance, spread, out=np.zeros_like(covariance), where=spread > 0)
    return score
