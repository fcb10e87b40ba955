"""JSON in and out: one object per line, `{"id", "text" or "title"/"body", "labels", "date", "split"}`, or an array."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from bayesift.corpora.document import Document, Vectors
from bayesift.corpora.records import Record, check_encoding, raise_or_skip, reason_of
from bayesift.corpora.skipped import Skipped
from bayesift.errors import BadInput
from bayesift.files import open_bytes

T = TypeVar("T")
_MARK = b"\xef\xbb\xbf"  # byte-order mark


def decode_lines(
    path: str | Path, type: type[T], make: Callable[[int, T], Document], skipped: Skipped | None = None
) -> Iterator[Document]:
    """Yield `make(line number, line)` for each line decoded as `type`; a ValueError marks the line as invalid."""
    decoder = msgspec.json.Decoder(type)
    for number, (line, raw) in enumerate(_lines(path), start=1):
        try:
            document = make(line, decoder.decode(raw))
        except ValueError as error:  # of msgspec, of decoding and of `make`
            raise_or_skip(error, path, line, number, skipped)
            continue
        yield document


def read_objects(path: str | Path, skipped: Skipped | None = None, array: bool = False) -> Iterator[Record]:
    """Yield the objects of JSON lines; with `array` the file may also be an array of objects."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    for number, (line, raw) in enumerate(_elements(path) if array else _lines(path), start=1):
        try:
            record = Record(number, line, decoder.decode(raw), raw)
        except (ValueError, RecursionError) as error:
            reason, remedy = reason_of(error)
            if raw.lstrip()[:1] == b"[":
                remedy = "a file that is one JSON array needs --format json"
            raise_or_skip(BadInput(reason, remedy=remedy), path, line, number, skipped)
            continue
        yield record


def _lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            if number == 1:
                check_encoding(raw, path)
            line = raw.removeprefix(_MARK) if number == 1 else raw
            if line.strip():
                yield number, line


def _elements(path: str | Path) -> Iterator[tuple[int | None, bytes]]:
    with open_bytes(path) as stream:
        whole = stream.read().removeprefix(_MARK)
    check_encoding(whole, path)
    if not whole.lstrip().startswith(b"["):
        yield from ((n, raw) for n, raw in enumerate(io.BytesIO(whole), start=1) if raw.strip())
        return
    try:
        elements = msgspec.json.decode(whole, type=list[msgspec.Raw])
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not a JSON array: {error}", path=path, remedy="check that the file is complete") from None
    yield from ((None, bytes(element)) for element in elements)


def checked_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels without duplicates, in order; raise ValueError if one is empty."""
    once = tuple(dict.fromkeys(labels))
    if not all(label.strip() for label in once):
        raise ValueError("empty label")
    return once


def write_jsonl(documents: Iterable[Document], out: IO[bytes]) -> int:
    """Write documents as JSON lines and return their number.

    >>> import io
    >>> out = io.BytesIO()
    >>> write_jsonl([Document("7", "Rain", "More.", ("weather",))], out)
    1
    >>> out.getvalue()
    b'{"id":"7","title":"Rain","body":"More.","labels":["weather"]}\\n'
    """
    encode, count = msgspec.json.Encoder().encode, 0
    for count, document in enumerate(documents, start=1):  # noqa: B007
        out.write(encode(fields_of(document)) + b"\n")
    return count


def fields_of(document: Document) -> dict[str, Any]:
    """Return the fields of a document for JSON."""
    line: dict[str, Any] = {"id": document.id, "title": document.title, "body": document.body}
    if not document.title:
        del line["title"]
    rest = {"labels": document.labels, "date": document.date, "split": document.split}
    return line | {key: value for key, value in rest.items() if value is not None}


def write_vectors_jsonl(vectors: Vectors, out: IO[bytes]) -> int:
    """Write vectors as JSON lines: `terms` maps a term (its name, or its number from 1) to its weight."""
    encode = msgspec.json.Encoder().encode
    names = vectors.terms or [str(j + 1) for j in range(vectors.X.shape[1])]
    X, Y = vectors.X, vectors.Y
    for i, name in enumerate(vectors.ids):
        row = slice(X.indptr[i], X.indptr[i + 1])
        terms = {names[j]: w for j, w in zip(X.indices[row].tolist(), X.data[row].tolist())}
        labels = [vectors.labels[j] for j in Y.indices[Y.indptr[i] : Y.indptr[i + 1]].tolist()]
        side = {} if vectors.sides is None else {"split": str(vectors.sides[i])}
        out.write(encode({"id": name, "terms": terms, "labels": labels} | side) + b"\n")
    return len(vectors)
