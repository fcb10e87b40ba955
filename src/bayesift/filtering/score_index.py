"""The scores of all GP topics for a document: a dense product for what topics share, an inverted index for their words.

    s_t(x) = c_t.(X_b x) + u_t.z(x) + w_t.x       (see `topic_kernel`)

The first two parts are one product of a matrix (topics, 400) with the document's features; for many documents at once
it is a product of two matrices, and for many topics one over fewer dimensions (`narrow_features`). The third is a walk
over the postings of the document's terms. A term's postings lie side by side, with room for more; the last one takes
the place of one that is removed. Everything here is in single precision and only finds the topics whose bar a document
may pass; those few are scored exactly by their profile.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.rows import Batch, Columns, Row
from bayesift.numba_kernel import kernel

Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
ROUNDING = 1e-4  # by which a score in single precision may be too low
MANY = 512  # topics from which on features are narrowed


class ScoreIndex:
    """The weights of all topics. A query changes nothing in it.

    begin, length, room: where the postings of each column are, how many there are, how many fit.
    topic, weight: of each posting, its topic and the mean weight. dense: the topics' weights of the shared features,
    narrowed if there are many topics.
    """

    def __init__(self, profiles: Sequence[GPProfile], dense: Floats) -> None:
        self._columns: list[Columns] = [profile.terms for profile in profiles]  # of each topic
        columns = np.concatenate([*self._columns, np.empty(0, np.int32)])
        weights = np.concatenate([*(profile.weights for profile in profiles), np.empty(0)])
        self.room = np.bincount(columns, minlength=1).astype(np.int64)
        self.begin, self.length = np.cumsum(self.room) - self.room, np.zeros(self.room.size, np.int64)
        self.end = columns.size  # of the postings in use
        self.topic, self.weight = np.zeros(max(self.end, 1), np.int32), np.zeros(max(self.end, 1), np.float32)
        sizes = np.array([terms.size for terms in self._columns], np.int64)
        _fill(sizes, columns, weights, self.begin, self.length, self.topic, self.weight)
        self._narrow = profiles[0].shared.narrow if len(profiles) >= MANY else _as_they_are
        self.dense = self._narrow(dense)

    def refresh(self, t: int, profile: GPProfile) -> None:
        """Take over a topic's weights as they are now."""
        old, terms = self._columns[t], profile.terms
        known = min(old.size, terms.size)
        if old.size > terms.size or (old != terms[:known]).any():
            _remove(t, old, self.begin, self.length, self.topic, self.weight)
            known = 0
        self._append(t, terms[known:])
        self._columns[t] = terms
        _set(t, terms, profile.weights, self.begin, self.length, self.topic, self.weight)
        self.dense[t] = self._narrow(profile.dense[None])[0]

    rebuild = refresh

    def scores(self, rows: Sequence[Row], features: Floats) -> Singles:
        """Return the scores of documents, with the features of each, for all topics: (documents, topics).

        With many topics, scores may be higher than they are.
        """
        out = self._narrow(features) @ self.dense.T
        _add_words(*Batch.of(rows), self.begin, self.length, self.topic, self.weight, out)
        return out

    def above(self, scores: Singles, bars: Floats) -> Longs:
        """Return the topics whose bar a document may pass, in order."""
        return _above(scores, bars)

    def _append(self, t: int, columns: Columns) -> None:
        if not columns.size:
            return
        more = int(columns.max()) + 1 - self.begin.size
        if more > 0:
            for name in ("begin", "length", "room"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros(max(more, old.size), np.int64)]))
        for column in columns[self.length[columns] == self.room[columns]].tolist():
            self._move(column)
        at = self.begin[columns] + self.length[columns]
        self.length[columns] += 1
        self.topic[at] = t

    def _move(self, column: int) -> None:
        """Move the postings of a column to the end, with twice the room."""
        begin, n, room = int(self.begin[column]), int(self.length[column]), max(2, 2 * int(self.room[column]))
        if self.end + room > self.topic.size:
            self.topic = np.concatenate([self.topic, np.zeros(self.end + room, np.int32)])
            self.weight = np.concatenate([self.weight, np.zeros(self.end + room, np.float32)])
        for array in (self.topic, self.weight):
            array[self.end : self.end + n] = array[begin : begin + n]
        self.begin[column], self.room[column] = self.end, room
        self.end += room


@kernel
def _fill(
    sizes: Longs, columns: Columns, weights: Floats, begin: Longs, length: Longs, topic: Columns, weight: Singles
) -> None:
    """Write the postings of all topics, one after the other."""
    i = 0
    for t in range(sizes.size):
        for _ in range(sizes[t]):
            c = columns[i]
            k = begin[c] + length[c]
            topic[k], weight[k] = t, weights[i]
            length[c] += 1
            i += 1


@kernel
def _set(
    t: int, columns: Columns, weights: Floats, begin: Longs, length: Longs, topic: Columns, weight: Singles
) -> None:
    """Set the weights of a topic's postings; the newest are last."""
    for i in range(columns.size):
        c = columns[i]
        k = begin[c] + length[c] - 1
        while topic[k] != t:
            k -= 1
        weight[k] = weights[i]


@kernel
def _remove(t: int, columns: Columns, begin: Longs, length: Longs, topic: Columns, weight: Singles) -> None:
    """Remove a topic's postings; the last of each column takes the place of the one removed."""
    for i in range(columns.size):
        c = columns[i]
        last = begin[c] + length[c] - 1
        k = last
        while topic[k] != t:
            k -= 1
        topic[k], weight[k] = topic[last], weight[last]
        length[c] -= 1


def _as_they_are(features: Floats) -> Singles:
    return features.astype(np.float32)


@kernel
def _add_words(
    ends: Columns, columns: Columns, weights: Floats, begin: Longs, length: Longs, topic: Columns, weight: Singles,
    out: Singles,
) -> None:  # fmt: skip
    """Add w_t.x of every document and topic."""
    for d in range(ends.size - 1):
        row = out[d]
        for i in range(ends[d], ends[d + 1]):
            c = columns[i]
            if c >= begin.size:
                break
            x = np.float32(weights[i])
            for k in range(begin[c], begin[c] + length[c]):
                row[topic[k]] += x * weight[k]


@kernel
def _above(scores: Singles, bars: Floats) -> Longs:
    """Return the topics whose score may be above the bar."""
    found, n = np.empty(scores.size, np.int64), 0
    for t in range(scores.size):
        if scores[t] > bars[t] - ROUNDING:
            found[n] = t
            n += 1
    return found[:n].copy()
