"""Share the topic groups of a workspace among workers, on one machine or several.

On PostgreSQL a worker holds a shared lock that counts the workers, and one lock per group it works for; the server
releases them when the worker ends, however it ends. Each worker takes at most its share, groups / workers rounded up,
and returns what is above it when another worker comes. Claims only save work: what is right does not depend on them,
since every change takes the write lock of its group. On SQLite, which is one machine's file, a worker takes all groups.
"""

from __future__ import annotations

import contextlib
from types import TracebackType
from typing import Self

import sqlalchemy as sa

from bayesift.filtering.store.database import Database
from bayesift.filtering.store.failures import explained
from bayesift.filtering.store.locking import lock_space

WORKERS = 1_000_000  # number of the lock that all workers share
GROUPS = 1_000_001  # and of the claim of the first group

_COUNT = """SELECT count(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = :space
AND objid = :key AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class Claims:
    """The groups that this worker works for."""

    def __init__(self, database: Database, groups: int) -> None:
        self._database, self._groups = database, groups
        self._connection: sa.Connection | None = None
        self._space = 0
        self._mine: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def renew(self) -> list[int]:
        """Return the groups to work for now, after taking free ones and returning those above the share.

        Raises
        ------
        StoreFailed
            If the database is away. All claims are gone then; the next call starts again.
        """
        if self._database.is_sqlite:
            return list(range(self._groups))
        try:
            with explained(self._database.name):
                return self._renew()
        except BaseException:
            self._drop()
            raise

    def _renew(self) -> list[int]:
        if self._connection is None:
            engine = self._database.engine.execution_options(isolation_level="AUTOCOMMIT")
            self._connection = engine.connect()
            self._space = lock_space(self._connection)
            self._call("pg_advisory_lock_shared", WORKERS)
        workers = self._connection.execute(sa.text(_COUNT), {"space": self._space, "key": WORKERS}).scalar_one()
        share = -(-self._groups // max(workers, 1))
        while len(self._mine) > share:
            self._call("pg_advisory_unlock", GROUPS + self._mine.pop())
        for group in sorted(set(range(self._groups)) - set(self._mine)):
            if len(self._mine) < share and self._call("pg_try_advisory_lock", GROUPS + group):
                self._mine.append(group)
        return list(self._mine)

    def _call(self, function: str, key: int) -> object:
        assert self._connection is not None
        query = sa.text(f"SELECT {function}(:space, :key)")
        return self._connection.execute(query, {"space": self._space, "key": key}).scalar()

    def _drop(self) -> None:
        """Close the connection, which returns all claims; it must not go back to the pool with its locks."""
        connection, self._connection, self._mine = self._connection, None, []
        if connection is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                connection.invalidate()
            with contextlib.suppress(sa.exc.SQLAlchemyError):
                connection.close()
