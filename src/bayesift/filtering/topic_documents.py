"""The documents that a topic learns from, with their targets; none of it depends on the background.

Words that a person gave have the prior mean of their weight; one with a deviation below 1 is also a document of that
word alone, with that mean for its target and the noise that leaves this deviation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.rows import Batch, Columns, Row, localised
from bayesift.learn.priors import FeaturePrior

Floats = NDArray[np.float64]
WIDEST = 1.0  # deviation of the weight of a word that nobody gave
MIN_NOISE = 1e-3


class TopicDocuments:
    """Documents of a topic, in the order in which they came.

    Attributes
    ----------
    terms : array of int
        The columns of their words, in the order in which they came; words that a person gave are first.
    given : array of float
        The prior means of the words given.
    rows : Batch
        The documents, each column replaced by its term's place.
    target, noise, prior : arrays of float
        Of each document: its target, its noise variance, and its prior mean by the words given.
    keys : list of bytes
        Of each document, the key of its row.

    Examples
    --------
    >>> documents = TopicDocuments(FeaturePrior(np.empty(0), np.empty(0)))
    >>> documents.add(Row.of({7: 0.6, 9: 0.8}), target=1.0, noise=0.5)
    >>> documents.terms, documents.rows.indices
    (array([7, 9], dtype=int32), array([0, 1], dtype=int32))
    """

    def __init__(self, feature_prior: FeaturePrior) -> None:
        self._feature_prior = feature_prior
        self.terms, self._sorted, self._place = (np.empty(0, np.int32) for _ in range(3))
        self.rows = Batch.of([])
        self.target, self.noise, self.prior = np.empty(0), np.empty(0), np.empty(0)
        self.keys: list[bytes] = []
        words = feature_prior.columns
        self.given = feature_prior.mean[words]
        self._know(words.astype(np.int32))
        for column, mean, sd in zip(words.tolist(), self.given.tolist(), feature_prior.sd[words].tolist()):
            if sd < WIDEST:
                self.add(Row.of({column: 1.0}), mean, max(sd * sd / (1.0 - sd * sd), MIN_NOISE))

    @property
    def n(self) -> int:
        """The number of documents."""
        return self.target.size

    def add(self, row: Row, target: float, noise: float) -> None:
        """Add a document."""
        self._know(row.columns)
        self.rows = self.rows.append(self.local(row))
        self.keys.append(row.key)
        given = self._feature_prior.take(row.columns.astype(np.intp)).mean
        self.target, self.noise = np.append(self.target, target), np.append(self.noise, noise)
        self.prior = np.append(self.prior, given @ row.weights)

    def add_all(self, rows: Sequence[Row], target: Sequence[float], noise: Sequence[float]) -> None:
        """Add documents, as `add` does one by one."""
        if not rows:
            return
        batch = Batch.of(rows)
        columns = np.asarray(batch.indices, np.int32)
        first = np.unique(columns, return_index=True)[1]
        self._know(columns[np.sort(first)])
        local, weights = localised(columns, batch.data, self._sorted, self._place)
        self.rows = self.rows.extend(Batch(batch.indptr, local, weights))
        self.keys += [row.key for row in rows]
        self.target, self.noise = np.append(self.target, target), np.append(self.noise, noise)
        given = self._feature_prior.take
        prior = [given(row.columns.astype(np.intp)).mean @ row.weights for row in rows]
        self.prior = np.append(self.prior, prior)

    @property
    def known(self) -> tuple[Columns, Columns]:
        """The terms in ascending order, and the place of each."""
        return self._sorted, self._place

    def local(self, row: Row) -> Row:
        """Return the part of a row in the terms, each column replaced by its term's place."""
        return Row(*localised(row.columns, row.weights, self._sorted, self._place))

    def _know(self, columns: Columns) -> None:
        """Add the columns that are new."""
        new = columns[~np.isin(columns, self.terms)] if self.terms.size else columns
        if new.size:
            self.terms = np.concatenate([self.terms, new.astype(np.int32)])
            order = np.argsort(self.terms, kind="stable")
            self._sorted, self._place = self.terms[order], order.astype(np.int32)
