"""The probabilities of documents that wait, kept as long as their topic learns nothing.

An inbox is opened more often than it changes. After an answer all its documents have new probabilities, which one
kernel computes for all of them: what it needs of the documents, their features, is kept in a table. All of this is only
copies: the numbers are those of `GPProfile.probability`, to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.rows import Batch, Columns, Row
from bayesift.filtering.shared_prior import SharedPrior
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_kernel import TopicKernel
from bayesift.learn.gp_regression import dot
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
MOST = 32_768  # documents whose features are kept, 1.6 kB each


class Ranked(NamedTuple):
    """A document that waits for an answer: its id, its probability, and how it was shown."""

    document: str
    probability: float
    source: str


class _Known(NamedTuple):
    shared: TopicKernel
    prior: SharedPrior
    version: int
    found: dict[str, float]
    documents: list[str]  # of the last ranking
    ranked: list[Ranked]


class WaitingScores:
    """Probabilities of waiting documents, for all topics of a filter."""

    def __init__(self) -> None:
        self._features = FeatureTable()
        self._known: WeakKeyDictionary[Topic, _Known] = WeakKeyDictionary()  # a removed topic leaves nothing behind

    def ranking(self, topic: Topic, documents: list[str]) -> list[Ranked]:
        """Return these documents, which wait for an answer of the topic, the most probable first."""
        profile = topic.profile
        if not isinstance(profile, GPProfile):
            return _ranked(topic, {id: profile.probability(topic.waiting[id]) for id in documents})
        known = self._before(topic, profile)
        if known is not None and known.documents == documents:
            return known.ranked[:]
        found = {} if known is None else known.found
        new = [id for id in documents if id not in found]
        for begin in range(0, len(new), MOST):
            some = new[begin : begin + MOST]
            found |= zip(some, self._probabilities(profile, [topic.waiting[id] for id in some]))
        if len(found) > len(topic.waiting):
            found = {id: p for id, p in found.items() if id in topic.waiting}
        ranked = _ranked(topic, {id: found[id] for id in documents})
        self._known[topic] = _Known(profile.shared, profile.shared.prior, topic.version, found, documents, ranked)
        return ranked[:]

    def _before(self, topic: Topic, profile: GPProfile) -> _Known | None:
        """Return what is known if the topic has learned nothing since."""
        known = self._known.get(topic)
        if known is None or known.shared is not profile.shared:
            return None
        return known if (known.prior, known.version) == (profile.shared.prior, topic.version) else None

    def _probabilities(self, profile: GPProfile, rows: Sequence[Row]) -> list[float]:
        places = self._features.places(profile.shared, rows)
        scores = _scores(
            *Batch.of(rows), profile.terms, profile.weights, places, self._features.values, profile.dense
        )
        found: list[float] = expit(profile.calibration.logits(scores)).tolist()
        return found


class FeatureTable:
    """The features of rows; when it is full, it is filled from scratch.

    Attributes
    ----------
    values : array of (places, features)
        The features.
    """

    values: Floats
    _place: dict[int, tuple[Row, int]]  # by identity, which stays that of a row as long as the row is here

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._shared: TopicKernel | None = None

    def places(self, shared: TopicKernel, rows: Sequence[Row]) -> Longs:
        """Return where the features of rows are, at most as many as the table holds; those missing are computed."""
        if shared is not self._shared:
            self._begin(shared)
        new = {id(row): row for row in rows if id(row) not in self._place}
        if len(self._place) + len(new) > self._most:
            self._begin(shared)
            new = {id(row): row for row in rows}
        if new:
            first = len(self._place)
            self.values[first : first + len(new)] = shared.features_of_rows(list(new.values()))
            self._place |= {key: (row, place) for place, (key, row) in enumerate(new.items(), first)}
        return np.array([self._place[id(row)][1] for row in rows], np.int64)

    def _begin(self, shared: TopicKernel) -> None:
        self._shared, self._place = shared, {}
        self.values = np.empty((self._most, shared.n_dense))  # the system gives memory to what is used of it


def _ranked(topic: Topic, found: dict[str, float]) -> list[Ranked]:
    """Return documents with their probabilities, the most probable first."""
    return [Ranked(id, p, _source(topic, id)) for id, p in sorted(found.items(), key=lambda entry: -entry[1])]


def _source(topic: Topic, document: str) -> str:
    event = topic.shown.get(document)
    return "delivered" if event is None else event.source or ("asked" if event.asked else "delivered")


@kernel
def _scores(
    ends: Columns, columns: Columns, weights: Floats, terms: Columns, term_weights: Floats, places: Longs,
    features: Floats, dense: Floats,
) -> Floats:  # fmt: skip
    """Return w.x + dense.features of each row; a word that the topic does not know adds 0."""
    known, out = np.zeros(terms.max() + 1 if terms.size else 0), np.empty(places.size)
    for k in range(terms.size):
        known[terms[k]] = term_weights[k]
    for i in range(places.size):
        words = 0.0
        for k in range(ends[i], ends[i + 1]):
            if columns[k] >= known.size:
                break
            words += weights[k] * known[columns[k]]
        out[i] = words + dot(features[places[i]], dense)
    return out
