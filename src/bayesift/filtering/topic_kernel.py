"""What the topics of a stream share: the kernel of their Gaussian processes, given the background.

    k(x, x') = x.x' + 0.3 z.z'       x words (ltc), z(x) = x V / |x V|, V from the background (`CorpusMeaning`)

A sample b of the background, not judged, counts as weak negatives of every topic: target 0, noise variance 20, or 5
for a topic with eight relevant documents or more, which knows better than a guess what it is not about. They are the
same for all topics, so they are taken into the kernel once for each noise. With B = (K_bb + 20 I)^-1 = R^T R:

    k'(x, x') = k(x, x') - r(x).r(x'),   r(x) = R k_b(x)

is the kernel of the process given the weak negatives, and a topic has only its own documents left. A topic's score is

    s(x) = w.x + u.z(x) + c.(X_b x)      w sparse: the words of its own documents; u, c dense: 100 and 300 numbers

so that the dense part of all topics is one matrix product with the document's `features` (X_b x, z). A larger sample of
the background, `reference`, gives the scores that documents of the stream usually have; a topic's own documents among
them have their leave-one-out scores, since what was learned says nothing about those to come. z is not centred: that
lost up to a point of T9P.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from bayesift.filtering.narrow_features import NarrowFeatures
from bayesift.filtering.reference_scores import ReferenceScores
from bayesift.filtering.rows import Batch, Columns, Row, matrix_batch, rows_of
from bayesift.learn.gp_regression import dot
from bayesift.numba_kernel import kernel
from bayesift.text.meaning import CorpusMeaning

Floats = NDArray[np.float64]
WEAK, WEAK_NOISE = 300, (20.0, 5.0)  # unjudged documents; their noise for a topic that knows little, and much
MUCH = 8  # relevant documents
MEANING, DIMENSIONS = 0.3, 100
REFERENCE = 2000  # documents of the background whose scores are compared with those of the stream
ALL, LOWER, UPPER = 0, 1, 2  # parts of a matrix
SIDE = 16  # documents or topics that a matrix is multiplied with at a time
FITTED = 8000  # documents that the meaning is fitted to


class Point(NamedTuple):
    """A document as the topics' kernel needs it."""

    row: Row
    z: Floats
    r: Floats
    own: float  # k'(x, x)


class Given(NamedTuple):
    """The weak negatives, with one noise, and the meaning, as the kernels need them."""

    ends: Columns  # X_b by term: ends, documents, data
    documents: Columns
    data: Floats
    v: NDArray[np.float32]
    weak_z: Floats  # of the weak negatives, one row each
    weak_z_columns: Floats  # the same, one column each
    whiten: Floats  # R, a lower triangle
    columns: Floats  # R transposed


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
    >>> 0.0 < point.own < 1.3  # k(x, x) is 1 + 0.3, of which the background knows a part
    True
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
        v = np.ascontiguousarray(meaning.components_)
        weak = reference[:WEAK].tocsc()
        weak.sort_indices()
        n, d = weak.shape[0], v.shape[1]
        none = np.zeros((n, d)), np.zeros((d, n)), np.zeros((n, n)), np.zeros((n, n))
        bare = Given(weak.indptr, weak.indices, weak.data, v, *none)
        features = _features_of_rows(*matrix_batch(reference), bare)
        z = np.ascontiguousarray(features[:n, n:])
        inner = features[:n, :n] + MEANING * z @ z.T
        bare = bare._replace(weak_z=z, weak_z_columns=np.ascontiguousarray(z.T))
        self._given = [_with_noise(bare, 0.5 * (inner + inner.T), noise) for noise in WEAK_NOISE]
        self.reference_scores = ReferenceScores(reference, features)
        self._place_of = {row.key: i for i, row in enumerate(rows_of(reference)) if row.columns.size}

    def places(self, keys: Sequence[bytes]) -> tuple[list[int], list[int]]:
        """Return which of the documents with these keys are in the reference, and their places there."""
        known = self._place_of
        some = [i for i, key in enumerate(keys) if key in known]
        return some, [known[keys[i]] for i in some]

    def given(self, n_relevant: int = 0) -> Given:
        """Return the weak negatives for a topic with this many relevant documents."""
        return self._given[n_relevant >= MUCH]

    @property
    def n_weak(self) -> int:
        """The number of weak negatives."""
        return int(self._given[0].whiten.shape[0])

    @property
    def n_dense(self) -> int:
        """The number of features of a document: weak negatives and dimensions of the meaning."""
        return int(self.n_weak + self._given[0].v.shape[1])

    @cached_property
    def narrow(self) -> NarrowFeatures:
        """What narrows features, for many topics."""
        return NarrowFeatures(self.reference_scores.features, self.n_weak)

    def features(self, row: Row) -> Floats:
        """Return X_b x and z of a document, one after the other."""
        return features_of(row.columns, row.weights, self._given[0])

    def features_of_rows(self, rows: Sequence[Row]) -> Floats:
        """Return the features of documents, one row each."""
        return _features_of_rows(*Batch.of(rows), self._given[0])

    def point(self, row: Row, given: Given | None = None) -> Point:
        """Return a document for the kernel with these weak negatives; those of a topic that knows little if None."""
        features = self.features(row)
        r, own = np.empty((1, self.n_weak)), np.empty(1)
        points_of(features[None], np.array([dot(row.weights, row.weights)]), given or self._given[0], r, own)
        return Point(row, features[self.n_weak :], r[0], float(own[0]))

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


def _with_noise(given: Given, inner: Floats, noise: float) -> Given:
    """Return the weak negatives with this noise; `inner` is their kernel."""
    n = inner.shape[0]
    root = linalg.cholesky(inner + noise * np.eye(n), lower=True) if n else inner
    whiten = np.ascontiguousarray(linalg.solve_triangular(root, np.eye(n), lower=True) if n else inner)
    return given._replace(whiten=whiten, columns=np.ascontiguousarray(whiten.T))


@kernel
def features_of(columns: Columns, weights: Floats, given: Given) -> Floats:
    """Return X_b x and z of one document; z has length 1, or 0 without a term that the meaning knows."""
    n, d = given.whiten.shape[0], given.v.shape[1]
    out = np.zeros(n + d)
    z = out[n:]
    for i in range(columns.size):
        j, x = columns[i], weights[i]
        if j < given.ends.size - 1:
            for k in range(given.ends[j], given.ends[j + 1]):
                out[given.documents[k]] += x * given.data[k]
        if j < given.v.shape[0]:
            row = given.v[j]
            for k in range(d):
                z[k] += x * row[k]
    length = np.sqrt(dot(z, z))
    if length > 0.0:
        z /= length
    return out


@kernel
def points_of(features: Floats, squares: Floats, given: Given, r: Floats, own: Floats) -> None:
    """Write r and k'(x, x) of documents with these features, one row each, and squared lengths x.x."""
    n = given.whiten.shape[0]
    y, z = features[:, :n].copy(), features[:, n:]
    _add_rows(MEANING * z, given.weak_z_columns, ALL, y)
    r[:] = 0.0
    _add_rows(y, given.columns, UPPER, r)
    for i in range(r.shape[0]):
        own[i] = max(squares[i] + MEANING * dot(z[i], z[i]) - dot(r[i], r[i]), 0.0)


@kernel
def whitened(y: Floats, given: Given) -> Floats:
    """Return R y."""
    r = np.zeros(y.size)
    _add_rows(y.copy().reshape(1, y.size), given.columns, UPPER, r.reshape(1, y.size))
    return r


@kernel
def dense_of(z: Floats, r: Floats, given: Given, out: Floats) -> None:
    """Write (c, u) of topics, one row each, from the sums of their documents' z and r, each times alpha."""
    c, u = np.zeros(r.shape), z.copy()
    _add_rows(-r, given.whiten, LOWER, c)
    _add_rows(c, given.weak_z, ALL, u)
    out[:, : r.shape[1]], out[:, r.shape[1] :] = c, MEANING * u


@kernel
def _features_of_rows(ends: Columns, columns: Columns, weights: Floats, given: Given) -> Floats:
    """Return the features of documents, one row each."""
    out = np.empty((ends.size - 1, given.whiten.shape[0] + given.v.shape[1]))
    for i in range(ends.size - 1):
        a, b = ends[i], ends[i + 1]
        out[i] = features_of(columns[a:b], weights[a:b], given)
    return out


@kernel
def _add_rows(x: Floats, rows: Floats, part: int, out: Floats) -> None:
    """Add to each row of out the sum of `rows`, each times its x: of a whole matrix, a lower or an upper triangle.

    Four rows at a time, for `SIDE` rows of out, since a matrix of this size is not at hand in the processor; the order
    of each sum is that of the rows.
    """
    n, even = out.shape[1], x.shape[1] - x.shape[1] % 4
    for first in range(0, out.shape[0], SIDE):
        last = min(first + SIDE, out.shape[0])
        for i in range(0, even, 4):
            begin, end = i if part == UPPER else 0, i + 4 if part == LOWER else n
            a, b, c, d = rows[i, begin:end], rows[i + 1, begin:end], rows[i + 2, begin:end], rows[i + 3, begin:end]
            for q in range(first, last):
                p0, p1, p2, p3 = x[q, i], x[q, i + 1], x[q, i + 2], x[q, i + 3]
                to = out[q, begin:end]
                for j in range(to.size):
                    to[j] = (((to[j] + p0 * a[j]) + p1 * b[j]) + p2 * c[j]) + p3 * d[j]
        for i in range(even, x.shape[1]):
            for q in range(first, last):
                for j in range(n):
                    out[q, j] += x[q, i] * rows[i, j]
