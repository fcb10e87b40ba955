"""The scores of all GP topics for a document: a dense product for what topics share, an inverted index for their words.

    s_t(x) = c_t.(y - l z) + u_t.z + w_t.x       (see `topic_kernel`)

The first two parts are one product of a matrix (topics, 200) with the document's features; for many documents at once
it is a product of two matrices, and for many topics one over fewer dimensions (`narrow_features`). The third is a walk
over the postings of the document's terms. A term's postings lie side by side, with room for more; the last one takes
the place of one that is removed. A term that one in `ONE_IN` topics has gets a row with a weight for every topic, which
takes less time than so many postings. Everything here is in single precision and only finds the topics whose bar a
document may pass; those few are scored exactly by their profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.rows import Batch, Columns, Row
from bayesift.filtering.topic_kernel import TopicKernel
from bayesift.filtering.topic_regression import Learned
from bayesift.numba_kernel import kernel
from bayesift.threads import one_thread

Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
ROUNDING = 1e-4  # by which a score in single precision may be too low
MANY = 512  # topics from which on features are narrowed, and frequent terms have rows
ONE_IN = 16
FEW = 1 << 12  # scores for which one thread is taken anyway, and need not be asked for
BLOCK = 2048  # topics whose weights of all frequent terms are at hand in the processor


class ScoreIndex:
    """The weights of all topics. A query changes nothing in it.

    begin, length, room: where the postings of each column are, how many there are, how many fit.
    topic, weight: of each posting, its topic and the mean weight. place, frequent: which row a column has, -1 for none,
    and the rows. dense: the topics' weights of the shared features, narrowed if there are many topics.
    """

    def __init__(self, learned: Learned, shared: TopicKernel | None) -> None:
        n, ends = learned.sizes.size, np.cumsum(learned.sizes).tolist()
        self._columns: list[Columns] = [learned.terms[a:b] for a, b in pairwise([0, *ends])]  # of each topic
        self.room = np.bincount(learned.terms, minlength=1).astype(np.int64)
        often = np.flatnonzero(self.room >= (n / ONE_IN if n >= MANY else np.inf))
        self.place = np.full(self.room.size, -1, np.int32)
        self.place[often], self.room[often] = np.arange(often.size), 0
        self.frequent = np.zeros((often.size, n), np.float32)
        self.begin, self.length = np.cumsum(self.room) - self.room, np.zeros(self.room.size, np.int64)
        self.end = int(self.room.sum())  # of the postings in use
        self.topic, self.weight = np.zeros(max(self.end, 1), np.int32), np.zeros(max(self.end, 1), np.float32)
        rows = self.place, self.frequent
        _fill(*learned[:3], *rows, self.begin, self.length, self.topic, self.weight)
        self._narrow = shared.narrow if shared is not None and n >= MANY else _as_they_are
        self.dense = self._narrow(learned.dense)

    def refresh(self, t: int, profile: GPProfile) -> None:
        """Take over a topic's weights as they are now."""
        old, terms = self._columns[t], profile.terms
        known = min(old.size, terms.size)
        if old.size > terms.size or (old != terms[:known]).any():
            _remove(t, old, self.place, self.frequent, self.begin, self.length, self.topic, self.weight)
            known = 0
        self._append(t, terms[known:])
        self._columns[t] = terms
        _set(t, terms, profile.weights, self.place, self.frequent, self.begin, self.length, self.topic, self.weight)
        self.dense[t] = self._narrow(profile.dense[None])[0]

    def scores(self, rows: Sequence[Row], features: Floats, out: Singles | None = None) -> Singles:
        """Return the scores of documents, with the features of each, for all topics: (documents, topics).

        With many topics, scores may be higher than they are. They are written to `out`, if it is given.
        """
        with one_thread() if len(rows) * len(self.dense) > FEW else nullcontext():
            found: Singles = np.matmul(self._narrow(features), self.dense.T, out=out)
        batch = Batch.of(rows)
        _add_frequent(*batch, self.place, self.frequent, found)
        _add_words(*batch, self.begin, self.length, self.topic, self.weight, found)
        return found

    def above(self, scores: Singles, bars: Floats) -> Longs:
        """Return the topics whose bar a document may pass, in order."""
        return _above(scores, bars)

    def _append(self, t: int, columns: Columns) -> None:
        if not columns.size:
            return
        more = int(columns.max()) + 1 - self.begin.size
        if more > 0:
            more = max(more, self.begin.size)
            self.place = np.concatenate([self.place, np.full(more, -1, np.int32)])
            for name in ("begin", "length", "room"):
                setattr(self, name, np.concatenate([getattr(self, name), np.zeros(more, np.int64)]))
        columns = columns[self.place[columns] < 0]
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
    sizes: Longs, columns: Columns, weights: Floats, place: Columns, frequent: Singles, begin: Longs, length: Longs,
    topic: Columns, weight: Singles,
) -> None:  # fmt: skip
    """Write the weights of all topics, one after the other."""
    i = 0
    for t in range(sizes.size):
        for _ in range(sizes[t]):
            c = columns[i]
            if place[c] >= 0:
                frequent[place[c], t] = weights[i]
            else:
                k = begin[c] + length[c]
                topic[k], weight[k] = t, weights[i]
                length[c] += 1
            i += 1


@kernel
def _set(
    t: int, columns: Columns, weights: Floats, place: Columns, frequent: Singles, begin: Longs, length: Longs,
    topic: Columns, weight: Singles,
) -> None:  # fmt: skip
    """Set the weights of a topic; the newest postings are last."""
    for i in range(columns.size):
        c = columns[i]
        if place[c] >= 0:
            frequent[place[c], t] = weights[i]
            continue
        k = begin[c] + length[c] - 1
        while topic[k] != t:
            k -= 1
        weight[k] = weights[i]


@kernel
def _remove(
    t: int, columns: Columns, place: Columns, frequent: Singles, begin: Longs, length: Longs, topic: Columns,
    weight: Singles,
) -> None:  # fmt: skip
    """Remove a topic's weights; the last posting of each column takes the place of the one removed."""
    for i in range(columns.size):
        c = columns[i]
        if place[c] >= 0:
            frequent[place[c], t] = 0.0
            continue
        last = begin[c] + length[c] - 1
        k = last
        while topic[k] != t:
            k -= 1
        topic[k], weight[k] = topic[last], weight[last]
        length[c] -= 1


def _as_they_are(features: Floats) -> Singles:
    return features.astype(np.float32)


@kernel
def _add_frequent(
    ends: Columns, columns: Columns, weights: Floats, place: Columns, frequent: Singles, out: Singles
) -> None:
    """Add w_t.x of every document and topic, for the terms that have rows."""
    for begin in range(0, out.shape[1] if frequent.shape[0] else 0, BLOCK):
        end = min(begin + BLOCK, out.shape[1])
        for d in range(ends.size - 1):
            row = out[d, begin:end]
            for i in range(ends[d], ends[d + 1]):
                c = columns[i]
                if c >= place.size:
                    break
                if place[c] >= 0:
                    x, more = np.float32(weights[i]), frequent[place[c], begin:end]
                    for k in range(row.size):
                        row[k] += x * more[k]


@kernel
def _add_words(
    ends: Columns, columns: Columns, weights: Floats, begin: Longs, length: Longs, topic: Columns, weight: Singles,
    out: Singles,
) -> None:  # fmt: skip
    """Add w_t.x of every document and topic, for the terms that have postings."""
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
