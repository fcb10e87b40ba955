"""The regression of topics: each on its own documents, under the kernel that all of them share (`topic_kernel`).

The mean of a topic's field is

    s(x) = w.x + dense.features(x)        w: `weights` of the words of its documents (`terms`)

`Regressions` are those of many topics, in one kernel; a topic that learns one more document gets the same bytes. Most
topics learn nothing between two backgrounds, so the object of a single one is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.rows import Batch, Columns, Row
from bayesift.filtering.topic_documents import TopicDocuments
from bayesift.filtering.topic_kernel import Given, Point, TopicKernel
from bayesift.filtering.topic_learning import kernel_row, learn_all, score_of, scores_of, weigh
from bayesift.learn.gp_regression import GPRegression, dot

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


class TopicRegression:
    """The regression of one topic.

    Attributes
    ----------
    given : Given
        What the weak negatives say, with the weight that they have for it.
    documents : TopicDocuments
        Its documents.
    gp : GPRegression
        The regression, one row per document.
    weights, dense : arrays of float
        The mean weights of the documents' terms, and those of the shared features.
    """

    def __init__(
        self, shared: TopicKernel, given: Given, documents: TopicDocuments, gp: GPRegression, z: Floats, r: Floats,
        given_r: Floats, weights: Floats, dense: Floats,
    ) -> None:  # fmt: skip
        self.shared, self.given, self.documents, self.gp = shared, given, documents, gp
        self._z, self._r, self._given_r = z, r, given_r
        self.weights, self.dense = weights, dense

    def add(self, row: Row, target: float, noise: float) -> None:
        """Learn a document."""
        point, n = self.shared.point(row, self.given), self.gp.n
        kernel_row = np.append(self.kernel(point), point.own)
        self.documents.add(row, target, noise)
        self.gp.add(kernel_row, target, noise, self.documents.prior[n] - dot(self._given_r, point.r))
        if n == len(self._z):
            self._z, self._r = (
                np.concatenate([old, np.zeros((max(n, 8), old.shape[1]))]) for old in (self._z, self._r)
            )
        self._z[n], self._r[n] = point.z, point.r
        self.weights, self.dense = np.empty(self.documents.terms.size), np.empty(self.shared.n_dense)
        weigh(
            *self.documents.rows, self.gp.alpha, self.documents.given, self._z, self._r, self._given_r,
            self.given, self.weights, self.dense,
        )  # fmt: skip

    def score(self, row: Row, features: Floats | None = None) -> float:
        """Return the mean of the field at a document; `features` are those of the shared kernel."""
        local, weights = self.documents.local(row)
        dense = self.shared.features(row) if features is None else features
        return float(score_of(local, weights, self.weights, dense, self.dense))

    def scores(self, rows: Sequence[Row]) -> Floats:
        """Return the mean of the field at documents, to the byte that of `score`."""
        features = self.shared.features_of_rows(rows)
        return scores_of(*Batch.of(rows), self.documents.terms, self.weights, features, self.dense)

    def of_reference(self) -> Floats:
        """Return the scores of the background's documents; its own have leave-one-out scores."""
        ends = np.array([0, self.weights.size])
        scores = self.shared.reference_scores(self.dense[None], ends, self.documents.terms, self.weights)[0]
        self.without_own(scores)
        return np.asarray(scores)

    def without_own(self, scores: Floats) -> None:
        """Replace the scores of its own documents among the background's by leave-one-out scores."""
        own, places = self.shared.places(self.documents.keys)
        if own:
            scores[places] = self.gp.leave_one_out()[0][own]

    def contributions(self, row: Row) -> tuple[Columns, Floats]:
        """Return the columns of a document that the topic knows, and what each adds to the score."""
        local, weights = self.documents.local(row)
        return self.documents.terms[local], weights * self.weights[local]

    def kernel(self, point: Point) -> Floats:
        """Return the kernel of a document with the topic's own."""
        here, rows, n_terms = self.documents.local(point.row), self.documents.rows, self.documents.terms.size
        return kernel_row(
            *here, point.z, point.r, n_terms, rows.indptr, rows.indices, rows.data, self._z, self._r, self.gp.n
        )

    def variance(self, point: Point) -> float:
        """Return the variance of the field at a document."""
        return self.gp.variance(self.kernel(point), point.own)


class Learned(NamedTuple):
    """What topics have learned, one after the other: how many terms each has, these, and the mean weights."""

    sizes: Longs
    terms: Columns
    weights: Floats
    dense: Floats  # of the shared features, one row per topic

    @classmethod
    def joined(cls, parts: Sequence[Learned]) -> Learned:
        """Return a copy of several parts as one."""
        nothing = cls(np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), np.zeros((0, 0)))
        return cls(*map(np.concatenate, zip(*parts))) if parts else nothing


class Regressions:
    """The regressions of several topics for which the weak negatives have the same weight, learned together.

    Attributes
    ----------
    weights : array
        The mean weights of the terms of all topics, one topic after the other.
    dense : array of (topics, features)
        The mean weights of the shared features.
    """

    def __init__(self, shared: TopicKernel, given: Given, topics: Sequence[TopicDocuments]) -> None:
        self.shared, self.given, self.topics = shared, given, topics
        size = np.array([topic.n for topic in topics])
        first, squares = _ends(size), _ends(size * size)
        self.words = _ends(np.array([topic.terms.size for topic in topics]))
        known = _ends(np.array([topic.given.size for topic in topics]))
        begins = _ends(np.array([topic.rows.data.size for topic in topics]))
        ends = np.concatenate([topic.rows.indptr[:-1] for topic in topics]) + np.repeat(begins[:-1], size)
        ends = np.append(ends, begins[-1]).astype(np.int32)
        places, values = (np.concatenate(part) for part in zip(*(topic.rows[1:] for topic in topics)))
        parts = zip(*((topic.terms, topic.given, topic.target, topic.noise, topic.prior) for topic in topics))
        self._terms, means, target, noise, prior = (np.concatenate(part) for part in parts)
        n, width = int(first[-1]), shared.n_dense
        z, r, given_r = np.empty((n, width // 2)), np.empty((n, width)), np.zeros((len(topics), width))
        inverse, solved, alpha = np.empty(int(squares[-1])), np.empty(n), np.empty(n)
        self.weights, self.dense = np.empty(self._terms.size), np.empty((len(topics), shared.n_dense))
        learn_all(
            first, squares, self.words, known, ends, places, values, self._terms, means, target, noise, prior,
            given, z, r, given_r, inverse, solved, alpha, self.weights, self.dense,
        )  # fmt: skip
        self._first, self._squares, self._inverse = first, squares, inverse
        self._rows = solved, target, prior, noise, alpha, z, r
        self._given_r = given_r

    def of_reference(self, room: Floats | None = None) -> Floats:
        """Return the scores of the background's documents: (topics, documents); own ones as `TopicRegression` does.

        They are written to the first rows of `room`, if it is given.
        """
        out = None if room is None else room[: len(self.topics)]
        scores = self.shared.reference_scores(self.dense, self.words, self._terms, self.weights, out)
        for t, topic in enumerate(self.topics):
            if self.shared.places(topic.keys)[0]:
                self.one(t).without_own(scores[t])
        return scores

    @property
    def learned(self) -> Learned:
        """What all of them have learned."""
        return Learned(np.diff(self.words), self._terms, self.weights, self.dense)

    def weights_of(self, t: int) -> Floats:
        """Return the mean weights of the terms of a topic."""
        return self.weights[self.words[t] : self.words[t + 1]]

    def one(self, t: int) -> TopicRegression:
        """Return the regression of one topic."""
        a, b = int(self._first[t]), int(self._first[t + 1])
        square = self._inverse[self._squares[t] : self._squares[t + 1]].reshape(b - a, b - a)
        solved, target, prior, noise, alpha, z, r = (part[a:b] for part in self._rows)
        gp = GPRegression.of(square, solved, target, prior, noise, alpha)
        return TopicRegression(
            self.shared, self.given, self.topics[t], gp, z, r, self._given_r[t], self.weights_of(t), self.dense[t]
        )


def _ends(sizes: Longs) -> Longs:
    """Return where each of several parts begins, and the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
