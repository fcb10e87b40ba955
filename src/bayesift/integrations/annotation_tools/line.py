"""What the lines of all tools share: a document of its fields, its labels, and a model's suggestion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bayesift.corpora import Document
from bayesift.corpora.jsonl import checked_labels
from bayesift.errors import BadInput

Fields = dict[str, Any]
ABOUT = ("title", "date", "split")
PARTS = ("entities", "spans")  # fields that mark parts of a text


class Suggestion(NamedTuple):
    """Labels that a model predicts for a document, and how probable it is that they are right."""

    labels: tuple[str, ...]
    confidence: float


def document_of(id: Any, text: Any, labels: Any, about: Any) -> Document:
    """Return a document with these labels, or unlabelled with None, and with what `about` says of it."""
    if not isinstance(text, str):
        raise ValueError(f"the text is {text!r}")
    more = {name: value for name in ABOUT if isinstance(value := (about or {}).get(name), str)}
    return Document(str(id), body=text, labels=None if labels is None else checked_labels(_texts(labels)), **more)


def _texts(labels: Any) -> list[str]:
    """Return labels as texts; raise unless they are a list of texts and whole numbers."""
    if not isinstance(labels, list):
        raise ValueError(f"the labels are {labels!r}, not a list")
    for label in labels:
        if isinstance(label, list | dict):
            raise marks_parts(f"label {label!r}")
        if isinstance(label, bool) or not isinstance(label, str | int):
            raise ValueError(f"a label is {label!r}; labels are texts or whole numbers")
    return [str(label) for label in labels]


def marks_parts(what: str) -> BadInput:
    """Return the error of a line that labels parts of its text, not the whole."""
    return BadInput(f"it marks parts of the text ({what})", remedy="export labels of whole documents")


def check_labels(fields: Fields, names: Sequence[str]) -> None:
    """Raise if a line has none of the fields of labels, but others that a tool writes for other tasks."""
    if any(name in fields for name in names):
        return
    if part := next((name for name in PARTS if name in fields), None):
        raise marks_parts(f"field {part!r}")
    if "cats" in fields:
        remedy = "write the labels that apply as a list: " + '"labels": [...]'
        raise BadInput("it has 'cats', as training data of spaCy do", remedy=remedy)


def about_of(document: Document) -> Fields:
    """Return title, date and split of a document, as far as it has them."""
    return {name: value for name in ABOUT if (value := getattr(document, name))}
