"""Prodigy, doccano and Argilla: their files of annotated documents in and out, for text classification.

    prodigy   {"text", "options": [{"id", "text"}], "accept": [..], "answer": "accept" | "reject" | "ignore", "meta"}
              or, one label at a time, {"text", "label", "answer"}
    doccano   {"id", "text", "label": [..]}
    argilla   {"id", "fields": {"text"}, "responses": {"label": [{"value", "user_id", "status"}]},
               "suggestions": {"label": {"value", "score", "agent"}}, "status", "metadata"}

Files have one JSON object per line; those of Argilla, whose own export is an array, may be an array as well.
Title, date and split of a document are in the metadata (doccano: in fields of their own), so that what was written
reads the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bayesift.corpora import Document, Skipped
from bayesift.corpora.jsonl import checked_labels, read_objects
from bayesift.corpora.records import raise_or_skip
from bayesift.errors import BadInput
from bayesift.files import write_compressed

Fields = dict[str, Any]
QUESTION = "label"  # of Argilla's dataset
WHO = "bayesift"
NOBODY = "00000000-0000-0000-0000-000000000000"  # Argilla names users by numbers of its own
ABOUT = ("title", "date", "split")


class Suggestion(NamedTuple):
    """Labels that a model predicts for a document, and how probable it is that they are right."""

    labels: tuple[str, ...]
    confidence: float


class Tool(NamedTuple):
    """How a tool's line becomes a document, and a document a line."""

    read: Callable[[Fields, str], Document]
    write: Callable[[Document, Sequence[str], Suggestion | None], Fields]


def read_annotations(path: str | Path, tool: str, *, skipped: Skipped | None = None) -> Iterator[Document]:
    """Yield the documents of a file.

    Parameters
    ----------
    path : str or Path
        The file; also .gz and .zst.
    tool : str
        prodigy, doccano or argilla.
    skipped : Skipped, optional
        Counts lines that are not as the tool writes them, and leaves them out; by default one is an error.

    Raises
    ------
    BadInput
        If a line is not as the tool writes it.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "news.jsonl")
    >>> _ = path.write_text('{"id": 7, "text": "Wheat rose", "label": ["grain"]}')
    >>> list(read_annotations(path, "doccano"))
    [Document(id='7', title='', body='Wheat rose', labels=('grain',), date=None, split=None)]
    """
    read, single = tool_of(tool).read, dict[str, Document]()
    for record in read_objects(path, skipped, array=True):
        fields = dict(record.values)
        try:
            document = read(fields, str(record.number))
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            what = f"no field {error}" if isinstance(error, KeyError) else str(error)
            wrong = BadInput(f"not a line of {tool}: {what}", remedy=f"give a file that {tool} exported")
            raise_or_skip(wrong, path, record.line, record.number, skipped)
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
    return Document(str(id), body=text, labels=None if labels is None else checked_labels(map(str, labels)), **more)


def _about(document: Document) -> Fields:
    return {name: value for name in ABOUT if (value := getattr(document, name))}


def _read_prodigy(fields: Fields, number: str) -> Document:
    about = fields.get("meta") or {}
    answer = fields.get("answer")
    if "labels" in fields or isinstance(fields.get("label"), list):
        raise ValueError("it has a list of labels, as files of doccano and of bayesift do")
    if answer not in ("accept", "reject", "ignore", None):
        raise ValueError(f"the answer is {answer!r}")
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
    labels = fields.get("label", fields.get("labels"))
    if "accept" in fields or "answer" in fields:
        raise ValueError("it has an answer, as files of prodigy do")
    if labels is not None and not isinstance(labels, list):
        labels = [labels]
    return _document(fields.get("id", number), fields["text"] if "text" in fields else fields["data"], labels, fields)


def _write_doccano(document: Document, labels: Sequence[str], suggestion: Suggestion | None) -> Fields:
    given = document.labels if document.labels is not None else suggestion.labels if suggestion else None
    line: Fields = {"id": document.id, "text": document.body} | _about(document)
    return line | ({} if given is None else {"label": list(given)})


def _read_argilla(fields: Fields, number: str) -> Document:
    texts, about = fields["fields"], fields.get("metadata") or {}
    text = texts["text"] if "text" in texts else "\n".join(map(str, texts.values()))
    responses = [answer for answers in (fields.get("responses") or {}).values() for answer in answers]
    given = [_values(answer["value"]) for answer in responses if answer.get("status", "submitted") == "submitted"]
    names = dict.fromkeys(label for answer in given for label in answer)
    agreed = [label for label in names if 2 * sum(label in answer for answer in given) > len(given)]
    id = fields.get("id")
    return _document(number if id is None else id, text, agreed if given else None, about)


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
    """Return the labels of a response: a list, or the one label of a single choice."""
    return [str(label) for label in value] if isinstance(value, list) else [str(value)]


TOOLS = {
    "prodigy": Tool(_read_prodigy, _write_prodigy),
    "doccano": Tool(_read_doccano, _write_doccano),
    "argilla": Tool(_read_argilla, _write_argilla),
}
