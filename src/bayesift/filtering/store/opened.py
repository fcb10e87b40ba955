"""What is opened from a database and closed at the end: a workspace of a filter, or a review."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from bayesift.errors import BadInput
from bayesift.filtering.store import migrate
from bayesift.filtering.store.database import Database


class Opened:
    """Something in a database: `KIND` is what it is, `WAIT` how many seconds it waits for another writer by default."""

    KIND: ClassVar[str]
    WAIT: ClassVar[float]

    def __init__(self, database: Database, write: bool) -> None:
        self.database, self.write = database, write

    @classmethod
    def open(cls, url: str | Path, *, write: bool = True, wait: float | None = None) -> Self:
        """Open a database that exists; a writer brings tables of an older version up to date.

        Parameters
        ----------
        url : str or Path
            A file name (SQLite), or postgresql://user@host/database.
        write : bool
            Whether it may be changed.
        wait : float, optional
            Seconds to wait for another writer.

        Raises
        ------
        NotFound
            If there is no such file.
        BadInput
            If it is something else, or was written by a newer bayesift.
        StoreFailed
            If the database cannot be read, or another process keeps it locked.
        """
        database = Database(url, cls.WAIT if wait is None else wait, write)
        migrate.check_tables(database, write, cls.KIND)
        return cls(database, write)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def _check_write(self) -> None:
        if not self.write:
            raise BadInput("was opened for reading only", path=self.database.name, remedy="open it with write=True")
