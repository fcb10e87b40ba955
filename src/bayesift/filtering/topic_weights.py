"""The weights of all GP topics, topic by topic: exact scores of the topics that may show a document, in one kernel.

The words of a topic lie side by side, ascending, with room for more; a topic that outgrows its room moves to the end.
Scores and words are, to the byte, those of the topic's profile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.outcomes import WORDS, insert
from bayesift.filtering.rows import Columns, Row
from bayesift.filtering.topic_regression import Learned
from bayesift.learn.gp_regression import dot
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


class TopicWeights:
    """The weights. first, size, room: where the words of each topic are, how many there are, how many fit."""

    def __init__(self, learned: Learned) -> None:
        self.size, self.room = learned.sizes.copy(), learned.sizes.copy()
        self.first = np.cumsum(self.size) - self.size
        self.end = int(self.size.sum())  # of the words in use
        topic = np.repeat(np.arange(self.size.size) << 32, self.size)
        ascending = np.argsort(topic + learned.terms)
        self.columns, self.weights = learned.terms[ascending], learned.weights[ascending]
        self.dense = learned.dense

    def refresh(self, t: int, profile: GPProfile) -> None:
        """Take over a topic's weights as they are now."""
        columns, place = profile.by_column
        if columns.size > self.room[t]:
            self._move(t, 2 * columns.size)
        a, b = self.first[t], self.first[t] + columns.size
        self.columns[a:b], self.weights[a:b], self.size[t] = columns, profile.weights[place], columns.size
        self.dense[t] = profile.dense

    def _move(self, t: int, room: int) -> None:
        """Move a topic to the end, with more room."""
        if self.end + room > self.columns.size:
            more = self.end + room
            self.columns = np.concatenate([self.columns, np.zeros(more, np.int32)])
            self.weights = np.concatenate([self.weights, np.zeros(more)])
        self.first[t], self.room[t] = self.end, room
        self.end += room

    def scores(self, topics: Longs, row: Row, features: Floats) -> Floats:
        """Return the scores of a document for topics; `features` are those of the shared kernel."""
        here = self.first, self.size, self.columns, self.weights
        return _scores(topics, row.columns, row.weights, features, *here, self.dense)

    def words(self, topics: Longs, row: Row) -> tuple[Longs, Columns, Floats]:
        """Return for each topic how many words of a document contribute most, their columns, and what each adds."""
        return _words(topics, row.columns, row.weights, self.first, self.size, self.columns, self.weights)


@kernel
def _scores(
    topics: Longs, columns: Columns, x: Floats, features: Floats, first: Longs, size: Longs, terms: Columns,
    weights: Floats, dense: Floats,
) -> Floats:  # fmt: skip
    out = np.empty(topics.size)
    for i in range(topics.size):
        t, words, k = topics[i], 0.0, first[topics[i]]
        end = k + size[t]
        for j in range(columns.size):
            while k < end and terms[k] < columns[j]:
                k += 1
            if k == end:
                break
            if terms[k] == columns[j]:
                words += x[j] * weights[k]
        out[i] = words + dot(features, dense[t])
    return out


@kernel
def _words(
    topics: Longs, columns: Columns, x: Floats, first: Longs, size: Longs, terms: Columns, weights: Floats
) -> tuple[Longs, Columns, Floats]:
    n, best = np.zeros(topics.size, np.int64), np.empty((topics.size, WORDS + 1), np.int32)
    share = np.empty((topics.size, WORDS + 1))
    for i in range(topics.size):
        k = first[topics[i]]
        end = k + size[topics[i]]
        for j in range(columns.size):
            while k < end and terms[k] < columns[j]:
                k += 1
            if k == end:
                break
            if terms[k] == columns[j]:
                n[i] = insert(best[i], share[i], n[i], columns[j], x[j] * weights[k])
    return n, best, share
