"""What the topics of a stream share: the kernel of their Gaussian processes, given the background.

    k(x, x') = x.x' + 0.3 z.z'       x words (ltc), z(x) = x V / |x V|, V from the background (`CorpusMeaning`)

A sample b of the background, not judged, counts as weak negatives of every topic: target 0, noise variance 20.
They are the same for all topics, so they are taken into the kernel once. With B = (K_bb + 20 I)^-1 = R^T R:

    k'(x, x') = k(x, x') - r(x).r(x'),   r(x) = R k_b(x)

is the kernel of the process given the weak negatives, and a topic has only its own documents left. A topic's score is

    s(x) = w.x + u.z(x) + c.(X_b x)      w sparse: the words of its own documents; u, c dense: 100 and 300 numbers

so that the dense part of all topics is one matrix product with the document's `features` (X_b x, z). A larger sample of
the background, `reference`, gives the scores that documents of the stream usually have. z is not centred: that lost up
to a point of T9P.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from bayesift.filtering.rows import Batch, Columns, Row, row_of, rows_of
from bayesift.numba_kernel import kernel
from bayesift.text.meaning import CorpusMeaning

Floats = NDArray[np.float64]
WEAK, WEAK_NOISE = 300, 20.0
MEANING, DIMENSIONS = 0.3, 100
REFERENCE = 2000  # documents of the background whose scores are compared with those of the stream
FITTED = 8000  # documents that the meaning is fitted to


class Point(NamedTuple):
    """A document as the topics' kernel needs it."""

    row: Row
    z: Floats
    r: Floats
    own: float  # k'(x, x)


class TopicKernel:
    """The kernel of all topics, given a background.

    Parameters
    ----------
    background : sparse matrix, optional
        Weighted words of documents of the stream, judged or not. Without it, topics know only their own documents.
    seed : int
        Random seed: which documents of the background are weak negatives, which are compared with the stream's.

    Examples
    --------
    >>> shared = TopicKernel(sparse.random(50, 30, 0.2, random_state=0, format="csr"))
    >>> point = shared.point(Row.of({0: 0.6, 3: 0.8}))
    >>> round(float(shared.between(point, [point])[0] - point.own), 12)
    0.0
    """

    def __init__(self, background: Any = None, seed: int = 0) -> None:
        rows: Any = sparse.csr_matrix((0, 0) if background is None else background, dtype=np.float64)
        rows.sort_indices()
        order = np.random.default_rng(seed).permutation(rows.shape[0])
        meaning = CorpusMeaning(DIMENSIONS, seed).fit(rows[np.sort(order[:FITTED])])
        self._set(meaning, rows[order[:REFERENCE]])

    @classmethod
    def of_rows(cls, rows: Sequence[Row], seed: int = 0) -> TopicKernel:
        """Return the kernel of a background given as rows."""
        ends, columns, weights = Batch.of(rows)
        shape = (len(rows), int(columns.max(initial=-1)) + 1)
        return cls(sparse.csr_matrix((weights, columns, ends), shape), seed)

    def _set(self, meaning: CorpusMeaning, reference: Any) -> None:
        """Make what follows from the meaning and the reference; its first rows are the weak negatives."""
        self.meaning, self.reference = meaning, reference
        self._points: dict[int, Point] = {}
        self._v = np.ascontiguousarray(meaning.components_)
        weak = reference[:WEAK]
        self.n_weak = weak.shape[0]
        self._by_term = weak.tocsc()
        self._by_term.sort_indices()
        self.reference_features = np.array([self.features(row) for row in rows_of(reference)])
        self.reference_features = self.reference_features.reshape(reference.shape[0], self.n_dense)
        self.weak_z = self.reference_features[: self.n_weak, self.n_weak :]
        inner = self.reference_features[: self.n_weak, : self.n_weak] + MEANING * self.weak_z @ self.weak_z.T
        inner = 0.5 * (inner + inner.T) + WEAK_NOISE * np.eye(self.n_weak)
        root = linalg.cholesky(inner, lower=True) if self.n_weak else inner
        self.whiten = linalg.solve_triangular(root, np.eye(self.n_weak), lower=True) if self.n_weak else inner

    @property
    def n_dense(self) -> int:
        """The number of features of a document: weak negatives and dimensions of the meaning."""
        return int(self.n_weak + self._v.shape[1])

    def features(self, row: Row) -> Floats:
        """Return X_b x and z of a document, one after the other."""
        by_term = self._by_term
        return _features(
            row.columns, row.weights, by_term.indptr, by_term.indices, by_term.data, self.n_weak, self._v
        )

    def point(self, row: Row, known: Floats | None = None) -> Point:
        """Return a document for the kernel; its features may be known."""
        features = self.features(row) if known is None else known
        z = features[self.n_weak :]
        r = self.whiten @ (features[: self.n_weak] + MEANING * (self.weak_z @ z))
        own = float(row.weights @ row.weights) + MEANING * float(z @ z) - float(r @ r)
        return Point(row, z, r, max(own, 0.0))

    def of_reference(self, i: int) -> Point:
        """Return a document of the reference for the kernel; made once."""
        if i not in self._points:
            self._points[i] = self.point(row_of(self.reference, i))
        return self._points[i]

    def between(self, point: Point, others: list[Point]) -> Floats:
        """Return k' of a document with others."""
        if not others:
            return np.zeros(0)
        words = np.array([_dot(*point.row, *other.row) for other in others])
        z, r = np.array([other.z for other in others]), np.array([other.r for other in others])
        return np.asarray(words + MEANING * (z @ point.z) - r @ point.r)

    def dense(self, z: Floats, r: Floats) -> Floats:
        """Return (c, u) of a topic, from the sums of its documents' z and r, each times alpha."""
        c = -(r @ self.whiten)
        return np.concatenate([c, MEANING * (z + c @ self.weak_z)])

    def state(self) -> dict[str, Any]:
        """Return what it was made of, for `of_state`."""
        rows = self.reference
        parts = {"ends": rows.indptr.astype(np.int64), "columns": rows.indices.astype(np.int32)}
        return {"meaning": self.meaning.state(), "width": int(rows.shape[1]), "weights": rows.data.copy(), **parts}

    @classmethod
    def of_state(cls, state: dict[str, Any]) -> TopicKernel:
        """Return the kernel that a state was taken of."""
        self = cls.__new__(cls)
        ends = np.asarray(state["ends"], np.int64)
        shape = (ends.size - 1, int(state["width"]))
        rows: Any = sparse.csr_matrix((state["weights"], state["columns"], ends), shape)
        self._set(CorpusMeaning(DIMENSIONS).restore(state["meaning"]), rows)
        return self


@kernel
def _features(
    columns: Columns, weights: Floats, ends: Any, documents: Any, data: Floats, n_weak: int, v: Any
) -> Floats:
    """Return X_b x and z of one document; z has length 1, or 0 without a term that the meaning knows."""
    d = v.shape[1]
    out = np.zeros(n_weak + d)
    z = out[n_weak:]
    for i in range(columns.size):
        j, x = columns[i], weights[i]
        if j < ends.size - 1:
            for k in range(ends[j], ends[j + 1]):
                out[documents[k]] += x * data[k]
        if j < v.shape[0]:
            for k in range(d):
                z[k] += x * v[j, k]
    length = np.sqrt((z * z).sum())
    if length > 0.0:
        z /= length
    return out


@kernel
def _dot(columns: Columns, weights: Floats, others: Columns, other_weights: Floats) -> float:
    """Return the product of two sparse vectors."""
    total, i, j = 0.0, 0, 0
    while i < columns.size and j < others.size:
        if columns[i] == others[j]:
            total += weights[i] * other_weights[j]
            i += 1
            j += 1
        elif columns[i] < others[j]:
            i += 1
        else:
            j += 1
    return total
