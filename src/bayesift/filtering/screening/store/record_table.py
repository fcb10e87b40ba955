"""The table of records: one row per record, numbered from 0 in the order in which they were added."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from bayesift.errors import NotFound
from bayesift.filtering.screening.records import Record
from bayesift.filtering.store.documents import storable
from bayesift.filtering.store.schema import RECORDS_SEARCH_TABLE
from bayesift.filtering.store.schema import records as table
from bayesift.filtering.store.search import phrases

CHUNK = 500
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode
TEXT = "to_tsvector('simple', left(title || ' ' || abstract, 200000))"  # as in the index


def clean(record: Record) -> Record:
    """Return a record whose texts every database can hold."""
    try:
        if b"\\u0000" not in _encode(record):
            return record
    except UnicodeEncodeError:
        pass
    return msgspec.convert(_cleaned(msgspec.to_builtins(record)), Record)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(inner) for key, inner in value.items()}
    return [_cleaned(inner) for inner in value] if isinstance(value, list | tuple) else value


def row_of(number: int, record: Record) -> dict[str, Any]:
    """Return a record as a row of the table."""
    rest = msgspec.structs.replace(record, id="", title="", abstract="")
    return {
        "number": number, "id": record.id, "title": record.title, "abstract": record.abstract, "year": record.year,
        "hash": hash_of(record), "body": _encode(rest).decode(),
    }  # fmt: skip


def hash_of(record: Record) -> bytes:
    """Return a hash of all that the file says of a record, and of its place in the file."""
    return hashlib.blake2b(_encode(msgspec.structs.replace(record, id="")), digest_size=16).digest()


def insert(connection: sa.Connection, first: int, found: Sequence[Record]) -> None:
    """Insert records, numbered from `first`; the caller holds the write lock."""
    for begin in range(0, len(found), CHUNK):
        part = enumerate(found[begin : begin + CHUNK], first + begin)
        connection.execute(table.insert(), [row_of(number, record) for number, record in part])
    if found and connection.dialect.name == "sqlite":  # PostgreSQL keeps its own index
        index = sa.table(RECORDS_SEARCH_TABLE, *map(sa.column, ("rowid", "title", "abstract")))
        chosen = sa.select(table.c.number, table.c.title, table.c.abstract).where(table.c.number >= first)
        connection.execute(index.insert().from_select(["rowid", "title", "abstract"], chosen))


def new_records(connection: sa.Connection, found: Sequence[Record]) -> list[Record]:
    """Return the records that are not in the table, each with an id of its own.

    A record that is there with the same place in the same file is known. One with the same bibliographic data from
    another place is new: its id gets a number.
    """
    hashes = [hash_of(record) for record in found]
    seen = _present(connection, table.c.hash, hashes)
    taken = _present(connection, table.c.id, [record.id for record in found])
    named = []
    for record, digest in zip(found, hashes):
        if digest in seen:
            continue
        seen.add(digest)
        id = record.id
        again = 2
        while id in taken or (again > 2 and _present(connection, table.c.id, [id])):
            id, again = f"{record.id}-{again}", again + 1
        taken.add(id)
        named.append(record if id == record.id else msgspec.structs.replace(record, id=id))
    return named


def _present(connection: sa.Connection, column: sa.Column[Any], values: Sequence[Any]) -> set[Any]:
    found: set[Any] = set()
    for begin in range(0, len(values), CHUNK):
        query = sa.select(column).where(column.in_(values[begin : begin + CHUNK]))
        found |= {bytes(v) if isinstance(v, memoryview) else v for v in connection.execute(query).scalars()}
    return found


def records_with(connection: sa.Connection, numbers: Sequence[int]) -> list[Record]:
    """Return the records with these numbers, in this order."""
    found: dict[int, Record] = {}
    for begin in range(0, len(numbers), CHUNK):
        query = sa.select(table).where(table.c.number.in_([int(n) for n in numbers[begin : begin + CHUNK]]))
        found |= {row.number: record_of(row) for row in connection.execute(query)}
    return [found[int(number)] for number in numbers]


def all_records(connection: sa.Connection) -> Iterator[Record]:
    """Yield all records, in their order."""
    query = sa.select(table).order_by(table.c.number)
    yield from map(record_of, connection.execute(query, execution_options={"yield_per": 10 * CHUNK}))


def record_of(row: Any) -> Record:
    """Return the record of a row."""
    return msgspec.structs.replace(_decode(row.body), id=row.id, title=row.title, abstract=row.abstract)


def number_of(connection: sa.Connection, id: str) -> int | None:
    """Return the number of a record, or None."""
    found: int | None = connection.execute(sa.select(table.c.number).where(table.c.id == id)).scalar()
    return found


def existing(connection: sa.Connection, id: str) -> int:
    """Return the number of a record; raise NotFound if there is none."""
    number = number_of(connection, str(id))
    if number is None:
        raise NotFound(f"no record {id!r}", remedy="search for it")
    return number


def texts(connection: sa.Connection, first: int, end: int) -> list[tuple[str, str]]:
    """Return title and abstract of the records from the number `first` to before `end`."""
    query = sa.select(table.c.title, table.c.abstract).order_by(table.c.number)
    query = query.where(table.c.number >= first, table.c.number < end)
    return [(title, abstract) for title, abstract in connection.execute(query)]


def years(connection: sa.Connection) -> list[int]:
    """Return the year of each record, 0 where it is missing."""
    query = sa.select(table.c.year).order_by(table.c.number)
    return [year or 0 for year in connection.execute(query).scalars()]


def search(connection: sa.Connection, text: str, limit: int) -> list[int]:
    """Return the numbers of the records that contain all words of the text, the best match first."""
    text = phrases(text)
    if not text:
        return []
    if connection.dialect.name == "sqlite":
        name = RECORDS_SEARCH_TABLE
        query = f"SELECT rowid FROM {name} WHERE {name} MATCH :text ORDER BY {name}.rank LIMIT :limit"
    else:
        query = (
            f"SELECT number FROM records WHERE {TEXT} @@ websearch_to_tsquery('simple', :text) "
            f"ORDER BY ts_rank_cd({TEXT}, websearch_to_tsquery('simple', :text)) DESC, number LIMIT :limit"
        )
    return list(connection.execute(sa.text(query), {"text": text, "limit": limit}).scalars())
