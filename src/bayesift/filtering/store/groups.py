"""The topic groups of a workspace in memory, and the transactions that read and change them."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator

import sqlalchemy as sa

from bayesift.errors import BayesiftError
from bayesift.filtering.store import checkpoints
from bayesift.filtering.store.checkpoints import Position
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.group import Group
from bayesift.filtering.store.locking import CATALOGUE, group_key
from bayesift.filtering.store.recording import record
from bayesift.filtering.store.settings import Settings, utc_now
from bayesift.filtering.store.texts import StoredTexts
from bayesift.filtering.store.turns import Turns
from bayesift.text.meaning.sources import CORPUS


class Groups:
    """The groups that were used, each with its filter.

    Threads take turns to load, use and change groups. If a transaction fails, the groups it changed are dropped and
    loaded again when they are needed: what is in memory is never ahead of the database.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings = database, settings
        self.number, self.meaning = settings.groups, settings.filter.get("meaning", CORPUS)
        self._loaded: dict[int, Group] = {}
        self._turn = Turns()
        self._saving = threading.Lock()  # of checkpoints
        self._open = threading.local()  # the transaction that this thread has open

    @contextlib.contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Return the transaction that this thread has open, or open one for reading."""
        connection = getattr(self._open, "connection", None)
        if connection is not None:
            yield connection
            return
        with self._database.read() as connection, self._opened(connection):
            yield connection

    @contextlib.contextmanager
    def _opened(self, connection: sa.Connection) -> Iterator[None]:
        self._open.connection, self._open.current = connection, set()
        try:
            yield
        finally:
            self._open.connection = None

    @contextlib.contextmanager
    def catalogue(self) -> Iterator[sa.Connection]:
        """Open a transaction that may change the lists of documents and topics."""
        with self.changing((), catalogue=True) as (connection, _):
            yield connection

    @contextlib.contextmanager
    def changing(
        self, numbers: Iterable[int], catalogue: bool = False
    ) -> Iterator[tuple[sa.Connection, list[Group]]]:
        """Open a transaction that may change groups, after catching up; what changed is recorded before the commit."""
        numbers = list(numbers)
        keys = [CATALOGUE] * catalogue + [group_key(number) for number in numbers]
        with self._turn:
            try:
                with self._database.write(*keys) as connection, self._opened(connection):
                    groups = [self._group(connection, number) for number in numbers]
                    for group in groups:
                        group.pending.is_open = True
                    yield connection, groups
                    after = [record(connection, group, utc_now()) for group in groups]
            except BaseException as error:
                for number in numbers:
                    self._drop(number, error)
                raise
            finally:
                for number in numbers:
                    if number in self._loaded:
                        self._loaded[number].pending.is_open = False
            for group, at in zip(groups, after):
                group.recorded(at)

    @contextlib.contextmanager
    def using(self, number: int) -> Iterator[Group]:
        """Return a group as of the last event in the database, which no other thread changes meanwhile."""
        with self._turn, self.reading() as connection:
            yield self._group(connection, number)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Let what this thread reads be of one state: in one transaction, with no change by another thread."""
        with self._turn, self.reading():
            yield

    def checkpoint(self, due_only: bool) -> bool:
        """Write checkpoints of the groups that have changed, or of those that are due; return whether there was one.

        Other threads wait while the state is copied, and not while it is encoded and written.
        """
        with self._saving:
            with self._turn:
                groups = [g for g in self._loaded.values() if (g.is_due if due_only else g.at != g.saved)]
            for group in groups:
                begin = time.perf_counter()
                with self._turn:
                    taken = group.snapshot()
                data = checkpoints.encode(taken.state)
                seconds = time.perf_counter() - begin
                checkpoints.save(self._database, group.number, taken.at, data, utc_now())
                with self._turn:
                    group.checkpointed(taken, seconds)
        return bool(groups)

    def load_changed(self) -> None:
        """Load the groups that have come further than their newest checkpoint."""
        with self._turn, self.reading() as connection:
            for number in range(self.number):
                newest = next(iter(checkpoints.positions(connection, number)), Position(0, 0))
                if newest != checkpoints.position(connection, number):
                    self._group(connection, number)

    def forget(self) -> None:
        """Drop all groups from memory."""
        self._loaded.clear()

    def _group(self, connection: sa.Connection, number: int) -> Group:
        group = self._loaded.get(number)
        if group is None or group.pending.is_stale:
            texts = StoredTexts(self.reading)
            group = Group.load(connection, number, self._settings.filter, texts, self._database.name)
            self._loaded[number] = group
        elif number in self._open.current:
            return group
        try:
            group.catch_up(connection)
        except BaseException:
            self._loaded.pop(number)
            raise
        self._open.current.add(number)  # the transaction sees one state, and so far the group has come
        return group

    def _drop(self, number: int, error: BaseException) -> None:
        """Drop a group that may be ahead of the database; after an error of the user's input nothing has changed."""
        group = self._loaded.get(number)
        if group is not None and (group.pending or not isinstance(error, BayesiftError) or isinstance(error, OSError)):
            del self._loaded[number]
