"""The ranker of a review, kept in step with its state."""

from __future__ import annotations

import numpy as np
import sqlalchemy as sa

from bayesift.errors import BayesiftError
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.store import record_table, vectors
from bayesift.filtering.screening.store.events import LISTS
from bayesift.filtering.screening.store.list_state import NOTHING
from bayesift.filtering.screening.store.state import State


class Ranking:
    """A ranker that knows the records and decisions of a state when it is asked for.

    Parameters
    ----------
    name : str
        The review, for errors.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._ranker: PoolRanker | None = None
        self._about: tuple[str, int] = "", 0
        self._learned = np.empty(0, np.int8)
        self.is_saved = True  # whether the database has the vectors

    def ranker(self, connection: sa.Connection, state: State) -> PoolRanker:
        """Return the ranker, with all that the state says."""
        about = state.settings.question, state.settings.seed
        if self._ranker is None or about != self._about:
            self._open(connection, state.size, about)
        assert self._ranker is not None
        if self._ranker.size < state.size:
            self._ranker.add(record_table.texts(connection, self._ranker.size, state.size))
            self.is_saved = False
        self._learn(self._ranker, state.lists[LISTS[0]].learned)
        return self._ranker

    def save(self, connection: sa.Connection) -> None:
        """Write the vectors."""
        if self._ranker is not None:
            vectors.save(connection, self._ranker.size, self._ranker.vectors())
            self.is_saved = True

    def _open(self, connection: sa.Connection, size: int, about: tuple[str, int]) -> None:
        question, seed = about
        stored = vectors.load(connection, self._name) if self._ranker is None else self._ranker.vectors()
        self._ranker, self._about, self._learned = None, about, np.empty(0, np.int8)
        if stored is not None:
            try:
                self._ranker = PoolRanker.from_vectors(stored, question=question, seed=seed)
            except (BayesiftError, KeyError, TypeError, ValueError):  # of another bayesift
                self._ranker = None
        if self._ranker is None or self._ranker.size > size:  # vectors of records that came after the state was read
            self._ranker = PoolRanker(record_table.texts(connection, 0, size), question=question, seed=seed)
            self.is_saved = False

    def _learn(self, ranker: PoolRanker, wanted: np.ndarray[tuple[int], np.dtype[np.int8]]) -> None:
        """Learn what is new, and forget what no longer holds."""
        before = np.full(wanted.size, NOTHING, np.int8)
        before[: self._learned.size] = self._learned
        for record in np.flatnonzero((wanted != before) & (before != NOTHING)).tolist():
            ranker.withdraw(record)
        new = np.flatnonzero((wanted != before) & (wanted != NOTHING))
        if new.size:
            ranker.learn(new, wanted[new] == 1)
        self._learned = wanted.copy()
