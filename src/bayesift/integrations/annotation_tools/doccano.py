"""doccano: {"id", "text", "label": [..]}, of projects for intents {"text", "cats": [..], "entities"}."""

from __future__ import annotations

from collections.abc import Sequence

from bayesift.corpora import Document
from bayesift.integrations.annotation_tools.line import Fields, Suggestion, about_of, check_labels, document_of


def read_doccano(fields: Fields, number: str) -> Document:
    """Return the document of a line."""
    if "accept" in fields or "answer" in fields:
        raise ValueError("it has an answer, as files of prodigy do")
    names = ("label", "labels") if isinstance(fields.get("cats"), dict) else ("label", "labels", "cats")
    check_labels(fields, names)
    labels = next((fields[name] for name in names if name in fields), None)
    if labels is not None and not isinstance(labels, list):
        labels = [labels]
    return document_of(fields.get("id", number), fields["text"] if "text" in fields else fields["data"], labels, fields)


def write_doccano(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    """Return the line of a document; if it has no labels, with those of the suggestion."""
    given = document.labels if document.labels is not None else suggestion.labels if suggestion else None
    line: Fields = {"id": document.id, "text": document.body} | about_of(document)
    return line | ({} if given is None else {"label": list(given)})
