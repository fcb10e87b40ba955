"""CSV and TSV with named columns, streamed row by row.

Quoting is that of RFC 4180, checked strictly, so that a quote that is never closed is an error and not a very long
field. A bad row is named by the line of the file on which it begins. Labels share a cell, with a separator between
them; an empty cell means that no label applies, a missing column that nobody judged.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from bayesift.corpora.document import Document
from bayesift.corpora.jsonl import checked_date, checked_labels
from bayesift.corpora.skipping import Skipped
from bayesift.errors import BadInput
from bayesift.files import open_bytes

FIELDS = ("id", "text", "title", "body", "labels", "date", "split")
LARGEST_FIELD = 1 << 27  # bytes; a bound, so that an unclosed quote cannot eat all memory

Row = dict[str, str]


def read_rows(
    path: str | Path,
    delimiter: str,
    make: Callable[[list[str]], Callable[[int, Row], Document]],
    skipped: Skipped | None,
) -> Iterator[Document]:
    """Stream rows; `make` sees the header and gives what makes a document of a row, or raises ValueError."""
    csv.field_size_limit(max(csv.field_size_limit(), LARGEST_FIELD))
    with open_bytes(path) as stream:
        rows = csv.reader(_text(stream), delimiter=delimiter, strict=True)
        header: list[str] | None = None
        while True:
            line = rows.line_num + 1
            try:
                cells = next(rows)
                if not cells:
                    continue
                _check(cells, header)
                if header is None:
                    header, convert = cells, make(cells)
                    continue
                document = convert(line, dict(zip(header, cells)))
            except StopIteration:
                break
            except (ValueError, csv.Error) as error:
                bad = BadInput(_reason(error), path=path, line=line)
                if skipped is None or header is None:  # without a header nothing can be read
                    raise bad from None
                skipped.add(bad)
                continue
            yield document
        if header is None:
            raise BadInput("empty: expected a header line with column names", path=path)


def read_table(
    path: str | Path,
    *,
    delimiter: str = ",",
    columns: Mapping[str, str] | None = None,
    separator: str = ";",
    skipped: Skipped | None = None,
) -> Iterator[Document]:
    """Stream the documents of a table; `columns` maps our field names to the table's column names where they differ."""
    given = dict(columns or {})
    if unknown := sorted(set(given) - set(FIELDS)):
        raise BadInput(f"no field {unknown[0]!r}", remedy=f"fields are: {', '.join(FIELDS)}")
    if not separator:
        raise BadInput("the separator of labels is empty", remedy="the usual one is ;")

    def make(header: list[str]) -> Callable[[int, Row], Document]:
        missing = [column for column in given.values() if column not in header]
        if missing:
            raise ValueError(f"no column {missing[0]!r}; columns are: {', '.join(header)}")
        names = {field: given.get(field, field) for field in FIELDS if given.get(field, field) in header}
        if not {"text", "title", "body"} & set(names):
            raise ValueError(f"no column 'text', 'title' or 'body'; columns are: {', '.join(header)}")
        if {"text", "body"} <= set(names):
            raise ValueError("both a 'text' and a 'body' column")
        return lambda line, row: _document(line, {field: row[name] for field, name in names.items()}, separator)

    return read_rows(path, delimiter, make, skipped)


def _document(line: int, row: Row, separator: str) -> Document:
    labels = None
    if "labels" in row:
        parts = row["labels"].split(separator) if row["labels"].strip() else []
        labels = checked_labels(part.strip() for part in parts)
    return Document(
        row.get("id") or str(line),
        row.get("title", ""),
        row.get("text", row.get("body", "")),
        labels,
        checked_date(row["date"].strip()) if row.get("date", "").strip() else None,
        row.get("split") or None,
    )


def _text(stream: IO[bytes]) -> Iterator[str]:
    for number, raw in enumerate(stream):
        # Bytes that are not UTF-8 become lone surrogates, which _check reports with the row they are in.
        line = raw.decode("utf-8", "surrogateescape")
        yield line.removeprefix("\ufeff") if number == 0 else line


def _check(cells: list[str], header: list[str] | None) -> None:
    whole = "".join(cells)
    if "\0" in whole:
        raise ValueError("contains a NUL byte")
    try:
        whole.encode()
    except UnicodeEncodeError:
        raise ValueError("not UTF-8; convert the file, e.g. iconv -t utf-8") from None
    if header is None:
        if len(set(cells)) != len(cells):
            raise ValueError("two columns have the same name")
    elif len(cells) != len(header):
        raise ValueError(f"{len(cells)} fields, the header has {len(header)}")


def _reason(error: Exception) -> str:
    if isinstance(error, csv.Error):
        return {"unexpected end of data": "a quote is never closed"}.get(str(error), f"not CSV: {error}")
    return str(error)
