"""A review in memory, in step with its database: other processes may write to it at any time.

What is in memory follows the database and never goes ahead of it: events are folded in after they are committed.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

import sqlalchemy as sa

from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.store import log
from bayesift.filtering.screening.store.events import Event
from bayesift.filtering.screening.store.ranking import Ranking
from bayesift.filtering.screening.store.state import State
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.locking import CATALOGUE


class Live:
    """State and ranker of the review in a database, for any number of threads."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.state = State()
        self.ranking = Ranking(database.name)
        self.lock = threading.RLock()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Open a reading transaction, with the state up to date."""
        with self.lock, self.database.read() as connection:
            self._catch_up(connection)
            yield connection

    def change(self, make: Callable[[sa.Connection], Sequence[Event]]) -> list[tuple[int, Event]]:
        """Write the events that a function makes from the newest state, and return them with their numbers.

        The function checks what it is asked for; if it raises, nothing is written.
        """
        with self.lock:
            with self.database.write(CATALOGUE) as connection:
                self._catch_up(connection)
                events = make(connection)
                log.append(connection, self.state.last, events)
            numbered = list(enumerate(events, self.state.last + 1))
            self.state.fold(numbered)
            return numbered

    def ranker(self, connection: sa.Connection) -> PoolRanker:
        """Return the ranker, which has learned all decisions."""
        return self.ranking.ranker(connection, self.state)

    def save_vectors(self) -> None:
        """Write the records' vectors, if they have changed."""
        with self.lock:
            if not self.ranking.is_saved:
                with self.database.write(CATALOGUE) as connection:
                    self.ranking.save(connection)

    def _catch_up(self, connection: sa.Connection) -> None:
        self.state.fold(list(log.after(connection, self.state.last)))
