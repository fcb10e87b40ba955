"""What the topics of a stream share: the kernel of their Gaussian processes, given the background.

    k(x, x') = x.x' + 0.3 z.z'       x words (ltc), y = x V, z = y / |y|, V from the background (`CorpusMeaning`)

Hardly a document of the background is about a given topic, so all of them count as weak negatives of every topic:
target 0, together worth S documents. What they say is the mean of f f^T, with f = (y, 0.3^1/2 z) and y for their words:
the words along the 100 directions V in which they differ most. With the eigenvalues g and vectors U of it,

    k'(x, x') = k(x, x') - r(x).r(x'),   r(x) = diag(S g / (1 + S g))^1/2 U^T f(x)

is the kernel of the process given the weak negatives, and a topic has only its own documents left. S grows with what a
topic knows (`weight_of`): for one that knows little, the background says what words usually mean, for one with many
examples, what it is not about. A topic's score is

    s(x) = w.x + c.(y - l z) + u.z       w sparse: the words of its own documents; c, u dense: 100 numbers each

so that the dense part of all topics is one matrix product with the document's `features` (y - l z, z), l the mean of
|y|. The first of them are small, since |y| differs little (`narrow_features`). A sample of the background, `reference`,
gives the mean of f f^T, and the scores that documents of the stream usually have; a topic's own documents among them
have their leave-one-out scores, since what was learned says nothing about those to come. z is not centred: that lost up
to a point of T9P.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from bayesift.filtering.narrow_features import NarrowFeatures
from bayesift.filtering.reference_scores import ReferenceScores
from bayesift.filtering.rows import Batch, Columns, Row, matrix_batch, rows_of
from bayesift.filtering.shared_prior import SharedPrior
from bayesift.learn.gp_regression import dot
from bayesift.numba_kernel import kernel
from bayesift.text.meaning import CorpusMeaning
from bayesift.threads import one_thread

Floats = NDArray[np.float64]
WEAK, MOST_WEAK = 20.0, 32  # S per relevant document, and for how many of them at most
LEAST_NOISE = 2.0  # noise variance of a document of the reference, however large S is
MEANING, DIMENSIONS = 0.3, 100
REFERENCE = 2000  # documents of the background whose scores are compared with those of the stream
SIDE = 16  # documents or topics that a matrix is multiplied with at a time
FITTED = 8000  # documents that the meaning is fitted to


class Point(NamedTuple):
    """A document as the topics' kernel needs it."""

    row: Row
    z: Floats
    r: Floats
    own: float  # k'(x, x)


class Given(NamedTuple):
    """The meaning, and what the weak negatives say, as the kernels need them."""

    v: NDArray[np.float32]
    length: float  # l
    whiten: Floats  # r = whiten (y - l z, z)
    columns: Floats  # the same, transposed


class TopicKernel:
    """The kernel of all topics, given a background.

    `prior` is what else they share, the prior of their calibrations, which follows their answers.

    Parameters
    ----------
    background : sparse matrix, optional
        Weighted words of documents of the stream, judged or not. Without it, topics know only their own documents.
    seed : int
        Random seed: which documents of the background are compared with the stream's.
    encoded : int
        How many of the first columns are not words, but the vector of an encoder (`stream_terms`).

    Examples
    --------
    >>> shared = TopicKernel(sparse.random(50, 30, 0.2, random_state=0, format="csr"))
    >>> point = shared.point(Row.of({0: 0.6, 3: 0.8}))
    >>> 0.0 < point.own < 1.3  # k(x, x) is 1 + 0.3, of which the background knows a part
    True
    """

    def __init__(self, background: Any = None, seed: int = 0, encoded: int = 0) -> None:
        rows: Any = sparse.csr_matrix((0, 0) if background is None else background, dtype=np.float64)
        rows.sort_indices()
        order = np.random.default_rng(seed).permutation(rows.shape[0])
        with one_thread():
            meaning = CorpusMeaning(DIMENSIONS, seed).fit(rows[np.sort(order[:FITTED])])
            self._set(meaning, rows[order[:REFERENCE]], encoded)

    @classmethod
    def of_rows(cls, rows: Sequence[Row], seed: int = 0, encoded: int = 0) -> TopicKernel:
        """Return the kernel of a background given as rows."""
        ends, columns, weights = Batch.of(rows)
        shape = (len(rows), int(columns.max(initial=-1)) + 1)
        return cls(sparse.csr_matrix((weights, columns, ends), shape), seed, encoded)

    def _set(self, meaning: CorpusMeaning, reference: Any, encoded: int) -> None:
        """Make what follows from the meaning and the reference."""
        self.meaning, self.reference, self.encoded, self.prior = meaning, reference, encoded, SharedPrior()
        self._v = np.ascontiguousarray(meaning.components_)
        rows, d, n = matrix_batch(reference), self._v.shape[1], max(reference.shape[0], 1)
        f = _features_of_rows(*rows, self._v, 0.0)
        self._length = float(np.sqrt(np.einsum("ij,ij->i", f[:, :d], f[:, :d])).sum() / n)
        f[:, d:] *= np.sqrt(MEANING)
        values, axes = linalg.eigh(f.T @ f / n) if d else (np.zeros(0), np.zeros((0, 0)))
        worth = [min(weight_of(1 << k), n / LEAST_NOISE) for k in range(MOST_WEAK.bit_length())]
        self._given = [self._given_weight(weight, values, axes) for weight in worth]
        self.reference_scores = ReferenceScores(reference, _features_of_rows(*rows, self._v, self._length))
        self._place_of = {row.key: i for i, row in enumerate(rows_of(reference)) if row.columns.size}

    def places(self, keys: Sequence[bytes]) -> tuple[list[int], list[int]]:
        """Return which of the documents with these keys are in the reference, and their places there."""
        known = self._place_of
        some = [i for i, key in enumerate(keys) if key in known]
        return some, [known[keys[i]] for i in some]

    def _given_weight(self, weight: float, moments: Floats, axes: Floats) -> Given:
        """Return what the weak negatives say if they are worth so many documents."""
        g = weight * np.maximum(moments, 0.0)
        of_y, of_z = np.hsplit(np.sqrt(g / (1.0 + g))[:, None] * axes.T, 2)
        whiten = np.hstack([of_y, self._length * of_y + np.sqrt(MEANING) * of_z])
        return Given(self._v, self._length, whiten, np.ascontiguousarray(whiten.T))

    def with_prior(self, prior: SharedPrior) -> TopicKernel:
        """Return the same kernel with another prior of the calibrations."""
        other = copy(self)
        other.prior = prior
        return other

    def given(self, n_relevant: int = 1) -> Given:
        """Return what the weak negatives say, for a topic with this many relevant documents."""
        return self._given[_doublings(n_relevant)]

    @property
    def n_dense(self) -> int:
        """The number of features of a document: twice the dimensions of the meaning."""
        return 2 * int(self._v.shape[1])

    @cached_property
    def narrow(self) -> NarrowFeatures:
        """What narrows features, for many topics."""
        return NarrowFeatures(self.reference_scores.features, self.n_dense // 2)

    def features(self, row: Row) -> Floats:
        """Return y - l z and z of a document, one after the other."""
        return features_of(row.columns, row.weights, self._v, self._length)

    def features_of_rows(self, rows: Sequence[Row]) -> Floats:
        """Return the features of documents, one row each."""
        return _features_of_rows(*Batch.of(rows), self._v, self._length)

    def of_words(self, columns: Columns, dense: Floats) -> Floats:
        """Return what the dense weights of a topic, (c, u), add to the weight of each word: c.V_j."""
        added = np.zeros(columns.size)
        known = columns < self._v.shape[0]
        added[known] = self._v[columns[known]].astype(np.float64) @ dense[: self._v.shape[1]]
        return added

    def point(self, row: Row, given: Given | None = None) -> Point:
        """Return a document for the kernel with these weak negatives; those of a topic that knows little if None."""
        features = self.features(row)
        r, own = np.empty((1, self.n_dense)), np.empty(1)
        points_of(features[None], np.array([dot(row.weights, row.weights)]), given or self.given(), r, own)
        return Point(row, features[self.n_dense // 2 :], r[0], float(own[0]))

    def state(self) -> dict[str, Any]:
        """Return what it was made of, for `of_state`."""
        rows = self.reference
        parts: dict[str, Any] = {"ends": rows.indptr.astype(np.int64), "columns": rows.indices.astype(np.int32)}
        parts |= {"encoded": self.encoded} if self.encoded else {}
        return {"meaning": self.meaning.state(), "width": int(rows.shape[1]), "weights": rows.data.copy(), **parts}

    @classmethod
    def of_state(cls, state: dict[str, Any]) -> TopicKernel:
        """Return the kernel that a state was taken of."""
        self = cls.__new__(cls)
        ends = np.asarray(state["ends"], np.int64)
        shape = (ends.size - 1, int(state["width"]))
        rows: Any = sparse.csr_matrix((state["weights"], state["columns"], ends), shape)
        self._set(CorpusMeaning(DIMENSIONS).restore(state["meaning"]), rows, state.get("encoded", 0))
        return self


def weight_of(n_relevant: int) -> float:
    """Return S, how many documents the weak negatives are worth for a topic with this many relevant ones.

    It grows by steps, when their number has doubled, since a topic then learns everything again.

    >>> [weight_of(n) for n in (1, 2, 3, 4, 31, 500)]
    [20.0, 40.0, 40.0, 80.0, 320.0, 640.0]
    """
    return WEAK * (1 << _doublings(n_relevant))


def _doublings(n: int) -> int:
    return min(max(n, 1), MOST_WEAK).bit_length() - 1


@kernel
def features_of(columns: Columns, weights: Floats, v: NDArray[np.float32], mean: float) -> Floats:
    """Return y - l z and z of one document, l = `mean`; z has length 1, or 0 without a term that the meaning knows."""
    d = v.shape[1]
    out = np.zeros(2 * d)
    y = out[:d]
    for i in range(columns.size):
        j, x = columns[i], weights[i]
        if j < v.shape[0]:
            row = v[j]
            for k in range(d):
                y[k] += x * row[k]
    length = np.sqrt(dot(y, y))
    if length > 0.0:
        out[d:] = y / length
        y -= mean * out[d:]
    return out


@kernel
def points_of(features: Floats, squares: Floats, given: Given, r: Floats, own: Floats) -> None:
    """Write r and k'(x, x) of documents with these features, one row each, and squared lengths x.x."""
    z = features[:, features.shape[1] // 2 :]
    r[:] = 0.0
    _add_rows(features, given.columns, r)
    for i in range(r.shape[0]):
        own[i] = max(squares[i] + MEANING * dot(z[i], z[i]) - dot(r[i], r[i]), 0.0)


@kernel
def r_of_weights(columns: Columns, weights: Floats, given: Given) -> Floats:
    """Return r of weights of words, which say nothing about the meaning."""
    features = features_of(columns, weights, given.v, 0.0)
    features[given.v.shape[1] :] = 0.0
    r = np.zeros(features.size)
    _add_rows(features.reshape(1, features.size), given.columns, r.reshape(1, features.size))
    return r


@kernel
def dense_of(z: Floats, r: Floats, given: Given, out: Floats) -> None:
    """Write (c, u) of topics, one row each, from the sums of their documents' z and r, each times alpha."""
    out[:] = 0.0
    _add_rows(-r, given.whiten, out)
    out[:, z.shape[1] :] += MEANING * z


@kernel
def _features_of_rows(ends: Columns, columns: Columns, weights: Floats, v: NDArray[np.float32], mean: float) -> Floats:
    """Return the features of documents, one row each."""
    out = np.empty((ends.size - 1, 2 * v.shape[1]))
    for i in range(ends.size - 1):
        a, b = ends[i], ends[i + 1]
        out[i] = features_of(columns[a:b], weights[a:b], v, mean)
    return out


@kernel
def _add_rows(x: Floats, rows: Floats, out: Floats) -> None:
    """Add to each row of out the sum of `rows`, each times its x.

    Four rows at a time, for `SIDE` rows of out, since a matrix of this size is not at hand in the processor; the order
    of each sum is that of the rows.
    """
    n, even = out.shape[1], x.shape[1] - x.shape[1] % 4
    for first in range(0, out.shape[0], SIDE):
        last = min(first + SIDE, out.shape[0])
        for i in range(0, even, 4):
            a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
            for q in range(first, last):
                p0, p1, p2, p3 = x[q, i], x[q, i + 1], x[q, i + 2], x[q, i + 3]
                to = out[q]
                for j in range(n):
                    to[j] = (((to[j] + p0 * a[j]) + p1 * b[j]) + p2 * c[j]) + p3 * d[j]
        for i in range(even, x.shape[1]):
            for q in range(first, last):
                for j in range(n):
                    out[q, j] += x[q, i] * rows[i, j]
