"""Connections to a database file (SQLite) or a database server (PostgreSQL), and their transactions.

SQLite runs in WAL mode with full synchronisation: a committed transaction survives a crash of the machine, and readers
do not wait for writers. Every writing transaction is immediate, so that it fails at its begin or not at all.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from bayesift.errors import BadInput
from bayesift.filtering.store.failures import StoreFailed, explained
from bayesift.filtering.store.locking import AdvisoryLock, FileLock, WriteLock, holder_name

APPLICATION = 0x62617369  # "basi", in the header of our SQLite files
PAGES = -32_768  # cache of a connection to SQLite, in KiB; the system has one of the whole file
LOG = 8_000  # pages of SQLite's log after which a commit moves them to the file
CONNECTIONS = 16  # that are kept open; some more are opened when all are in use
DRIVER = "postgresql+psycopg"
CONNECT = 10  # seconds


def url_of(target: str | Path) -> sa.URL:
    """Return the database URL of a file name or URL.

    >>> str(url_of("news.db"))
    'sqlite:///news.db'
    """
    text = str(target)
    if "://" not in text:
        return sa.URL.create("sqlite", database=text)
    try:
        url = sa.make_url(text)
    except sa.exc.ArgumentError:
        raise BadInput(f"{text!r} is not a database URL", remedy="give postgresql://user@host/name") from None
    if url.drivername in ("postgresql", "postgres", DRIVER):
        return url.set(drivername=DRIVER)
    if url.drivername == "sqlite" and url.database:
        return url
    raise BadInput(
        f"databases of the kind {url.drivername!r} are not supported",
        remedy="give a file name, or postgresql://user@host/name",
    )


class Database:
    """A SQLite file or a PostgreSQL database.

    Parameters
    ----------
    target : str or Path
        A file name, or a URL.
    wait : float
        Seconds to wait for another writer.
    write : bool
        Whether it may be changed.
    """

    def __init__(self, target: str | Path, wait: float, write: bool = True) -> None:
        self.url = url_of(target)
        self.wait = wait
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.path = Path(self.url.database or "") if self.is_sqlite else None
        self.name = self.url.set(drivername="postgresql").render_as_string() if self.path is None else str(self.path)
        url = self.url if self.path is None or write else _reading_url(self.path, self.url)
        self.engine = _sqlite_engine(url, wait) if self.is_sqlite else _postgresql_engine(url)
        self.lock: WriteLock = (
            AdvisoryLock(self.engine, self.name, wait) if self.path is None else FileLock(self.path, wait)
        )

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state of the database."""
        with explained(self.name), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def write(self, *keys: int) -> Iterator[sa.Connection]:
        """Open a transaction that holds the write locks of these keys; it is committed at the end, or not at all.

        Raises
        ------
        StoreFailed
            If another writer has not finished in time (the error names it), or the database fails.
        """
        with explained(self.name), self.engine.connect() as connection:
            connection.execution_options(bayesift_write=True)
            with self.lock.transaction(connection, keys):
                yield connection

    def move_log(self) -> None:
        """Move what was written from SQLite's log to the file, beside readers and writers; else a commit does so."""
        if self.is_sqlite:
            with explained(self.name), self.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def mark(self) -> None:
        """Mark a new SQLite file as a workspace, in WAL mode; both stay with the file."""
        with explained(self.name), self.engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None
            raw.execute(f"PRAGMA application_id = {APPLICATION}")  # before WAL, which would keep it out of the header
            raw.execute("PRAGMA journal_mode = WAL")

    @property
    def is_marked(self) -> bool:
        """Whether the header of a SQLite file says that it is a workspace; nothing is opened or changed."""
        if self.path is None:
            return True
        try:
            with self.path.open("rb") as file:
                head = file.read(100)
        except OSError as error:
            remedy = "make it readable, or choose another file"
            raise StoreFailed(f"cannot be read: {error.strerror}", path=self.name, remedy=remedy) from None
        return head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION.to_bytes(4, "big")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _reading_url(path: Path, url: sa.URL) -> sa.URL:
    """Return the URL to read a file by.

    SQLite makes files beside one in WAL mode. Where it cannot, it reads what is in the file if it may take it for one
    that nobody changes, which is wrong while a writer has its log there.
    """
    path = path.resolve()  # a log is beside the file itself, not beside a link to it
    if os.access(path.parent, os.W_OK) or not path.is_file() or path.with_name(f"{path.name}-wal").exists():
        return url
    return url.set(database=path.as_uri(), query={"uri": "true", "mode": "ro", "immutable": "1"})


def _sqlite_engine(url: sa.URL, wait: float) -> sa.Engine:
    options = {"timeout": max(wait, 0.001), "check_same_thread": False}
    engine = sa.create_engine(
        url, connect_args=options, pool_size=CONNECTIONS, max_overflow=2 * CONNECTIONS,
        pool_use_lifo=True,  # the connection that was used last knows most of what it will read
    )  # fmt: skip

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # sqlite3 begins no transactions by itself
        pragmas = "synchronous = FULL", "foreign_keys = ON", f"cache_size = {PAGES}", f"wal_autocheckpoint = {LOG}"
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("bayesift_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql_engine(url: sa.URL) -> sa.Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise BadInput("PostgreSQL needs the extra `postgres`", remedy="pip install 'bayesift[postgres]'") from None
    options = {"application_name": holder_name(), "connect_timeout": CONNECT}
    return sa.create_engine(url, connect_args=options, pool_pre_ping=True)
