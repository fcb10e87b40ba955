"""Read the user's files: JSON lines, a JSON array, CSV or TSV, plain or compressed, or standard input."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from bayesift.corpora.document import Document
from bayesift.corpora.document_file import DocumentFile
from bayesift.corpora.layout import Layout
from bayesift.corpora.skipped import Skipped
from bayesift.errors import Notice


def read_documents(
    path: str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    separator: str | None = None,
    empty: str | None = None,
    skip_bad: bool = False,
    skipped: Skipped | None = None,
) -> Iterator[Document]:
    """Return an iterator over the documents of PATH, or of standard input if it is `-`.

    Parameters
    ----------
    format : jsonl, json, csv or tsv; by default from the file name; standard input is JSON lines.
    columns : the file's names of the document fields, if they differ.
    delimiter, separator : of a table's cells and of the labels in a cell; detected by default.
    empty : meaning of an empty labels cell, "none" (no label applies, the default) or "unlabelled".
    skip_bad : count invalid lines in `skipped`, or warn at the end; by default one is an error.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "news.csv")
    >>> _ = file.write_text("headline,labels\\nRain again,weather;news\\n")
    >>> next(read_documents(file, columns={"title": "headline"}))
    Document(id='1', title='Rain again', body='', labels=('weather', 'news'), date=None, split=None)
    """
    counter = (skipped or Skipped()) if skip_bad else None
    layout = Layout(format, columns or {}, delimiter, separator, empty)
    documents = (document for _, document in DocumentFile(path, layout, skipped=counter))
    return _warning_at_end(documents, counter) if counter is not None and skipped is None else documents


def _warning_at_end(documents: Iterator[Document], counter: Skipped) -> Iterator[Document]:
    yield from documents
    if counter.count:
        warnings.warn(str(counter), Notice, stacklevel=2)
