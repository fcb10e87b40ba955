"""JSON lines in and out: one document a line, `{"id", "text" or "title"/"body", "labels", "date", "split"}`.

Missing `labels` (or null) means that nobody judged the document, `[]` that no label applies. `id` may be a number and
defaults to the line's number. Further fields are ignored, empty lines too; anything else is a bad line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from bayesift.corpora.document import Document, Vectors
from bayesift.corpora.skipping import Skipped
from bayesift.errors import BadInput
from bayesift.files import open_bytes

T = TypeVar("T")


class _Line(msgspec.Struct):
    id: str | int | None = None
    text: str | None = None
    title: str | None = None
    body: str | None = None
    labels: list[str] | None = None
    date: str | None = None
    split: str | None = None


def decode_lines(
    path: str | Path, type: type[T], make: Callable[[int, T], Document], skipped: Skipped | None = None
) -> Iterator[Document]:
    """Decode each line as `type` and make a document of it; `make` raises ValueError for what is wrong."""
    decoder = msgspec.json.Decoder(type)
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if not raw.strip():
                continue
            try:
                document = make(number, decoder.decode(raw))
            except ValueError as error:  # msgspec's errors, UnicodeDecodeError and ours alike
                bad = BadInput(_reason(error), path=path, line=number)
                if skipped is None:
                    raise bad from None
                skipped.add(bad)
                continue
            yield document


def read_jsonl(path: str | Path, skipped: Skipped | None = None) -> Iterator[Document]:
    """Stream the documents of a JSON-lines file, plain or compressed, or of standard input (`-`)."""
    return decode_lines(path, _Line, _document, skipped)


def _document(number: int, line: _Line) -> Document:
    if line.text is None and line.title is None and line.body is None:
        raise ValueError("no text: expected 'text', or 'title' and 'body'")
    if line.text is not None and line.body is not None:
        raise ValueError("both 'text' and 'body'")
    return Document(
        str(number if line.id is None else line.id),
        line.title or "",
        line.text or line.body or "",
        None if line.labels is None else checked_labels(line.labels),
        checked_date(line.date) if line.date else None,
        line.split,
    )


def checked_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Give the labels once each, in order; an empty one is an error."""
    once = tuple(dict.fromkeys(labels))
    if not all(label.strip() for label in once):
        raise ValueError("empty label")
    return once


def checked_date(date: str) -> str:
    """Give the date back if it is ISO 8601, a year, or a year and month.

    >>> checked_date("2025-03-18"), checked_date("1987-03")
    ('2025-03-18', '1987-03')
    """
    if not re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2]))?", date):
        try:
            datetime.fromisoformat(date)
        except ValueError:
            raise ValueError(f"not an ISO date: {date[:40]!r}") from None
    return date


def write_jsonl(documents: Iterable[Document], out: IO[bytes]) -> int:
    """Write documents as JSON lines and give their number.

    >>> import io
    >>> out = io.BytesIO()
    >>> write_jsonl([Document("7", "Rain", "More.", ("weather",))], out)
    1
    >>> out.getvalue()
    b'{"id":"7","title":"Rain","body":"More.","labels":["weather"]}\\n'
    """
    encode, count = msgspec.json.Encoder().encode, 0
    for count, document in enumerate(documents, start=1):  # noqa: B007
        line: dict[str, Any] = {"id": document.id, "title": document.title, "body": document.body}
        if not document.title:
            del line["title"]
        rest = {"labels": document.labels, "date": document.date, "split": document.split}
        line |= {key: value for key, value in rest.items() if value is not None}
        out.write(encode(line) + b"\n")
    return count


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


def _reason(error: ValueError) -> str:
    if isinstance(error, msgspec.ValidationError):
        return str(error)[0].lower() + str(error)[1:].replace(" - at `$.", " in `").replace(" - at `$`", "")
    if isinstance(error, msgspec.DecodeError | UnicodeDecodeError):
        return f"not JSON: {error}"
    return str(error)
