"""The mapping from columns of a table, or fields of a JSON object, to the parts of a document."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bayesift.corpora.detect import check_not_a_row, parts_of
from bayesift.corpora.document import Document
from bayesift.corpora.jsonl import checked_labels
from bayesift.corpora.layout import UNLABELLED
from bayesift.corpora.names import flaw_of
from bayesift.corpora.records import Record
from bayesift.errors import BadInput

FIELDS = ("id", "text", "title", "body", "labels", "date", "split")
TEXTS = ("text", "title", "body")
_OFTEN = {
    "text": ("text", "body", "content", "abstract", "story", "article", "message", "document", "description"),
    "labels": ("labels", "label", "tags", "tag", "topics", "topic", "categories", "category", "class", "subject"),
}


class _Values(msgspec.Struct):
    id: str | int | None = None
    text: str | None = None
    title: str | None = None
    body: str | None = None
    labels: list[str | int] | str | int | None = None
    date: Any = None  # checked only if dates are needed
    split: str | None = None


@dataclass(frozen=True)
class Fields:
    """A file's names of the document fields: `named` are required, `usual` are used if present."""

    named: Mapping[str, str] = field(default_factory=dict)
    usual: Mapping[str, str] = field(default_factory=dict)
    read: Collection[str] = FIELDS

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.named) - set(FIELDS)):
            raise BadInput(f"unknown field {unknown[0]!r}", remedy=f"fields are: {', '.join(FIELDS)}")

    def within(self, present: Collection[str]) -> dict[str, str]:
        """Return the file's name of each field, for the names that are `present`.

        >>> Fields({"body": "story"}, {"title": "headline"}).within(("headline", "story", "text", "id"))
        {'id': 'id', 'title': 'headline', 'body': 'story'}
        """
        found = {name: column for name in self.read if (column := self._column(name, present)) is not None}
        if "text" in found and "body" in found:
            chosen = [name for name in ("text", "body") if found[name] != name or name in self.named]
            if len(chosen) != 1:
                raise BadInput("both 'text' and 'body'", remedy="name the one to read, e.g. --column text=body")
            del found["body" if chosen == ["text"] else "text"]
        return found

    def _column(self, name: str, present: Collection[str]) -> str | None:
        if name in self.named:
            return self.named[name] if self.named[name] in present else None
        return next((c for c in (self.usual.get(name, name), name) if c in present), None)

    def of_table(self, header: Collection[str]) -> dict[str, str]:
        """Return the same for a table; raise if a named column or a text column is missing."""
        for name, column in self.named.items():
            if name in self.read and column not in header:
                raise BadInput(f"no column {column!r}{_near(column, header)}", remedy=_all(header))
        found = self.within(header)
        if not set(TEXTS) & set(found):
            remedy = f"{_all(header)}; {how_to_name('text', header)}"
            raise BadInput("no column 'text', 'title' or 'body'", remedy=remedy)
        return found


def how_to_name(name: str, present: Collection[str]) -> str:
    """Return the remedy that names a column with --column, with the likeliest column as the example.

    A header that is one field with two known names in it has another delimiter: that is to be named first.

    >>> how_to_name("text", ["story", "tags"]), how_to_name("text", ["text~labels"])
    ('name one with --column text=story', "name the delimiter with --delimiter '~'")
    """
    if len(present) == 1 and (mark := _delimiter_in(next(iter(present)))):
        return f"name the delimiter with --delimiter {'tab' if mark == chr(9) else repr(mark)}"
    likely = next((column for column in present if column.strip().lower() in _OFTEN[name]), "NAME")
    return f"name one with --column {name}={likely}"


def _delimiter_in(field: str) -> str | None:
    """Return the first character of a header that parts two known names; None if there is none."""
    known = {*FIELDS, *(name for names in _OFTEN.values() for name in names)}
    marks = [c for c in dict.fromkeys(field) if not (c.isalnum() or c in "_\"'")]
    return next((c for c in marks if sum(part.strip(" \"'").lower() in known for part in field.split(c)) > 1), None)


def document_of(record: Record, names: Mapping[str, str], separator: str, empty: str) -> Document:
    """Return the document of a record; `empty` is the meaning of an empty labels cell, as in `Layout`."""
    given = {name: record.values[column] for name, column in names.items()}
    if record.cells:  # an empty id, date or split is missing
        given = {name: cell for name, cell in given.items() if cell.strip() or name in ("labels", *TEXTS)}
    values = _checked(given, names)
    if values.text is None and values.title is None and values.body is None:
        raise BadInput("no text: expected 'text', or 'title' and 'body'", remedy=_all(record.values, "fields"))
    labels: tuple[str, ...] | None = None
    if isinstance(values.labels, str):
        labels = parts_of(values.labels, separator)
        labels = None if empty == UNLABELLED and not values.labels.strip() else labels
    elif values.labels is not None:
        labels = _listed([values.labels] if isinstance(values.labels, int) else values.labels)
    for label in labels or ():
        if flaw := flaw_of(label):
            raise BadInput(f"the label {label!r} has {flaw}", remedy="leave it out")
    return Document(
        str(record.number if values.id is None else values.id),
        values.title or "",
        values.text or values.body or "",
        labels,
        None if values.date is None else str(values.date).strip() or None,
        values.split,
    )


def _listed(labels: Sequence[str | int]) -> tuple[str, ...]:
    """Return the labels of a list, whole numbers as text."""
    found = [str(label) for label in labels]
    if not any(isinstance(label, str) for label in labels):
        check_not_a_row(found, str(labels))
    return checked_labels(found)


def _checked(values: dict[str, Any], names: Mapping[str, str]) -> _Values:
    try:
        return msgspec.convert(values, _Values)
    except msgspec.ValidationError as error:
        text = str(error)
        for name, column in names.items():
            text = text.replace(f"at `$.{name}", f"at `$.{column}")
        raise msgspec.ValidationError(text) from None


def _near(column: str, header: Iterable[str]) -> str:
    near = difflib.get_close_matches(column, list(header), 1)
    return f", did you mean {near[0]!r}?" if near else ""


def _all(present: Iterable[str], what: str = "columns") -> str:
    return f"{what} are: {', '.join(present)}"
