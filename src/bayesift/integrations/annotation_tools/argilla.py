"""Argilla: records with the responses of several users to several questions.

    {"id", "fields": {"text"}, "responses": {"label": [{"value", "user_id", "status"}]},
     "suggestions": {"label": {"value", "score", "agent"}}, "status", "metadata"}

The labels of a document are those that most of its responses have.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bayesift.corpora import Document
from bayesift.corpora.records import Record
from bayesift.errors import BadInput
from bayesift.integrations.annotation_tools.line import Fields, Suggestion, about_of, document_of, marks_parts

QUESTION = "label"  # of Argilla's dataset
WHO = "bayesift"
NOBODY = "00000000-0000-0000-0000-000000000000"  # Argilla names users by numbers of its own


def read_argilla(fields: Fields, number: str, question: str | None) -> Document:
    """Return the document of a record, with the labels on which the responses to a question agree."""
    texts, about = fields["fields"], fields.get("metadata") or {}
    text = texts["text"] if "text" in texts else "\n".join(map(str, texts.values()))
    given = [_values(value) for value in _answers(fields).get(question or "", ())]
    id = fields.get("id")
    return document_of(number if id is None else id, text, _agreed(given), about)


def _answers(fields: Fields) -> dict[str, list[Any]]:
    """Return the values of the submitted responses of a record, by question."""
    submitted = {
        question: [
            answer["value"]
            for answer in answers
            if answer.get("status", "submitted") == "submitted" and answer["value"] is not None
        ]
        for question, answers in (fields.get("responses") or {}).items()
    }
    return {question: values for question, values in submitted.items() if values}


def chosen_question(path: str | Path, records: Iterable[Record], question: str | None) -> str | None:
    """Return the question whose responses are labels: the one given, or the only one that was answered."""
    asked: dict[str, None] = {}
    for record in records:
        with contextlib.suppress(TypeError, KeyError, AttributeError):  # reported with its line, when it is read
            asked |= dict.fromkeys(_answers(dict(record.values)))
    names = ", ".join(map(repr, asked))
    if question is not None and asked and question not in asked:
        raise BadInput(f"no response to the question {question!r}", path=path, remedy=f"questions are: {names}")
    if question is None and len(asked) > 1:
        remedy = f"choose the one whose answers are labels, e.g. --question {next(iter(asked))}"
        raise BadInput(f"responses to several questions: {names}", path=path, remedy=remedy)
    return question if question is not None else next(iter(asked), None)


def _agreed(given: list[list[str]]) -> list[str] | None:
    """Return the labels that most annotators gave; None if there is no majority, not even for no label.

    >>> _agreed([["a"], ["a", "b"]]), _agreed([["a"], ["b"]]), _agreed([["a"], [], []])
    (['a'], None, [])
    """
    names = dict.fromkeys(label for labels in given for label in labels)
    agreed = [label for label in names if 2 * sum(label in labels for labels in given) > len(given)]
    nothing = 2 * sum(not labels for labels in given) > len(given)
    return agreed if agreed or nothing else None


def write_argilla(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    """Return the record of a document."""
    responses, suggestions = {}, {}
    if document.labels is not None:
        responses = {QUESTION: [{"value": list(document.labels), "user_id": NOBODY, "status": "submitted"}]}
    if suggestion is not None:
        score = round(suggestion.confidence, 4)
        suggestions = {QUESTION: {"value": list(suggestion.labels), "score": score, "agent": WHO}}
    return {
        "id": document.id, "fields": {"text": document.body}, "metadata": about_of(document),
        "suggestions": suggestions, "responses": responses, "vectors": {},
        "status": "pending" if document.labels is None else "completed",
    }  # fmt: skip


def _values(value: Any) -> list[str]:
    """Return the labels of a response: a list of texts, or the one label of a single choice."""
    labels = value if isinstance(value, list) else [value]
    if any(isinstance(label, dict) for label in labels):
        raise marks_parts(f"response {value!r}")
    if not all(isinstance(label, str) for label in labels):
        raise ValueError(f"a response is {value!r}, not a text or a list of texts")
    return labels
