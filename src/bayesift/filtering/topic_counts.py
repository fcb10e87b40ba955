"""Term selection for one topic, from counts that grow with its judgements (chai2002 2.3, 4.2.1).

Of N documents R are relevant, n contain a term, R_t are both; -2 ln lambda compares one rate of relevance with two (see
`learn.term_selection`). The training documents, judged for every topic, are counted once for all of them
(`Background`). A topic adds the documents judged for it alone, so it holds only the terms that occur in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from bayesift.filtering.rows import Columns, Row
from bayesift.numba_kernel import kernel

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass
class Background:
    """The number of training documents, and the document frequency of each column."""

    n_documents: int = 0
    document_frequency: Longs = field(default_factory=lambda: np.zeros(0, np.int64))


def background_of(training: sparse.csr_matrix | None) -> Background:
    """Return the counts of the training documents, to share among topics.

    >>> background_of(sparse.csr_matrix([[0.0, 0.5], [0.3, 0.2]]))
    Background(n_documents=2, document_frequency=array([1, 2]))
    """
    if training is None:
        return Background()
    return Background(training.shape[0], np.bincount(training.indices, minlength=training.shape[1]).astype(np.int64))


def _nothing() -> Columns:
    return np.zeros(0, np.int32)


@dataclass
class TopicCounts:
    """R, N and, for each term of the judged documents (columns ascending), R_t and n of the topic's own documents."""

    background: Background
    relevant: int = 0  # R
    judged: int = 0  # documents beyond the background
    columns: Columns = field(default_factory=_nothing)
    both: Columns = field(default_factory=_nothing)  # R_t
    own: Columns = field(default_factory=_nothing)  # n without the background's part

    def add(self, row: Row, relevant: bool, new: bool = True) -> None:
        """Count one judged document; not `new` if the background has it already."""
        self.relevant += relevant
        self.judged += new
        occurring = row.columns[row.weights != 0.0]
        self.columns, self.both, self.own = _added(
            self.columns, self.both, self.own, occurring, int(relevant), int(new)
        )

    def best(self, min_statistic: float, max_terms: int) -> Columns:
        """Return the columns with a statistic above `min_statistic`, the best `max_terms` of them, best first."""
        n = self.background.n_documents + self.judged
        columns, scores = _scores(
            _up_to(n), self.background.document_frequency, self.columns, self.both, self.own, self.relevant, n,
            min_statistic,
        )  # fmt: skip
        return columns[np.argsort(-scores, kind="stable")[:max_terms]]


@kernel
def _added(
    columns: Columns, both: Columns, own: Columns, row: Columns, relevant: int, new: int
) -> tuple[Columns, Columns, Columns]:
    """Merge a row's terms into the ascending columns."""
    size = columns.size + row.size
    c, b, o = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    i = j = n = 0
    while i < columns.size or j < row.size:
        if j == row.size or (i < columns.size and columns[i] < row[j]):
            c[n], b[n], o[n] = columns[i], both[i], own[i]
            i += 1
        else:
            c[n], b[n], o[n] = row[j], relevant, new
            if i < columns.size and columns[i] == row[j]:
                b[n] += both[i]
                o[n] += own[i]
                i += 1
            j += 1
        n += 1
    return c[:n].copy(), b[:n].copy(), o[:n].copy()


def _up_to(n: int) -> Floats:
    """Return x ln x for x = 0 .. n at least, from a table: counts are integers, and logarithms are the cost."""
    global _TABLE
    if n >= _TABLE.size:
        _TABLE = special.xlogy(np.arange(2 * n + 1.0), np.arange(2 * n + 1.0))
    return _TABLE


_TABLE = np.zeros(1)


@kernel
def _score(f: Floats, both: int, relevant: int, with_term: int, n: int) -> float:
    """Return -2 ln lambda, with f[x] = x ln x."""
    without, irrelevant = n - with_term, n - relevant
    apart = f[both] + f[with_term - both] - f[with_term]
    apart += f[relevant - both] + f[irrelevant - with_term + both] - f[without]
    together = f[relevant] + f[irrelevant] - f[n]
    return float(max(2.0 * (apart - together), 0.0))


@kernel
def _scores(
    f: Floats, frequency: Longs, columns: Columns, both: Columns, own: Columns, relevant: int, n: int, cut: float
) -> tuple[Columns, Floats]:
    """Return the columns above the cut and their scores.

    The score of a term that no relevant document has rises with its frequency, so such a term need not be scored if it
    is rarer than the least frequency that passes.
    """
    low, high = 0, n - relevant + 1  # the least n for which (0, R, n, N) passes
    while low < high:
        middle = (low + high) // 2
        if _score(f, 0, relevant, middle, n) > cut:
            high = middle
        else:
            low = middle + 1
    last = columns[-1] + 1 if columns.size else 0
    passed, value = np.empty(max(frequency.size, last), np.int32), np.empty(max(frequency.size, last))
    count = k = 0
    for c in range(passed.size):
        r, t = 0, frequency[c] if c < frequency.size else 0
        if k < columns.size and columns[k] == c:
            r, t = both[k], t + own[k]
            k += 1
        if r > 0 or t >= low:
            s = _score(f, r, relevant, t, n)
            if s > cut:
                passed[count], value[count] = c, s
                count += 1
    return passed[:count].copy(), value[:count].copy()
