"""Documents as a filter takes them: texts, Documents, dictionaries, one of these or any iterable of them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from bayesift.corpora import Document
from bayesift.corpora.dates import checked_date
from bayesift.errors import BadInput
from bayesift.text.documents import rows_of

KNOWN = {"id", "title", "body", "text", "date", "labels", "split", "source", "url"}
TAKEN = "give texts, Documents, or dictionaries with text (or title and body), and if known id and date"
DIGITS = 12


def documents_of(given: Any) -> Iterator[Document]:
    """Yield documents, each with an id.

    >>> [(d.id, d.body) for d in documents_of(["Corn rose.", {"id": 7, "text": "Wheat fell."}])]
    [('text-a99718662cd4', 'Corn rose.'), ('7', 'Wheat fell.')]
    """
    if isinstance(given, str | bytes | Document | Mapping):
        yield document_of(given)
        return
    if not isinstance(given, Iterable):
        raise BadInput(f"documents is a {type(given).__name__}", remedy=TAKEN)
    for document in rows_of(given):
        yield document_of(document)


def document_of(given: Any, id: str | None = None) -> Document:
    """Return one document; one without an id gets one that depends on its text alone.

    Raises BadInput if it is not a document.
    """
    if isinstance(given, str):
        found = Document("", body=given)
    elif isinstance(given, Document):
        found = given
    elif isinstance(given, Mapping):
        found = _from_mapping(given)
    else:
        raise BadInput(f"a document is a {type(given).__name__}", remedy=TAKEN)
    title, body = valid_text(found.title), valid_text(found.body)
    own = valid_text(id or found.id) or _own_id(title, body)
    return msgspec.structs.replace(found, id=own, title=title, body=body, date=_date(own, found.date))


def valid_text(text: str) -> str:
    """Return a text that UTF-8 can hold: characters that it cannot (lone surrogates) are replaced."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _from_mapping(given: Mapping[str, Any]) -> Document:
    texts = {name: given.get(name) for name in ("title", "body", "text")}
    wrong = next((name for name, text in texts.items() if not isinstance(text, str | None)), None)
    if wrong is not None:
        raise BadInput(f"{wrong!r} of document {given.get('id')!r} is {texts[wrong]!r}", remedy="give text")
    if all(name not in given for name in texts) and not KNOWN.issuperset(given):
        raise BadInput(f"a document has the fields {', '.join(map(str, given))}", remedy=TAKEN)
    body = "\n".join(text for text in (texts["body"], texts["text"]) if text)
    return Document(_id(given.get("id")), texts["title"] or "", body, date=_iso(given.get("date")))


def _id(given: Any) -> str:
    """Return an id as text: empty if it is missing, and 7.0, as data frames have it, is 7."""
    if given is None or (isinstance(given, float) and math.isnan(given)):
        return ""
    if isinstance(given, bool | Mapping | list | tuple | set | bytes):
        raise BadInput(f"the id of a document is {given!r}", remedy="give a text or a number")
    return str(int(given)) if isinstance(given, float) and given.is_integer() else str(given)


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
