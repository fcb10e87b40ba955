"""Prodigy, doccano and Argilla: their files of annotated documents in and out, for text classification.

Files have one JSON object per line; those of Argilla, whose own export is an array, may be an array as well.
Title, date and split of a document are in the metadata (doccano: in fields of their own), so that what was written
reads the same. What marks parts of a text, as entities do, is an error: these are not labels of a document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from bayesift.corpora import Document, Skipped
from bayesift.corpora.jsonl import read_objects
from bayesift.corpora.records import Record, raise_or_skip
from bayesift.errors import BadInput
from bayesift.files import write_compressed
from bayesift.integrations.annotation_tools.argilla import chosen_question, read_argilla, write_argilla
from bayesift.integrations.annotation_tools.doccano import read_doccano, write_doccano
from bayesift.integrations.annotation_tools.line import Fields, Suggestion
from bayesift.integrations.annotation_tools.prodigy import join, read_prodigy, write_prodigy

__all__ = ["TOOLS", "Suggestion", "Tool", "read_annotations", "tool_of", "write_annotations"]


class Tool(NamedTuple):
    """How a tool's line becomes a document, and a document a line."""

    read: Callable[..., Document]  # of the fields and the number of a line
    write: Callable[[Document, Sequence[str], Suggestion | None], Fields]


TOOLS = {
    "prodigy": Tool(read_prodigy, write_prodigy),
    "doccano": Tool(read_doccano, write_doccano),
    "argilla": Tool(read_argilla, write_argilla),
}


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
        read = partial(read, question=chosen_question(path, records, question))
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
            join(single, document)  # one line per label: they come together at the end
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
