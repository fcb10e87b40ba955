"""The texts of documents for a filter, from the table: no text is lost while the document is stored."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping

import sqlalchemy as sa

from bayesift.corpora import Document
from bayesift.filtering.store import documents as table
from bayesift.filtering.store import schema

LAST = 2_000  # documents kept in memory


class StoredTexts(Mapping[str, Document]):
    """Documents by id; the last ones are kept in memory.

    Parameters
    ----------
    reading : callable
        Opens a transaction, or returns the one that is open.
    """

    def __init__(self, reading: Callable[[], contextlib.AbstractContextManager[sa.Connection]]) -> None:
        self._reading = reading
        self._last: dict[str, Document] = {}

    def __getitem__(self, id: str) -> Document:
        if id in self._last and (self._last[id].title or self._last[id].body):
            return self._last[id]
        with self._reading() as connection:
            found = table.find(connection, id)
        if found is None or not (found.title or found.body):
            raise KeyError(id)
        return found.document()

    def __iter__(self) -> Iterator[str]:
        with self._reading() as connection:
            yield from connection.execute(sa.select(schema.documents.c.id)).scalars()

    def __len__(self) -> int:
        with self._reading() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(schema.documents)).scalar_one())

    def keep(self, document: Document) -> None:
        """Keep a document in memory for a while."""
        self._last[document.id] = document
        if len(self._last) > LAST:
            del self._last[next(iter(self._last))]

    def show(self, id: str) -> None:
        """Do nothing: a document that was shown is stored."""

    def prefetch(self, ids: Collection[str]) -> None:
        """Read the texts of several documents at once."""
        missing = [id for id in ids if id not in self._last]
        with self._reading() as connection:
            for found in table.find_all(connection, missing[:LAST]):
                self.keep(found.document())
