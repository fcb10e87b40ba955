"""CSV and TSV with named columns, streamed row by row.

Quoting is that of RFC 4180, checked strictly, so that a quote that is never closed is an error and not a very long
field. An invalid row is reported with the line on which it begins.
"""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO

from bayesift.corpora.records import TO_UTF_8, Record, check_encoding, raise_or_skip, reason_of
from bayesift.corpora.skipped import Skipped
from bayesift.errors import BadInput
from bayesift.files import STDIN, open_bytes

LARGEST_FIELD = 1 << 27  # bytes; bounds the memory of a field with an unclosed quote
HEAD_LINES, HEAD_BYTES = 200, 1 << 20  # the part from which the delimiter is detected


def read_rows(
    path: str | Path,
    delimiter: str | Callable[[Sequence[str]], str],
    begin: Callable[[Record], None],
    skipped: Skipped | None = None,
) -> Iterator[Record]:
    """Yield the rows of a table.

    Parameters
    ----------
    delimiter : a character, or a function that returns it for the first lines of the file.
    begin : called with the header, whose `raw` has the file's byte-order mark; raises ValueError if a required column
        is missing.
    skipped : counts invalid rows; by default one is an error.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LARGEST_FIELD))
    with open_bytes(path) as stream:
        bom, head = _head(stream, whole=is_regular(path))
        check_encoding(head[0] if head else b"", path)
        mark = delimiter if isinstance(delimiter, str) else delimiter([_decoded(raw) for raw in head])
        taken: list[bytes] = []  # the lines of the present row
        rows = csv.reader(_text(chain(head, stream), taken), delimiter=mark, strict=True)
        header: list[str] | None = None
        number = 0
        while True:
            line = rows.line_num + 1
            taken.clear()
            try:
                cells = next(rows)
                if not cells:
                    continue
                number += header is not None
                _check(cells, header)
                if header is None:
                    begin(Record(0, line, {}, bom + b"".join(taken), cells))
                    header = cells
                    continue
            except StopIteration:
                break
            except (ValueError, csv.Error) as error:
                if header is None:
                    reason, remedy = reason_of(error)
                    raise BadInput(reason, path=path, line=line, remedy=remedy or "correct the header line") from None
                number += isinstance(error, csv.Error)
                raise_or_skip(error, path, line, number, skipped)
                continue
            yield Record(number, line, dict(zip(header, cells)), b"".join(taken), cells)
        if header is None:
            raise BadInput("is empty", path=path, remedy="add a header line with column names")


def is_regular(path: str | Path) -> bool:
    """Return whether PATH is a regular file; the next line of a pipe may never come."""
    return str(path) != STDIN and Path(path).is_file()


def _head(stream: IO[bytes], whole: bool) -> tuple[bytes, list[bytes]]:
    """Return the byte-order mark, if there is one, and the first lines without it; of a pipe the first one."""
    first = stream.readline()
    bom = BOM_UTF8 if first.startswith(BOM_UTF8) else b""
    first = first.removeprefix(bom)
    found, size = [first] if first else [], len(first)
    while whole and len(found) < HEAD_LINES and size < HEAD_BYTES and (line := stream.readline()):
        found.append(line)
        size += len(line)
    return bom, found


def _decoded(raw: bytes) -> str:
    # Bytes that are not UTF-8 become lone surrogates, which _check reports with the row they are in.
    return raw.decode("utf-8", "surrogateescape")


def _text(lines: Iterator[bytes], taken: list[bytes]) -> Iterator[str]:
    for raw in lines:
        taken.append(raw)
        yield _decoded(raw)


def _check(cells: list[str], header: list[str] | None) -> None:
    whole = "".join(cells)
    if "\0" in whole:
        raise BadInput("contains a NUL byte", remedy="save the file as UTF-8 text")
    try:
        whole.encode()
    except UnicodeEncodeError:
        raise BadInput("not UTF-8", remedy=f"{TO_UTF_8}; in Excel: save as CSV UTF-8") from None
    if header is None:
        named = [name for name in cells if name]
        if len(set(named)) != len(named):
            raise BadInput("duplicate column name", remedy="rename one")
    elif len(cells) != len(header):
        raise ValueError(f"{len(cells)} fields, the header has {len(header)}")
