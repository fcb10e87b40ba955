"""Locks of writers: at most one process at a time changes a group of topics, and the others know which.

A lock is held for the length of a transaction and ends with its process. On SQLite it is a file beside the database,
which holds the name of the process; on PostgreSQL it is an advisory lock of the transaction, and the server knows the
name. The locks have numbers: `CATALOGUE` protects the list of documents and topics, `group_key(g)` the events of group
g. They are taken in ascending order, so that no two processes wait for each other. On SQLite, where there is one writer
per file in any case, all numbers are one lock.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from bayesift.filtering.store.failures import StoreFailed
from bayesift.filtering.store.turns import Turns
from bayesift.locks import lock_file

CATALOGUE = 0
LONGEST_NAME = 63  # bytes of an application's name on PostgreSQL
RECORD = 128  # bytes of a lock file
HELD = "wait until it has finished, or end it"


def group_key(group: int) -> int:
    """Return the number of the lock of a group of topics."""
    return group + 1


def holder_name() -> str:
    """Return a name for this process: its number, machine and program."""
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    return f"process {os.getpid()} on {socket.gethostname()} ({program})"[:LONGEST_NAME]


class Held(StoreFailed):
    """A lock that another process keeps."""


class WriteLock(Protocol):
    """Opens transactions that hold locks."""

    def transaction(self, connection: sa.Connection, keys: Sequence[int]) -> contextlib.AbstractContextManager[None]:
        """Open a transaction that holds the locks of these numbers; raise StoreFailed if another process keeps them."""


class FileLock:
    """Lock file beside a SQLite database.

    Parameters
    ----------
    path : Path
        The database.
    wait : float
        Seconds to wait for another writer.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self.database, self.wait = path, wait
        self.path = path.with_name(path.name + ".lock")
        self._turns = Turns()  # of the threads of this process, which need not look again and again

    @contextlib.contextmanager
    def transaction(self, connection: sa.Connection, keys: Sequence[int]) -> Iterator[None]:
        """Lock the file, then open a transaction; the lock is released after the commit."""
        with self._turns, self.held(), connection.begin():
            yield

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock file, with the name of this process in it."""
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            reason = f"the lock file cannot be opened: {error.strerror}"
            remedy = "remove it" if isinstance(error, IsADirectoryError) else "make it and its folder writable"
            raise StoreFailed(reason, path=self.path, remedy=remedy) from error
        try:
            with contextlib.suppress(NotImplementedError):
                self._acquire(file)
            yield
        finally:
            os.close(file)  # releases the lock

    def _acquire(self, file: int) -> None:
        begin = time.monotonic()
        pause = 0.002
        try:
            while not lock_file(file, wait=False):
                if time.monotonic() - begin >= self.wait:
                    raise self._held_by(os.pread(file, RECORD, 0).decode(errors="replace").strip())
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
        except OSError as error:
            if isinstance(error, StoreFailed):
                raise
            return  # no locks on this file system: SQLite's own lock has no name, but holds
        since = datetime.now(UTC).isoformat(timespec="seconds")
        os.pwrite(file, f"{holder_name()} since {since}".encode().ljust(RECORD), 0)  # truncating would take longer

    def _held_by(self, holder: str) -> Held:
        reason = f"is being written by {holder or 'another process'}"
        return Held(reason, path=self.database, remedy=HELD)


class AdvisoryLock:
    """Advisory locks of a PostgreSQL server; several workspaces in one database differ by their schema.

    Parameters
    ----------
    engine : Engine
        The database.
    name : str
        The workspace, for errors.
    wait : float
        Seconds to wait for another writer.
    """

    def __init__(self, engine: sa.Engine, name: str, wait: float) -> None:
        self.engine, self.name, self.wait = engine, name, wait

    @contextlib.contextmanager
    def transaction(self, connection: sa.Connection, keys: Sequence[int]) -> Iterator[None]:
        """Open a transaction and take the locks in it; the server releases them after the commit."""
        with connection.begin():
            self._acquire(connection, keys)
            yield

    def _acquire(self, connection: sa.Connection, keys: Sequence[int]) -> None:
        space = lock_space(connection)
        connection.execute(sa.text(f"SET LOCAL lock_timeout = {max(1, round(1000 * self.wait))}"))
        for key in sorted(set(keys)):
            try:
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:space, :key)"), {"space": space, "key": key})
            except sa.exc.DBAPIError as error:
                if getattr(error.orig, "sqlstate", None) != "55P03":
                    raise
                reason = f"is being written by {self._holder(space, key)}"
                raise StoreFailed(reason, path=self.name, remedy=HELD) from None

    def _holder(self, space: int, key: int) -> str:
        with self.engine.connect() as connection:
            return holder_of(connection, space, key) or "another process"


def lock_space(connection: sa.Connection) -> int:
    """Return the number that keeps the locks of this schema apart from those of others."""
    schema = connection.execute(sa.text("SELECT current_schema()")).scalar_one()
    return zlib.crc32(f"bayesift {schema}".encode()) & 0x7FFFFFFF


def holder_of(connection: sa.Connection, space: int, key: int) -> str | None:
    """Return the name of the process that holds an advisory lock, and since when, or None if nobody does."""
    query = """
        SELECT application_name, xact_start FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND granted AND classid = :space AND objid = :key AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1"""
    found = connection.execute(sa.text(query), {"space": space, "key": key}).first()
    if found is None:
        return None
    return f"{found[0]} since {found[1].astimezone(UTC).isoformat(timespec='seconds')}" if found[1] else str(found[0])
