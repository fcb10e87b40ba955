"""Documents as a filter takes them: texts, Documents, dictionaries, rows of tables, or any iterable of them.

A row of a table is what pandas yields: a named tuple (`itertuples`), a Series (`iterrows`), or a dictionary.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

import msgspec
import numpy as np

from bayesift.corpora import Document
from bayesift.corpora.dates import checked_date
from bayesift.errors import BadInput
from bayesift.text.documents import is_missing, rows_of

TEXTS = ("title", "body", "text")
KNOWN = {*TEXTS, "id", "date", "labels", "split", "source", "url"}
TAKEN = "give texts, Documents, or dictionaries with text (or title and body), and if known id and date"
DIGITS = 12


def documents_of(given: Any) -> Iterator[Document]:
    """Yield documents, each with an id.

    >>> [(d.id, d.body) for d in documents_of(["Corn rose.", {"id": 7, "text": "Wheat fell."}])]
    [('text-a99718662cd4', 'Corn rose.'), ('7', 'Wheat fell.')]
    """
    return map(document_of, each(given))


def each(given: Any) -> Iterator[Any]:
    """Yield documents as they are given: one, or any iterable."""
    if isinstance(given, str | bytes | Document) or _is_row(given):
        yield given
        return
    if not isinstance(given, Iterable):
        raise BadInput(f"documents is a {type(given).__name__}", remedy=TAKEN)
    yield from rows_of(given)


def _is_row(given: Any) -> bool:
    """Return whether this is one dictionary or row, and not a Series of texts."""
    return isinstance(given, Mapping) or hasattr(given, "_asdict") or any(text in _labels(given) for text in TEXTS)


def _labels(given: Any) -> Any:
    """Return the labels of a Series; none of anything else, also not of a data frame."""
    is_series = hasattr(given, "to_dict") and hasattr(given, "index") and not hasattr(given, "columns")
    return given.index if is_series else ()


def is_document(given: Any) -> bool:
    """Return whether this is a document and not the id of one; a text may be either."""
    return isinstance(given, bytes | Document) or fields_of(given) is not None


def fields_of(given: Any) -> Mapping[str, Any] | None:
    """Return the fields of a dictionary or a row; None if it is neither."""
    if isinstance(given, Mapping):
        return given
    if hasattr(given, "_asdict"):
        return dict(given._asdict())
    return dict(given.to_dict()) if len(_labels(given)) else None


def field(given: Mapping[str, Any], name: str) -> Any:
    """Return a field, or None if it is missing; nan and the like are missing."""
    value = given.get(name)
    return None if is_missing(value) else value


def document_of(given: Any, id: str | None = None) -> Document:
    """Return one document; one without an id gets one that depends on its text alone.

    Raises BadInput if it is not a document.
    """
    if isinstance(given, str):
        found = Document("", body=given)
    elif isinstance(given, Document):
        found = given
    elif (fields := fields_of(given)) is not None:
        found = _from_fields(fields)
    else:
        raise BadInput(f"a document is a {type(given).__name__}", remedy=TAKEN)
    title, body = valid_text(found.title), valid_text(found.body)
    own = id_of(id or found.id) or _own_id(title, body)
    return msgspec.structs.replace(found, id=own, title=title, body=body, date=_date(own, found.date))


def valid_text(text: str) -> str:
    """Return a text that UTF-8 can hold: characters that it cannot (lone surrogates) are replaced."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def id_of(given: Any) -> str:
    """Return an id as text, as every file and database can hold it: empty if it is missing; 7.0, as in tables, is 7.

    >>> id_of(7.0), id_of("a\\0b") == "a\\N{REPLACEMENT CHARACTER}b"
    ('7', True)
    """
    if is_missing(given):
        return ""
    if isinstance(given, bool | Mapping | list | tuple | set | bytes | msgspec.Struct):
        raise BadInput(f"the id of a document is {given!r}", remedy="give a text or a number")
    text = str(int(given)) if isinstance(given, float | np.floating) and given.is_integer() else str(given)
    return valid_text(text).replace("\0", "\N{REPLACEMENT CHARACTER}")


def _from_fields(given: Mapping[str, Any]) -> Document:
    texts = {name: field(given, name) for name in TEXTS}
    wrong = next((name for name, text in texts.items() if not isinstance(text, str | None)), None)
    if wrong is not None:
        raise BadInput(f"{wrong!r} of document {given.get('id')!r} is {texts[wrong]!r}", remedy="give text")
    if all(name not in given for name in TEXTS) and not KNOWN.issuperset(given):
        raise BadInput(f"a document has the fields {', '.join(map(str, given))}", remedy=TAKEN)
    body = "\n".join(text for text in (texts["body"], texts["text"]) if text)
    return Document(id_of(given.get("id")), texts["title"] or "", body, date=_iso(field(given, "date")))


def _iso(when: Any) -> Any:
    return when.isoformat() if isinstance(when, date) else when


def _date(id: str, when: Any) -> str | None:
    if when is None or when == "":
        return None
    try:
        return checked_date(when)
    except (ValueError, TypeError):
        raise BadInput(f"invalid date {when!r} of document {id!r}", remedy="write dates as YYYY-MM-DD") from None


def _own_id(title: str, body: str) -> str:
    text = "\n".join((title, body)).encode()
    return f"text-{hashlib.blake2b(text, digest_size=DIGITS // 2).hexdigest()}"
