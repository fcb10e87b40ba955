"""The original fields of a record that is written in another format than its own.

They are JSON in a field of ours: the format, the source and all fields. A value that the file has anyway, such as the
abstract, is referred to and not written twice; a part that the file cannot hold as it is, such as an author's name with
a semicolon in a table, is written here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from bayesift.filtering.screening.records.given import OWN
from bayesift.filtering.screening.records.identify import record_id
from bayesift.filtering.screening.records.record import Record

ORIGINAL, DUPLICATE_OF = "bayesift_fields", "bayesift_duplicate_of"
ID = "bayesift_id"
READABLE = ("bayesift_abstract", "bayesift_full_text", "bayesift_reasons")  # for people; not read back, as the id
OURS = (ID, *READABLE, OWN, DUPLICATE_OF, ORIGINAL)
_SAME = ("title", "abstract")


class Parts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Parts of a record that differ from what a reader finds in the file."""

    authors: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    kind: str | None = None


class Original(msgspec.Struct, frozen=True, omit_defaults=True):
    """Format, source and fields of a record; `fields` is None if they are those of the file itself.

    `same` names the part to which a field is equal; fields of `order` that are in neither are columns of the table.
    """

    format: str
    source: str = ""
    fields: dict[str, tuple[str, ...]] | None = None
    same: dict[str, str] = {}
    order: tuple[str, ...] = ()
    parts: Parts | None = None


def original_of(record: Record, read: Mapping[str, Any], columns: Iterable[str] = ()) -> str:
    """Return a record's original fields as JSON on one line.

    Parameters
    ----------
    read : the parts as a reader finds them in the file; those that differ are written.
    columns : fields that the table has as columns of their own.

    >>> record = Record("1", "Rain", format="csv", fields={"Title": ("Rain",), "N": ("7",)})
    >>> original_of(record, {"kind": ""})
    '{"format":"csv","fields":{"N":["7"]},"same":{"Title":"title"},"order":["Title","N"]}'
    """
    same = {
        name: part
        for name, values in record.fields.items()
        for part in _SAME
        if len(values) == 1 and values[0] and values[0] == getattr(record, part)
    }
    elsewhere = {*same, *columns}
    rest = {name: values for name, values in record.fields.items() if name not in elsewhere}
    order = tuple(record.fields) if len(rest) < len(record.fields) else ()
    differ = {name: getattr(record, name) for name, value in read.items() if value != getattr(record, name)}
    parts = Parts(**differ) if differ else None
    return msgspec.json.encode(Original(record.format, record.source, rest, same, order, parts)).decode()


def source_of(record: Record) -> str:
    """Return the same for a record that is written in its own format: where it comes from."""
    return msgspec.json.encode(Original(record.format, record.source)).decode()


def restored(record: Record, text: str, column: Callable[[str], str] = lambda name: "") -> Record:
    """Return the record with the fields of `original_of`; the same record if the text is not that."""
    try:
        found = msgspec.json.decode(text, type=Original)
    except (msgspec.DecodeError, RecursionError):
        return record
    parts = {} if found.parts is None else msgspec.structs.asdict(found.parts)
    record = msgspec.structs.replace(record, **{name: value for name, value in parts.items() if value is not None})
    fields = record.fields if found.fields is None else _fields(record, found, found.fields, column)
    record = msgspec.structs.replace(record, format=found.format, source=found.source or record.source, fields=fields)
    return msgspec.structs.replace(record, id=id_of(record))


def _fields(
    record: Record, found: Original, written: dict[str, tuple[str, ...]], column: Callable[[str], str]
) -> dict[str, tuple[str, ...]]:
    fields: dict[str, tuple[str, ...]] = {}
    for name in found.order or written:
        if name in written:
            fields[name] = written[name]
        elif found.same.get(name) in _SAME:
            fields[name] = (getattr(record, found.same[name]),)
        elif cell := column(name):
            fields[name] = (cell,)
    return fields


def id_of(record: Record) -> str:
    """Return the id that follows from the bibliographic data of a record."""
    year = str(record.year or "")
    return record_id(
        record.title, record.abstract, ";".join(record.authors), year, record.journal, record.doi, record.pmid
    )
