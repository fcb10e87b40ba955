"""The table of documents: one row per id, in the order in which they came."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from bayesift.corpora import Document
from bayesift.filtering.incoming import document_of, each, field, fields_of
from bayesift.filtering.items import BEGINNING, beginning
from bayesift.filtering.store import one_row
from bayesift.filtering.store.one_row import listed, one_of
from bayesift.filtering.store.schema import SEARCH_TABLE, documents

CHUNK = 500  # rows read at a time
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class StoredDocument(NamedTuple):
    """A row of the table. Title and body are empty after the document has expired."""

    number: int
    id: str
    source: str | None
    date: str | None
    title: str
    body: str
    url: str | None
    added: str
    expired: bool

    def document(self) -> Document:
        """Return the part of it that a filter reads."""
        return Document(self.id, self.title, self.body, date=self.date)


COLUMNS = [documents.c[name] for name in StoredDocument._fields if name in documents.c]


class NewDocument(NamedTuple):
    """A document as it will be stored: text that every database can hold, and the hash of it."""

    document: Document
    source: str | None
    url: str | None
    hash: bytes


def new_document(document: Document, source: str | None = None, url: str | None = None) -> NewDocument:
    """Return a document as it will be stored.

    NUL characters and single surrogates, which databases do not store, become replacement characters.

    >>> new_document(Document("1", body="a\\0b")).document.body == "a\\N{REPLACEMENT CHARACTER}b"
    True
    """
    text = f"{document.title}\n{document.body}\n{document.id}\n{document.date}"
    try:
        data = text.encode()
        clean = "\0" not in text
    except UnicodeEncodeError:
        clean = False
    if not clean:
        id, title, body = (storable(part) for part in (document.id, document.title, document.body))
        document = Document(id, title, body, date=_text(document.date))
        data = f"{document.title}\n{document.body}\n{document.id}\n{document.date}".encode()
    return NewDocument(document, source, url, hashlib.blake2b(data, digest_size=16).digest())


def storable(text: str) -> str:
    """Return a text that every database can hold: NUL and single surrogates become replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", REPLACEMENT)


def incoming(given: Any, source: str | None) -> Iterator[NewDocument]:
    """Yield documents as they will be stored; see `bayesift.filtering.incoming` for what is accepted."""
    for one in each(given):
        more = fields_of(one) or {}
        origin, url = (_text(field(more, name)) for name in ("source", "url"))
        yield new_document(document_of(one), origin or source, url)


def _text(value: Any) -> str | None:
    return None if value is None else storable(str(value))


def insert_new(
    connection: sa.Connection, found: Iterable[NewDocument], added: str, on_stream: bool = True
) -> tuple[list[Document], list[str]]:
    """Insert the documents whose id is new; the caller holds the catalogue's lock.

    A document without a date gets the day on which it came, so that every day of the reader has a beginning.

    Returns
    -------
    list of Document
        Those inserted, in their order.
    list of str
        The ids of those that are there with another text; the first text stays.
    """
    unique: dict[str, NewDocument] = {}
    differ = []
    for new in found:
        first = unique.setdefault(new.document.id, new)
        if first.hash != new.hash and words_of(first.document) != words_of(new.document):
            differ.append(new.document.id)
    known = hashes(connection, list(unique))
    changed = [id for id, old in known.items() if unique[id].hash != old]  # a date counts too
    differ += [row.id for row in find_all(connection, changed) if _has_another_text(row, unique[row.id].document)]
    fresh = [_dated(new, added) for id, new in unique.items() if id not in known]
    if fresh:
        last = last_number(connection)
        rows = [
            {
                "number": last + i, "id": d.id, "on_stream": on_stream, "source": new.source, "date": d.date,
                "title": d.title, "body": d.body, "url": new.url, "hash": new.hash, "added": added,
            }
            for i, new in enumerate(fresh, 1) for d in (new.document,)
        ]  # fmt: skip
        connection.execute(documents.insert(), rows)
        index_after(connection, last)
    return [new.document for new in fresh], differ


def _has_another_text(row: StoredDocument, given: Document) -> bool:
    """Return whether a document differs from the one stored, as far as that has not expired."""
    return bool(row.title or row.body) and words_of(row.document()) != words_of(given)


def _dated(new: NewDocument, added: str) -> NewDocument:
    if new.document.date is not None:
        return new
    return new._replace(document=msgspec.structs.replace(new.document, date=added[:10]))


def insert_text(connection: sa.Connection, given: Document, added: str) -> Document:
    """Store a document that was given with a judgement, or the text of one that has expired.

    Returns the document as it is stored: if it was there with a text, that one.
    """
    found = find(connection, given.id)
    if found is not None and (found.title or found.body):
        return found.document()
    new = new_document(given)
    if found is None:
        insert_new(connection, [new], added, on_stream=False)
        return new.document
    text = {"title": new.document.title, "body": new.document.body}
    connection.execute(documents.update().where(documents.c.number == found.number).values(text))
    _index(connection, documents.c.number == found.number)
    return msgspec.structs.replace(new.document, date=found.date)


def words_of(document: Document) -> list[str]:
    """Return the words of a document as they will be stored, to compare two of them.

    >>> words_of(Document("1", "Corn", "rose")) == words_of(Document("1", body="Corn\\nrose"))
    True
    """
    return storable(f"{document.title} {document.body}").split()


def index_after(connection: sa.Connection, number: int) -> None:
    """Add the documents after a number to the full-text index."""
    _index(connection, (documents.c.number > number) & documents.c.body.is_not(None))


def _index(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Add documents to the full-text index of SQLite; PostgreSQL keeps its own."""
    if connection.dialect.name == "sqlite":
        index = sa.table(SEARCH_TABLE, sa.column("rowid"), sa.column("title"), sa.column("body"))
        chosen = sa.select(documents.c.number, documents.c.title, documents.c.body).where(which)
        connection.execute(index.insert().from_select(["rowid", "title", "body"], chosen))


def hashes(connection: sa.Connection, ids: Sequence[str]) -> dict[str, bytes]:
    """Return the hash of each of these ids that is in the table."""
    return {id: bytes(hash) for id, hash in connection.execute(_HASHES, {"ids": listed(ids)})}


def last_number(connection: sa.Connection) -> int:
    """Return the number of the last document, 0 if there is none."""
    return connection.execute(_LAST).scalar() or 0


def numbers(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the number of each of these ids that is in the table."""
    return dict(one_row.rows(connection, _NUMBERS, ids=listed(ids)))


def find_all(connection: sa.Connection, ids: Sequence[str]) -> Iterator[StoredDocument]:
    """Yield the documents with these ids."""
    return map(stored, connection.execute(_ROWS, {"ids": listed(ids)}))


def titles(connection: sa.Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return the title, or the beginning of the text, of each of these ids that is in the table."""
    found = one_row.rows(connection, _BEGINNINGS, ids=listed(ids))
    return {id: beginning(Document(id, title or "", body or "")) for id, title, body in found}


_IN_IDS = one_of(documents.c.id, "ids")
_HASHES = sa.select(documents.c.id, documents.c.hash).where(_IN_IDS)  # made once: it takes longer than most queries
_NUMBERS = sa.select(documents.c.id, documents.c.number).where(_IN_IDS)
_ROWS = sa.select(*COLUMNS).where(_IN_IDS)
_BEGINNINGS = sa.select(
    documents.c.id, documents.c.title, sa.func.substr(documents.c.body, 1, BEGINNING).label("body")
).where(_IN_IDS)
_ROW = sa.select(*COLUMNS).where(documents.c.id == sa.bindparam("document"))
_LAST = sa.select(sa.func.max(documents.c.number))


def is_last(connection: sa.Connection, received: int, last: int) -> bool:
    """Return whether no document of the stream comes after a number."""
    return received >= last or next(between(connection, received, last, 1), None) is None


def find(connection: sa.Connection, id: str) -> StoredDocument | None:
    """Return the document with this id, or None."""
    row = connection.execute(_ROW, {"document": id}).first()
    return None if row is None else stored(row)


def between(connection: sa.Connection, after: int, last: int, most: int = CHUNK) -> Iterator[StoredDocument]:
    """Yield the documents of the stream with a number greater than `after`, up to `last`, in their order."""
    query = sa.select(*COLUMNS).where(
        documents.c.number > sa.bindparam("after"), documents.c.number <= last, documents.c.on_stream
    )
    query = query.order_by(documents.c.number).limit(most)
    while rows := connection.execute(query, {"after": after}).all():
        yield from map(stored, rows)
        after = rows[-1].number


def stored(row: Sequence[Any]) -> StoredDocument:
    """Return a row of `COLUMNS`."""
    number, id, source, date, title, body, url, added = row
    return StoredDocument(number, id, source, date, title or "", body or "", url, added, expired=body is None)
