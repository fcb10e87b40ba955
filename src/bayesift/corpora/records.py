"""Records: the rows of a table or the objects of a JSON file, before they become documents."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from bayesift.corpora.skipped import Skipped
from bayesift.errors import BadInput

T = TypeVar("T")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte-order marks
SPREADSHEET = b"PK\x03\x04"  # .xlsx and .ods are ZIP files
TO_UTF_8 = "convert the file, e.g. iconv -f windows-1252 -t utf-8 OLD > NEW"


class BadRecord(BadInput):
    """Invalid record of a file; the others can be read without it."""


class Record(NamedTuple):
    """Row of a table or object of a JSON file."""

    number: int  # from 1; bad records count
    line: int | None  # of the file, where the record begins; None in a JSON array
    values: Mapping[str, Any]  # by the file's own names
    raw: bytes  # as it is in the file
    cells: Sequence[str] = ()  # of a table


def check_encoding(first: bytes, path: str | Path) -> None:
    """Raise if a file that begins with these bytes is a spreadsheet or UTF-16."""
    if first.startswith(SPREADSHEET):
        raise BadInput("is a spreadsheet or a packed file, not text", path=path, remedy="save it as CSV UTF-8")
    if first.startswith(UTF_16):
        remedy = "convert the file, e.g. iconv -f utf-16 -t utf-8 OLD > NEW"
        raise BadInput("is UTF-16, not UTF-8", path=path, remedy=remedy)


def converted(
    path: str | Path, records: Iterable[Record], make: Callable[[Record], T], skipped: Skipped | None = None
) -> Iterator[T]:
    """Yield `make(record)` for each record; a ValueError marks the record as invalid."""
    for record in records:
        try:
            found = make(record)
        except ValueError as error:
            raise_or_skip(error, path, record.line, record.number, skipped)
            continue
        yield found


def raise_or_skip(
    error: Exception, path: str | Path, line: int | None, number: int, skipped: Skipped | None
) -> None:
    """Raise the error of an invalid record with its file and line, or count it in `skipped`."""
    reason, remedy = reason_of(error)
    bad = BadRecord(reason if line is not None else f"element {number}: {reason}", path=path, line=line, remedy=remedy)
    if skipped is None:
        raise bad from None
    skipped.add(bad)


def with_remedy(records: Iterable[T], remedy: str) -> Iterator[T]:
    """Yield the records; the error of an invalid one also has this remedy."""
    try:
        yield from records
    except BadRecord as error:
        both = f"{error.remedy or 'correct it'}; {remedy}"
        raise BadRecord(error.reason, path=error.path, line=error.line, remedy=both) from None


def reason_of(error: Exception) -> tuple[str, str]:
    """Return what is wrong with a record, and the remedy if the error has one."""
    if isinstance(error, BadInput):
        return error.reason, error.remedy
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8", TO_UTF_8
    if isinstance(error, csv.Error) and "new-line character" in str(error):
        return "lines end in CR alone", r"convert the file, e.g. tr '\r' '\n'"
    return _reason(error), ""


def _reason(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        return str(error)[0].lower() + str(error)[1:].replace(" - at `$.", " in `").replace(" - at `$`", "")
    if isinstance(error, msgspec.DecodeError | RecursionError):
        return f"not JSON: {error}"
    if isinstance(error, csv.Error):
        return {"unexpected end of data": "a quote is never closed"}.get(str(error), f"not CSV: {error}")
    return str(error)
