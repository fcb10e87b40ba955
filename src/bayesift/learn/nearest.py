"""Labels of the nearest documents: the shares of each label among the k most similar ones, as margins.

    p_c = (sum_i w_i y_ic + PRIOR b_c) / (sum_i w_i + PRIOR),   w_i = (SHARPNESS x.x_i)^2 of the k largest
    margin = logit(p_c) / UNIT

b are the base rates. A linear model adds up what words say one by one; a near document has the words together, so the
two err in different places. Similarities come from an inverted index. Of many documents a random sample is kept.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.protocol import State
from bayesift.numba_kernel import kernel
from bayesift.threads import in_threads, n_threads

Floats = NDArray[np.float64]
KEPT = 20_000  # documents
PRIOR, SHARPNESS = 0.5, 4.0
POWER, EARLIER_POWER = 2, 1  # of what similarity weighs; the latter in files of earlier versions
AT_A_TIME = 500  # documents that a thread takes
UNIT = 2.0  # log-odds per margin


class NearestDocuments:
    """Margins by the labels of the nearest documents.

    Parameters
    ----------
    k : int
        The number of nearest documents.
    seed : int
        Random seed of the sample of documents, where there are more than are kept.
    threads : int, optional
        Threads; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> X, Y = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0]]), sparse.csr_matrix([[1, 0], [0, 1]])
    >>> NearestDocuments(1).fit(X, Y).margins(X)[:, :2].argmax(axis=1)
    array([0, 1])
    """

    def __init__(self, k: int = 60, seed: int = 0, threads: int | None = None) -> None:
        self.k, self.seed, self.threads, self.power = k, seed, threads, POWER

    def fit(self, X: Any, Y: Any) -> Self:
        """Keep documents, (documents, features), and their labels, (documents, labels) of 0 and 1; both are sparse."""
        n = X.shape[0]
        kept = np.sort(np.random.default_rng(self.seed).permutation(n)[:KEPT]) if n > KEPT else np.arange(n)
        rows, labels = sparse.csr_matrix(X[kept], dtype=np.float32), sparse.csr_matrix(Y[kept])
        have = np.bincount(Y.indices, minlength=Y.shape[1] + 1)
        self._take(rows, labels, (have + 0.5) / (n + 1.0))
        return self

    def _take(self, rows: Any, labels: Any, base: Floats) -> None:
        self.rows, self.labels, self.base = rows, labels, base
        self._index = sparse.csc_matrix(rows)  # the documents of each feature

    def margins(self, X: Any) -> Floats:
        """Return the margin of each label, and of the unseen one: (documents, labels + 1)."""
        return self.meet(X)[0]

    def meet(self, X: Any) -> tuple[Floats, Floats]:
        """Return the margins, and the highest and the mean similarity of the k nearest documents: (documents, 2)."""
        found, similarity = np.empty((X.shape[0], self.base.size)), np.empty((X.shape[0], 2))
        data = X.data.astype(np.float32, copy=False)
        index = (self._index.indptr, self._index.indices, self._index.data)
        labels = (self.labels.indptr, self.labels.indices)
        kept, k = self.rows.shape[0], int(self.k)
        begins = range(0, X.shape[0], AT_A_TIME)

        def vote(begin: int) -> None:
            some = slice(begin, begin + AT_A_TIME)
            ends = X.indptr[begin : begin + AT_A_TIME + 1]
            _vote(ends, X.indices, data, *index, *labels, self.base, kept, k, self.power, found[some], similarity[some])

        in_threads(vote, begins, n_threads(self.threads))
        return found, similarity

    def state(self) -> State:
        """Return the documents that are kept, with their labels."""
        found = {"rows": self.rows.copy(), "labels": self.labels.astype(np.int8), "base": self.base.copy()}
        return found | {"power": self.power}

    def restore(self, state: State) -> Self:
        """Replace the documents by those of a state."""
        rows, labels = (sparse.csr_matrix(state[name]) for name in ("rows", "labels"))
        rows.check_format(full_check=True)
        labels.check_format(full_check=True)
        self.power = int(state.get("power", EARLIER_POWER))
        self._take(rows, labels, state["base"].copy())
        return self


@kernel
def _vote(
    indptr: Any, indices: Any, data: Any, term_ends: Any, documents: Any, values: Any,
    label_ends: Any, label_of: Any, base: Floats, n: int, k: int, power: int, out: Floats, similarity: Floats,
) -> None:  # fmt: skip
    """Set the margins of each row by its k nearest documents, and how similar they are."""
    similar = np.zeros(n, np.float32)
    best, number = np.empty(k, np.float32), np.empty(k, np.int64)  # a heap: the least similar one is first
    for t in range(indptr.size - 1):
        similar[:] = 0.0
        for i in range(indptr[t], indptr[t + 1]):
            j, x = indices[i], data[i]
            for e in range(term_ends[j], term_ends[j + 1]):
                similar[documents[e]] += x * values[e]
        found = 0
        for d in range(n):
            s = similar[d]
            if s <= 0.0 or (found == k and s <= best[0]):
                continue
            if found < k:
                place = found
                found += 1
                while place and best[(place - 1) // 2] > s:
                    best[place], number[place] = best[(place - 1) // 2], number[(place - 1) // 2]
                    place = (place - 1) // 2
            else:
                place = 0
                while True:
                    child = 2 * place + 1
                    if child >= k:
                        break
                    if child + 1 < k and best[child + 1] < best[child]:
                        child += 1
                    if best[child] >= s:
                        break
                    best[place], number[place] = best[child], number[child]
                    place = child
            best[place], number[place] = s, d
        row = out[t]
        total = PRIOR
        row[:] = PRIOR * base
        similarity[t] = 0.0
        for f in range(found):
            similarity[t, 0] = max(similarity[t, 0], best[f])
            similarity[t, 1] += best[f] / k
            w = (SHARPNESS * best[f]) ** power
            total += w
            for e in range(label_ends[number[f]], label_ends[number[f] + 1]):
                row[label_of[e]] += w
        for c in range(row.size):
            p = min(max(row[c] / total, 1e-5), 1.0 - 1e-5)
            row[c] = np.log(p / (1.0 - p)) / UNIT
