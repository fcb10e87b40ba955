"""Prodigy: a line per document with options, or a line per document and label.

    {"text", "options": [{"id", "text"}], "accept": [..], "answer": "accept" | "reject" | "ignore", "meta"}
    or, one label at a time, {"text", "label", "answer"}

Lines of the second kind become one document per text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bayesift.corpora import Document
from bayesift.corpora.jsonl import checked_labels
from bayesift.integrations.annotation_tools.line import Fields, Suggestion, about_of, check_labels, document_of


def read_prodigy(fields: Fields, number: str) -> Document:
    """Return the document of a line."""
    about = fields.get("meta") or {}
    answer = fields.get("answer")
    if "labels" in fields or isinstance(fields.get("label"), list):
        raise ValueError("it has a list of labels, as files of doccano and of bayesift do")
    if answer not in ("accept", "reject", "ignore", None):
        raise ValueError(f"the answer is {answer!r}")
    check_labels(fields, ("label", "options", "accept"))
    labels: Any = None
    if "options" not in fields and "label" in fields:
        labels = {"accept": [fields["label"]], "reject": []}.get(answer or "")
    elif answer == "accept":
        labels = fields["accept"]
    return document_of(about.get("id", fields.get("_input_hash", number)), fields["text"], labels, about)


def write_prodigy(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    """Return the line of a document, with all labels as options and the suggestion selected."""
    chosen = document.labels if document.labels is not None else suggestion.labels if suggestion else ()
    options = list(dict.fromkeys([*labels, *chosen]))
    score = {"score": round(suggestion.confidence, 4)} if suggestion else {}
    line: Fields = {
        "text": document.body,
        "options": [{"id": label, "text": label} for label in options],
        "accept": list(chosen),
        "meta": {"id": document.id} | about_of(document) | score,
    }
    return line | ({} if document.labels is None else {"answer": "accept"})


def join(known: dict[str, Document], document: Document) -> None:
    """Add a document with at most one label to those of the same text."""
    before = known.get(document.body)
    if before is not None and before.labels is not None:
        document = msgspec.structs.replace(document, labels=checked_labels((*before.labels, *(document.labels or ()))))
    known[document.body] = document if before is None else msgspec.structs.replace(document, id=before.id)
