"""Prodigy, doccano and Argilla: their files of annotated documents in and out, for text classification.

    prodigy   {"text", "options": [{"id", "text"}], "accept": [..], "answer": "accept" | "reject" | "ignore", "meta"}
              or, one label at a time, {"text", "label", "answer"}
    doccano   {"id", "text", "label": [..]}, of projects for intents {"text", "cats": [..], "entities"}
    argilla   {"id", "fields": {"text"}, "responses": {"label": [{"value", "user_id", "status"}]},
               "suggestions": {"label": {"value", "score", "agent"}}, "status", "metadata"}

Files have one JSON object per line; those of Argilla, whose own export is an array, may be an array as well.
Title, date and split of a document are in the metadata (doccano: in fields of their own), so that what was written
reads the same. What marks parts of a text, as entities do, is an error: these are not labels of a document.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bayesift.corpora import Document, Skipped
from bayesift.corpora.jsonl import checked_labels, read_objects
from bayesift.corpora.records import Record, raise_or_skip
from bayesift.errors import BadInput
from bayesift.files import write_compressed

Fields = dict[str, Any]
QUESTION = "label"  # of Argilla's dataset
WHO = "bayesift"
NOBODY = "00000000-0000-0000-0000-000000000000"  # Argilla names users by numbers of its own
ABOUT = ("title", "date", "split")
PARTS = ("entities", "spans")  # fields that mark parts of a text


class Suggestion(NamedTuple):
    """Labels that a model predicts for a document, and how probable it is that they are right."""

    labels: tuple[str, ...]
    confidence: float


class Tool(NamedTuple):
    """How a tool's line becomes a document, and a document a line."""

    read: Callable[..., Document]  # of the fields and the number of a line
    write: Callable[[Document, Sequence[str], Suggestion | None], Fields]


def read_annotations(
    path: str | Path, tool: str, *, skipped: Skipped | None = None, question: str | None = None
) -> Iterator[Document]:
    """Yield the documents of a file.

    Parameters
    ----------
    path : str or Path
        The file; also .gz and .zst.
    tool : str
        prodigy, doccano or argilla.
    skipped : Skipped, optional
        Counts lines that are not as the tool writes them, and leaves them out; by default one is an error.
    question : str, optional
        For argilla: the question whose responses are the labels; needed if several were answered.

    Raises
    ------
    BadInput
        If a line is not as the tool writes it, or if responses answer several questions and none is chosen.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "news.jsonl")
    >>> _ = path.write_text('{"id": 7, "text": "Wheat rose", "label": ["grain"]}')
    >>> list(read_annotations(path, "doccano"))
    [Document(id='7', title='', body='Wheat rose', labels=('grain',), date=None, split=None)]
    """
    read, single = tool_of(tool).read, dict[str, Document]()
    records: Iterable[Record] = read_objects(path, skipped, array=True)
    if tool == "argilla":
        records = list(records)
        read = partial(read, question=_chosen(path, records, question))
    elif question is not None:
        raise BadInput(f"files of {tool} have no questions", remedy="leave --question out")
    for record in records:
        fields = dict(record.values)
        try:
            document = read(fields, str(record.number))
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise_or_skip(_wrong(error, tool), path, record.line, record.number, skipped)
            continue
        if tool == "prodigy" and "label" in fields and "options" not in fields:
            _join(single, document)  # one line per label: they come together at the end
        else:
            yield document
    yield from single.values()


def write_annotations(
    path: str | Path, documents: Iterable[Document], tool: str, *, labels: Sequence[str] = (),
    suggestions: Iterable[Suggestion] | None = None,
) -> int:  # fmt: skip
    """Write documents for a tool, and return their number.

    Parameters
    ----------
    path : str or Path
        The file; also .gz and .zst.
    documents : iterable of Document
        The documents; unlabelled ones are tasks.
    tool : str
        prodigy, doccano or argilla.
    labels : sequence of str
        All labels, which Prodigy shows as options (default: those of each document).
    suggestions : iterable of Suggestion, optional
        What a model predicts for each document: Prodigy selects it beforehand, Argilla shows it, and doccano takes it
        as the labels of a document that has none.
    """
    write, encode, count = tool_of(tool).write, msgspec.json.Encoder().encode, 0
    found: Iterator[Suggestion | None] = iter(suggestions) if suggestions is not None else iter(lambda: None, 0)
    with write_compressed(path) as out:
        for count, (document, suggestion) in enumerate(zip(documents, found), start=1):  # noqa: B007
            out.write(encode(write(document, labels, suggestion)) + b"\n")
    return count


def tool_of(name: str) -> Tool:
    """Return a tool by its name."""
    if name not in TOOLS:
        raise BadInput(f"unknown tool {name!r}", remedy=f"tools are: {', '.join(TOOLS)}")
    return TOOLS[name]


def _wrong(error: Exception, tool: str) -> BadInput:
    """Return what is wrong with a line of a tool."""
    if isinstance(error, BadInput):
        return error
    what = f"no field {error}" if isinstance(error, KeyError) else str(error)
    return BadInput(f"not a line of {tool}: {what}", remedy=f"give a file that {tool} exported")


def _join(known: dict[str, Document], document: Document) -> None:
    """Add a document with at most one label to those of the same text."""
    before = known.get(document.body)
    if before is not None and before.labels is not None:
        document = msgspec.structs.replace(document, labels=checked_labels((*before.labels, *(document.labels or ()))))
    known[document.body] = document if before is None else msgspec.structs.replace(document, id=before.id)


def _document(id: Any, text: Any, labels: Any, about: Any) -> Document:
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
            raise _marks_parts(f"label {label!r}")
        if isinstance(label, bool) or not isinstance(label, str | int):
            raise ValueError(f"a label is {label!r}; labels are texts or whole numbers")
    return [str(label) for label in labels]


def _marks_parts(what: str) -> BadInput:
    """Return the error of a line that labels parts of its text, not the whole."""
    return BadInput(f"it marks parts of the text ({what})", remedy="export labels of whole documents")


def _check_labels(fields: Fields, names: Sequence[str]) -> None:
    """Raise if a line has none of the fields of labels, but others that a tool writes for other tasks."""
    if any(name in fields for name in names):
        return
    if part := next((name for name in PARTS if name in fields), None):
        raise _marks_parts(f"field {part!r}")
    if "cats" in fields:
        remedy = "write the labels that apply as a list: " + '"labels": [...]'
        raise BadInput("it has 'cats', as training data of spaCy do", remedy=remedy)


def _about(document: Document) -> Fields:
    return {name: value for name in ABOUT if (value := getattr(document, name))}


def _read_prodigy(fields: Fields, number: str) -> Document:
    about = fields.get("meta") or {}
    answer = fields.get("answer")
    if "labels" in fields or isinstance(fields.get("label"), list):
        raise ValueError("it has a list of labels, as files of doccano and of bayesift do")
    if answer not in ("accept", "reject", "ignore", None):
        raise ValueError(f"the answer is {answer!r}")
    _check_labels(fields, ("label", "options", "accept"))
    labels: Any = None
    if "options" not in fields and "label" in fields:
        labels = {"accept": [fields["label"]], "reject": []}.get(answer or "")
    elif answer == "accept":
        labels = fields["accept"]
    return _document(about.get("id", fields.get("_input_hash", number)), fields["text"], labels, about)


def _write_prodigy(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    chosen = document.labels if document.labels is not None else suggestion.labels if suggestion else ()
    options = list(dict.fromkeys([*labels, *chosen]))
    score = {"score": round(suggestion.confidence, 4)} if suggestion else {}
    line: Fields = {
        "text": document.body,
        "options": [{"id": label, "text": label} for label in options],
        "accept": list(chosen),
        "meta": {"id": document.id} | _about(document) | score,
    }
    return line | ({} if document.labels is None else {"answer": "accept"})


def _read_doccano(fields: Fields, number: str) -> Document:
    if "accept" in fields or "answer" in fields:
        raise ValueError("it has an answer, as files of prodigy do")
    names = ("label", "labels") if isinstance(fields.get("cats"), dict) else ("label", "labels", "cats")
    _check_labels(fields, names)
    labels = next((fields[name] for name in names if name in fields), None)
    if labels is not None and not isinstance(labels, list):
        labels = [labels]
    return _document(fields.get("id", number), fields["text"] if "text" in fields else fields["data"], labels, fields)


def _write_doccano(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    given = document.labels if document.labels is not None else suggestion.labels if suggestion else None
    line: Fields = {"id": document.id, "text": document.body} | _about(document)
    return line | ({} if given is None else {"label": list(given)})


def _read_argilla(fields: Fields, number: str, question: str | None) -> Document:
    texts, about = fields["fields"], fields.get("metadata") or {}
    text = texts["text"] if "text" in texts else "\n".join(map(str, texts.values()))
    given = [_values(value) for value in _answers(fields).get(question or "", ())]
    id = fields.get("id")
    return _document(number if id is None else id, text, _agreed(given), about)


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


def _chosen(path: str | Path, records: Iterable[Record], question: str | None) -> str | None:
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


def _write_argilla(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    responses, suggestions = {}, {}
    if document.labels is not None:
        responses = {QUESTION: [{"value": list(document.labels), "user_id": NOBODY, "status": "submitted"}]}
    if suggestion is not None:
        score = round(suggestion.confidence, 4)
        suggestions = {QUESTION: {"value": list(suggestion.labels), "score": score, "agent": WHO}}
    return {
        "id": document.id, "fields": {"text": document.body}, "metadata": _about(document),
        "suggestions": suggestions, "responses": responses, "vectors": {},
        "status": "pending" if document.labels is None else "completed",
    }  # fmt: skip


def _values(value: Any) -> list[str]:
    """Return the labels of a response: a list of texts, or the one label of a single choice."""
    labels = value if isinstance(value, list) else [value]
    if any(isinstance(label, dict) for label in labels):
        raise _marks_parts(f"response {value!r}")
    if not all(isinstance(label, str) for label in labels):
        raise ValueError(f"a response is {value!r}, not a text or a list of texts")
    return labels


TOOLS = {
    "prodigy": Tool(_read_prodigy, _write_prodigy),
    "doccano": Tool(_read_doccano, _write_doccano),
    "argilla": Tool(_read_argilla, _write_argilla),
}
